import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EXAMPLES } from '../cases/examples.mjs';
import { FAULTS } from '../cases/rejections.mjs';
import { codecFor, encode, stream } from '../codecs.mjs';

const label = ({ protocol, direction = '', profile, hex }) =>
  `${protocol} ${direction} ${hex.slice(0, 60)} ${profile ? JSON.stringify(profile) : ''}`;

const codecOf = ({ protocol, profile, direction }) => codecFor(protocol, profile, direction);

/** One chunk, single bytes, and sizes that fall inside every kind of block. */
function chunkings(bytes) {
  return [bytes.length, 1, 2, 3, 5, 7].map((size) => {
    const chunks = [];
    for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
    return chunks;
  });
}

for (const example of EXAMPLES) {
  test(`read ${label(example)}`, () => {
    const bytes = Buffer.from(example.hex, 'hex');
    for (const chunks of chunkings(bytes)) {
      const { messages, consumed, rejection, after } = stream(codecOf(example), chunks);
      assert.equal(rejection, null);
      assert.equal(JSON.stringify(messages), JSON.stringify([example.value]), 'key order as shown');
      assert.equal(consumed, bytes.length);
      assert.deepEqual(after, [chunks.length - 1]);
    }
  });
  if (example.decodeOnly) continue;
  test(`write ${label(example)}`, () => {
    assert.equal(encode(codecOf(example), example.value).toString('hex'), example.hex);
  });
}

for (const fault of FAULTS) {
  test(`reject ${label(fault)}`, () => {
    for (const chunks of chunkings(Buffer.from(fault.hex, 'hex'))) {
      const { messages, rejection, after } = stream(codecOf(fault), chunks);
      assert.equal(`${rejection?.error} ${rejection?.offset}`, `${fault.error} ${fault.offset}`);
      assert.equal(messages.length, fault.messages);
      assert.equal(after.length, fault.messages);
    }
  });
}

test('every cut of an example is truncated, or incomplete while open', () => {
  for (const example of EXAMPLES) {
    const bytes = Buffer.from(example.hex, 'hex');
    for (let size = 1; size < bytes.length; size++) {
      const cut = [bytes.subarray(0, size)];
      assert.deepEqual({ ...stream(codecOf(example), cut).rejection, detail: '' }, { error: 'truncated', offset: size, detail: '' });
      const open = stream(codecOf(example), cut, false);
      assert.equal(open.rejection, null);
      assert.equal(open.idle, false);
      assert.equal(open.consumed, 0);
    }
  }
});
