import assert from 'node:assert/strict';
import { test } from 'node:test';
import { profilesOf } from '../cases/profiles.mjs';
import { Random } from '../cases/random.mjs';
import { VALUES } from '../cases/values.mjs';
import { codecFor, encode, PROTOCOLS, stream } from '../codecs.mjs';
import { Refusal } from '../errors.mjs';
import { resolveProfile } from '../profile.mjs';

const ROUNDS = 40;
const MIXTURES = 12;

/** What is compared of a finished stream. */
const outcome = ({ messages, consumed, rejection }) =>
  rejection === null ? { messages, consumed } : { messages, ...rejection };

const singly = (bytes) => Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));

function withoutCheck(message) {
  if (message.packet?.payload) delete message.packet.payload.check;
  return message;
}

/** Whatever was read can be written and read again, unless its type is never sent. */
function assertStable(codec, message) {
  let bytes;
  try {
    bytes = encode(codec, message);
  } catch (thrown) {
    assert.ok(thrown instanceof Refusal, String(thrown?.message ?? thrown));
    assert.equal(thrown.error, 'forbidden-type');
    return;
  }
  assert.deepEqual(stream(codec, [bytes]).messages, [message]);
}

function assertChunkInvariant(codec, random, bytes) {
  const whole = outcome(stream(codec, [bytes]));
  assert.deepEqual(outcome(stream(codec, singly(bytes))), whole, bytes.toString('hex'));
  assert.deepEqual(outcome(stream(codec, random.chunks(bytes))), whole, bytes.toString('hex'));
  return whole;
}

function laws(protocol, direction, seed) {
  const random = new Random(seed);
  for (const declared of profilesOf(protocol, random, MIXTURES)) {
    const codec = codecFor(protocol, declared, direction);
    const profile = resolveProfile(protocol, declared);
    let stock = Buffer.alloc(0);
    for (let round = 0; round < ROUNDS; round++) {
      const value = VALUES[protocol](random, profile, direction);
      const bytes = encode(codec, value);
      const read = stream(codec, [bytes]);
      assert.equal(read.rejection, null, `${JSON.stringify(declared)} ${JSON.stringify(value)}`);
      assert.equal(JSON.stringify(withoutCheck(structuredClone(read.messages[0]))), JSON.stringify(value), JSON.stringify(declared));
      assertChunkInvariant(codec, random, bytes);
      stock = Buffer.concat([stock.subarray(-60), bytes]);
      const { messages } = assertChunkInvariant(codec, random, random.mutate(random.below(2) ? bytes : Buffer.concat([bytes, bytes])));
      for (const message of messages) assertStable(codec, message);
      assertChunkInvariant(codec, random, random.bytes(40));
    }
    assertChunkInvariant(codec, random, stock);
  }
}

for (const [index, protocol] of PROTOCOLS.entries()) {
  const directions = protocol === 'comet' ? ['c2s', 's2c'] : [undefined];
  for (const direction of directions) {
    test(`laws of ${protocol} ${direction ?? ''}`, () => laws(protocol, direction, 7001 + index));
  }
}

test('a stream keeps its rejection whatever follows', () => {
  const codec = codecFor('comet', {}, 'c2s');
  const bytes = ['000106', '0000', '000106'].map((hex) => Buffer.from(hex, 'hex'));
  const { messages, rejection, after } = stream(codec, bytes);
  assert.deepEqual([messages.length, after, rejection.error, rejection.offset], [1, [0], 'length-mismatch', 3]);
});
