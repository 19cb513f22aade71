import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../cases/random.mjs';
import { VALUES } from '../cases/values.mjs';
import { codecFor, encode, PROTOCOLS, stream } from '../codecs.mjs';
import { BadRequest, Refusal } from '../errors.mjs';
import { resolveProfile } from '../profile.mjs';

const ROUNDS = 4000;
const ODDITIES = [null, true, false, -1, 0, 1, 3, 255, 256, 65536, 2 ** 32, 1.5, 1e300, Infinity, '', '0', '-1', '00', 'ff', 'null', 'map', '\ud800', [], {}, { hex: 'ff' }, [[]], '9'.repeat(30)];

/** Puts an oddity somewhere, drops a key, or adds one. */
function disturb(random, value) {
  if (typeof value !== 'object' || value === null || random.below(6) === 0) return random.pick(ODDITIES);
  const copy = Array.isArray(value) ? [...value] : { ...value };
  const keys = Object.keys(copy);
  if (keys.length === 0 || random.below(12) === 0) copy[Array.isArray(copy) ? copy.length : 'more'] = random.pick(ODDITIES);
  else if (random.below(12) === 0 && !Array.isArray(copy)) delete copy[random.pick(keys)];
  else {
    const key = random.pick(keys);
    copy[key] = disturb(random, copy[key]);
  }
  return copy;
}

function attempt(codec, value) {
  try {
    return encode(codec, value);
  } catch (thrown) {
    return thrown;
  }
}

for (const [index, protocol] of PROTOCOLS.entries()) {
  test(`any value of ${protocol} is written and readable, refused, or of no shape`, () => {
    const random = new Random(40 + index);
    const tally = { written: 0, refused: 0, shapeless: 0 };
    for (let round = 0; round < ROUNDS; round++) {
      const direction = protocol === 'comet' ? random.pick(['c2s', 's2c']) : undefined;
      const codec = codecFor(protocol, {}, direction);
      const value = disturb(random, VALUES[protocol](random, resolveProfile(protocol), direction));
      const result = attempt(codec, value);
      if (Buffer.isBuffer(result)) {
        const { rejection, messages } = stream(codec, [result]);
        assert.deepEqual([rejection, messages.length], [null, 1], JSON.stringify(value));
        assert.ok(encode(codec, messages[0]).equals(result));
        tally.written++;
      } else if (result instanceof Refusal) tally.refused++;
      else if (result instanceof BadRequest) tally.shapeless++;
      else assert.fail(`${JSON.stringify(value)}: ${result?.stack ?? result}`);
    }
    assert.ok(Object.values(tally).every((count) => count > 0), JSON.stringify(tally));
  });
}
