/** Answers wireproof: a JSON request a line on standard input, a JSON answer a line on standard output.
 *  Your codec is hooked in with two functions: give it a `decode` and an `encode` like those of comet.mjs. */
import { isUtf8 } from 'node:buffer';
import { BadValue, decode, encode, expect, isObject, PROFILE, Rejected, require, unhex } from './comet.mjs';

const CLAIMS = { operations: ['decode', 'encode', 'stream'], directions: ['c2s', 's2c'] };
const HELLO = { contract: 1, name: 'Node kit', language: 'JavaScript', version: '1', protocols: { comet: CLAIMS } };

function answer(line) {
  let request = null;
  try { if (isUtf8(line)) request = JSON.parse(line); } catch { /* answered below */ }
  const id = request?.id;
  if (!Number.isSafeInteger(id)) return { id: null, error: { message: 'a JSON object with an integer id expected' } };
  try {
    return { id, ...outcome(request) };
  } catch (thrown) {
    if (thrown instanceof BadValue) return { id, error: { message: thrown.message } };
    if (thrown instanceof Rejected) return { id, reject: { error: thrown.message } };
    throw thrown;
  }
}

function outcome({ op, protocol, direction, profile = {}, value, hex, chunks, eof = true }) {
  expect(typeof op === 'string', 'op: a string');
  if (op === 'hello') return { ok: HELLO };
  if (!CLAIMS.operations.includes(op)) return { unsupported: { reason: `no operation ${op}` } };
  expect(typeof protocol === 'string', 'protocol: a string');
  if (protocol !== 'comet') return { unsupported: { reason: 'no protocol but comet' } };
  expect(CLAIMS.directions.includes(direction) && isObject(profile), 'a direction, and an object as profile');
  const isStandard = Object.keys(profile).every((name) => profile[name] === PROFILE[name]);
  if (!isStandard) return { unsupported: { reason: 'no profile but standard' } };
  if (op === 'encode') return { ok: { hex: encode(direction, value).toString('hex') } };
  if (op === 'decode') return decoded(direction, [unhex(hex)], true, {});
  expect(Array.isArray(chunks) && typeof eof === 'boolean', 'chunks: a list, eof: true or false');
  return decoded(direction, chunks.map(unhex), eof, { after: [] });
}

/** `more` holds `after` for a stream. */
function decoded(direction, chunks, eof, more) {
  const data = Buffer.concat(chunks), messages = [];
  let arrived = 0, consumed = 0;
  try {
    chunks.forEach((chunk, index) => {
      arrived += chunk.length;
      for (const [message, end] of decode(direction, data.subarray(0, arrived), consumed)) {
        messages.push(message);
        more.after?.push(index);
        consumed = end;
      }
    });
    require(consumed === arrived || !eof, 'truncated', arrived);
  } catch (thrown) {
    if (!(thrown instanceof Rejected)) throw thrown;
    return { reject: { error: thrown.message, offset: thrown.offset, messages, ...more } };
  }
  return { [consumed === arrived ? 'ok' : 'incomplete']: { messages, consumed, ...more } };
}

let unfinished = [];
for await (const chunk of process.stdin) {
  let start = 0;
  for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', start)) {
    const line = Buffer.concat([...unfinished, chunk.subarray(start, end)]);
    process.stdout.write(`${JSON.stringify(answer(line))}\n`);
    unfinished = [];
    start = end + 1;
  }
  unfinished.push(chunk.subarray(start));
}
