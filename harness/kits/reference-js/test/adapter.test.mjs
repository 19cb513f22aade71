import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ADAPTER = fileURLToPath(new URL('../adapter.mjs', import.meta.url));

/** Feeds the adapter and closes its input. */
async function run(input) {
  const child = spawn(process.execPath, [ADAPTER], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  child.stdin.end(input);
  const pieces = [];
  for await (const piece of child.stdout) pieces.push(piece);
  const [code] = await exited;
  assert.equal(code, 0);
  return Buffer.concat(pieces).toString('utf8').split('\n').slice(0, -1).map((line) => JSON.parse(line));
}

const kind = (answer) => Object.keys(answer).filter((key) => key !== 'id').join();

test('hello names six protocols', async () => {
  const [{ id, ok }] = await run('{"id":0,"op":"hello","suite":"0.1.0","contract":1}\n');
  assert.equal(id, 0);
  assert.equal(ok.contract, 1);
  assert.deepEqual(Object.keys(ok.protocols).sort(), ['comet', 'esnp-frame', 'esnp-line', 'magline', 'tny', 'tny-relay']);
  assert.deepEqual(ok.protocols.comet.directions, ['c2s', 's2c']);
});

/** @type {[string, object][]} request fields, answer */
const ANSWERS = [
  ['"op":"decode","protocol":"comet","direction":"c2s","hex":"000106"', { ok: { messages: [{ command: { dir: 'c2s', type: 6, name: 'heartbeat' } }], consumed: 3 } }],
  ['"op":"decode","protocol":"tny","hex":""', { ok: { messages: [], consumed: 0 } }],
  ['"op":"stream","protocol":"tny","chunks":["74","","6e79"],"eof":false', { incomplete: { messages: [], consumed: 0, after: [] } }],
  ['"op":"stream","protocol":"comet","direction":"s2c","chunks":["0001","00","","000100"],"eof":false',
    { ok: { messages: [{ command: { dir: 's2c', type: 0, name: 'ok' } }, { command: { dir: 's2c', type: 0, name: 'ok' } }], consumed: 6, after: [1, 3] } }],
  ['"op":"stream","protocol":"comet","direction":"s2c","chunks":["00010000"],"eof":false',
    { incomplete: { messages: [{ command: { dir: 's2c', type: 0, name: 'ok' } }], consumed: 3, after: [0] } }],
  ['"op":"stream","protocol":"tny","chunks":[]', { ok: { messages: [], consumed: 0, after: [] } }],
  ['"op":"encode","protocol":"comet","direction":"c2s","profile":{"order":"little"},"value":{"command":{"dir":"c2s","type":6}}', { ok: { hex: '010006' } }],
];

const REJECTED = [
  ['"op":"decode","protocol":"tny","hex":"746e78"', { error: 'bad-magic', offset: 2, messages: [] }],
  ['"op":"stream","protocol":"tny","chunks":["746e","78"],"eof":false', { error: 'bad-magic', offset: 2, messages: [], after: [] }],
  ['"op":"encode","protocol":"esnp-line","value":{"lines":[{"type":29,"text":"\\ud800"}]}', { error: 'invalid-utf8' }],
  ['"op":"encode","protocol":"esnp-line","value":{"lines":[{"type":30,"flag":9007199254740993}]}', { error: 'out-of-range' }],
];

const UNSUPPORTED = [
  '"op":"dance"', '"op":"decode","protocol":"smtp","hex":""', '"op":"decode","protocol":"tny","profile":{"relay_length":"total"},"hex":""',
  '"op":"decode","protocol":"tny","profile":{"order":"middle"},"hex":""', '"op":"decode","protocol":"tny","profile":{"max_payload":-1},"hex":""',
  '"op":"decode","protocol":"tny","profile":{"check":"crc64"},"hex":""', '"op":"decode","protocol":"esnp-frame","profile":{"int_bits":"64"},"hex":""',
  '"op":"decode","protocol":"esnp-frame","profile":{"max_depth":257},"hex":""', '"op":"decode","protocol":"magline","profile":{"version":256},"hex":""',
  '"op":"decode","protocol":"esnp-line","profile":{"app_category":{"127":"body"}},"hex":""', '"op":"decode","protocol":"tny","profile":{"toString":1},"hex":""',
  '"op":"decode","protocol":"comet","direction":"c2s","profile":{"crypto":"x25519"},"hex":""',
];

const ERRORS = [
  '"op":1', '"protocol":"tny"', '"op":"decode","protocol":"tny"', '"op":"decode","protocol":"tny","hex":"0"', '"op":"decode","protocol":"tny","hex":"AB"',
  '"op":"decode","hex":""', '"op":"decode","protocol":"comet","hex":""', '"op":"decode","protocol":"comet","direction":"up","hex":""',
  '"op":"decode","protocol":"tny","profile":[],"hex":""', '"op":"decode","protocol":"tny","profile":null,"hex":""',
  '"op":"stream","protocol":"tny","chunks":"74"', '"op":"stream","protocol":"tny","chunks":[1]', '"op":"stream","protocol":"tny","chunks":[],"eof":1',
  '"op":"encode","protocol":"tny"', '"op":"encode","protocol":"tny","value":null',
  '"op":"encode","protocol":"comet","direction":"s2c","value":{"command":{"dir":"c2s","type":6}}',
];

test('answers, one line to one line', async () => {
  const bodies = [...ANSWERS.map(([body]) => body), ...REJECTED.map(([body]) => body), ...UNSUPPORTED, ...ERRORS];
  const answers = await run(bodies.map((body, id) => `{"id":${id},${body}}`).join('\n'));
  assert.deepEqual(answers.map(({ id }) => id), bodies.map((_, id) => id));
  ANSWERS.forEach(([, expected], index) => assert.deepEqual(answers[index], { id: index, ...expected }));
  REJECTED.forEach(([body, expected], index) => {
    const { detail, ...reject } = answers[ANSWERS.length + index].reject;
    assert.deepEqual(reject, expected, body);
    assert.equal(typeof detail, 'string');
  });
  const rest = answers.slice(ANSWERS.length + REJECTED.length);
  UNSUPPORTED.forEach((body, index) => assert.equal(kind(rest[index]), 'unsupported', body));
  ERRORS.forEach((body, index) => assert.equal(kind(rest[UNSUPPORTED.length + index]), 'error', body));
});

test('lines without an id are answered with a null one', async () => {
  const lines = ['', 'zz', '[]', 'null', '{}', '{"id":"1","op":"hello"}', '{"id":1.5,"op":"hello"}', Buffer.from('{"id":1,"x":"\xff"}', 'latin1')];
  const answers = await run(Buffer.concat(lines.flatMap((line) => [Buffer.from(line), Buffer.from('\n')])));
  assert.equal(answers.length, lines.length);
  for (const answer of answers) assert.deepEqual([answer.id, kind(answer)], [null, 'error']);
});

test('an answer is there before the next request is written', async () => {
  const child = spawn(process.execPath, [ADAPTER], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  for (let id = 0; id < 20; id++) {
    child.stdin.write(`{"id":${id},"op":"decode","protocol":"tny",`);
    child.stdin.write('"hex":"746e792e0100000000"}\n');
    assert.equal(JSON.parse((await lines.next()).value).id, id);
  }
  child.stdin.end();
  assert.deepEqual(await once(child, 'exit'), [0, null]);
});
