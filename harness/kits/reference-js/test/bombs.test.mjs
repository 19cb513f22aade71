import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codecFor, stream } from '../codecs.mjs';
import { answerLine } from '../contract.mjs';

const END = '00000000';
const MILLISECONDS = 2000; // far above what it takes: work in proportion to the promise would need minutes

/** A HEADER frame named "k" around a Var. */
function header(wire) {
  const body = `026b${wire}`;
  return `13${(body.length / 2).toString(16).padStart(6, '0')}${body}${END}`;
}

/** @type {[string, string, string, string, number, object?][]} what, protocol, hex, error, offset, profile */
const BOMBS = [
  ['24-bit size, nothing there', 'esnp-frame', '15ffffff', 'truncated', 4],
  ['24-bit size of END', 'esnp-line', '00ffffff', 'length-mismatch', 1],
  ['32-bit payload', 'tny', '746e792e00ffffffff', 'limit-exceeded', 5],
  ['largest admitted payload', 'tny', '746e792e00ffffff7f', 'truncated', 9, { max_payload: 0x7fffffff }],
  ['32-bit packet', 'tny-relay', '72706bffffffff', 'limit-exceeded', 3],
  ['32-bit message', 'magline', 'c10100040000ffff00000001ffffffff', 'limit-exceeded', 12],
  ['largest admitted message', 'magline', 'c10100040000ffff000000017fffffff', 'truncated', 16, { max_message: 0x7fffffff }],
  ['length 2^62', 'esnp-frame', header('11' + '808080808080808080' + '01'), 'overrun', 17],
  ['length -2^63', 'esnp-frame', header('18' + 'ffffffffffffffffff01'), 'negative-length', 7],
  ['count 2^31 - 1', 'esnp-line', header('17feffffff0f').replace(/^13/, '14'), 'overrun', 12],
  ['count 2^31', 'esnp-line', header('178080808010').replace(/^13/, '14'), 'out-of-range', 7],
  ['count 2^63 - 1 over nulls', 'esnp-frame', header('17feffffffffffffffff01' + '00'.repeat(100000)), 'overrun', 17 + 100000],
  ['map count 2^63 - 1', 'esnp-frame', header('15feffffffffffffffff01' + '0000'.repeat(1000)), 'overrun', 17 + 2000],
  ['11-byte varint', 'esnp-frame', header('0b' + '80'.repeat(10) + '00'), 'varint-overflow', 7],
  ['a megabyte of continuation', 'esnp-frame', header('0b' + 'ff'.repeat(1000000)), 'varint-overflow', 7],
  ['lists 100,000 deep', 'esnp-frame', header('1702'.repeat(100000) + '00'), 'limit-exceeded', 6 + 128],
  ['lists 100,000 deep, depth 256', 'esnp-line', header('1702'.repeat(100000) + '00').replace(/^13/, '14'), 'limit-exceeded', 6 + 512, { max_depth: 256 }],
  ['maps 100,000 deep', 'esnp-frame', header('150200'.repeat(100000) + '00'), 'limit-exceeded', 6 + 192],
];

for (const [what, protocol, hex, error, offset, profile] of BOMBS) {
  test(what, () => {
    const bytes = Buffer.from(hex, 'hex');
    const before = performance.now();
    const { rejection } = stream(codecFor(protocol, profile), [bytes]);
    const taken = performance.now() - before;
    assert.equal(`${rejection?.error} ${rejection?.offset}`, `${error} ${offset}`);
    assert.ok(taken < MILLISECONDS, `${taken} ms`);
  });
}

test('a length field announces nothing: memory follows what arrives', () => {
  const codec = codecFor('tny', { max_payload: 0x7fffffff });
  const before = process.memoryUsage().arrayBuffers;
  const open = Array.from({ length: 200 }, () => stream(codec, [Buffer.from('746e792e00ffffff7f00', 'hex')], false));
  assert.ok(open.every(({ idle }) => !idle));
  assert.ok(process.memoryUsage().arrayBuffers - before < 2 ** 20);
});

test('a long message byte by byte takes time in proportion', () => {
  const codec = codecFor('esnp-frame');
  const bytes = Buffer.concat([Buffer.from('15100000', 'hex'), Buffer.alloc(0x100000), Buffer.from(END, 'hex')]);
  const before = performance.now();
  const { messages, rejection } = stream(codec, Array.from(bytes, (_, at) => bytes.subarray(at, at + 1)));
  assert.equal(rejection, null);
  assert.equal(messages.length, 1);
  assert.ok(performance.now() - before < 30000);
});

test('many small units byte by byte', () => {
  const codec = codecFor('esnp-line');
  const bytes = Buffer.concat([...Array.from({ length: 20000 }, () => Buffer.from('1600000100', 'hex')), Buffer.from(END, 'hex')]);
  const { messages } = stream(codec, Array.from(bytes, (_, at) => bytes.subarray(at, at + 1)));
  assert.equal(messages[0].lines.length, 20000);
});

test('a value 100,000 deep is refused', () => {
  const value = `${'{"t":"list","v":['.repeat(100000)}{"t":"null"}${']}'.repeat(100000)}`;
  const line = `{"id":1,"op":"encode","protocol":"esnp-line","value":{"lines":[{"type":20,"key":"k","value":${value}}]}}`;
  assert.equal(JSON.parse(answerLine(line)).reject.error, 'limit-exceeded');
});

test('a decimal of a million digits is out of range', () => {
  const line = `{"id":1,"op":"encode","protocol":"esnp-line","value":{"lines":[{"type":17,"id":"${'9'.repeat(1000000)}"}]}}`;
  assert.equal(JSON.parse(answerLine(line)).reject.error, 'out-of-range');
});

test('the largest frame is read and written', () => {
  const codec = codecFor('esnp-frame');
  const bytes = Buffer.concat([Buffer.from('15ffffff', 'hex'), Buffer.alloc(0xffffff, 1), Buffer.from(END, 'hex')]);
  const { messages } = stream(codec, [bytes]);
  assert.equal(messages[0].frames[0].body.length, 2 * 0xffffff);
  assert.ok(codec.encode(messages[0]).equals(bytes));
});
