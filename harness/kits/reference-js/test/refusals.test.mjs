import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { REFUSALS, SHAPELESS, WRITTEN } from '../cases/refusals.mjs';
import { codecFor, encode } from '../codecs.mjs';
import { BadRequest, Refusal } from '../errors.mjs';

/** Some values are too deep or too long to print whole. */
function label({ protocol, profile, value }) {
  const shown = inspect(value, { depth: 4, breakLength: Infinity, maxStringLength: 30, maxArrayLength: 3 });
  return `${protocol} ${profile ? JSON.stringify(profile) : ''} ${shown.slice(0, 160)}`;
}

function attempt({ protocol, profile, direction, value }) {
  try {
    return encode(codecFor(protocol, profile, direction), value);
  } catch (thrown) {
    return thrown;
  }
}

for (const refused of REFUSALS) {
  test(`refuse ${label(refused)}`, () => {
    const thrown = attempt(refused);
    assert.ok(thrown instanceof Refusal, String(thrown?.message ?? thrown));
    assert.equal(thrown.error, refused.error);
  });
}

for (const shapeless of SHAPELESS) {
  test(`no shape ${label(shapeless)}`, () => {
    const thrown = attempt(shapeless);
    assert.ok(thrown instanceof BadRequest, String(thrown?.error ?? thrown));
  });
}

for (const written of WRITTEN) {
  test(`written ${label(written)}`, () => {
    assert.equal(attempt(written).toString('hex'), written.hex);
  });
}
