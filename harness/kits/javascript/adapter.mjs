/** A wireproof adapter: a JSON request a line on standard input, a JSON answer a line on standard output.
 *  This file is the contract. HOOK marks the two calls into the codec: put your own in the place of comet. */
import * as comet from './comet.mjs';

const CLAIMS = { operations: ['decode', 'encode', 'stream'], directions: ['c2s', 's2c'] };
const HELLO = { contract: 1, name: 'Node kit', language: 'JavaScript', protocols: { comet: CLAIMS } };
const STANDARD = { order: 'big', utf8: 'strict', bytes: 'short', extra: 'byte', short: 'unsigned',
  byte: 'unsigned', ts: 'signed', crypto: 'none', environ_reply: 'ok' };

function answer(line) {
  let id = null;
  try {
    const request = JSON.parse(line);
    if (!Number.isInteger(request.id)) throw new TypeError('the id is no integer');
    id = request.id;
    return { id, ...outcome(request) };
  } catch (thrown) {
    if (thrown instanceof comet.Rejected) return { id, reject: { error: thrown.message } };
    return { id, error: { message: String(thrown) } }; // a missing key, a wrong type: the next may be better
  }
}

function outcome({ op, protocol, direction, profile = {}, value, hex, chunks, eof = true }) {
  if (op === 'hello') return { ok: HELLO };
  const isKnown = CLAIMS.operations.includes(op) && protocol === 'comet';
  if (!isKnown) return { unsupported: { reason: 'only comet is decoded, encoded and streamed' } };
  const isStandard = Object.keys(profile).every((name) => profile[name] === STANDARD[name]);
  if (!isStandard) return { unsupported: { reason: 'only the profile standard is known' } };
  if (op === 'encode') return { ok: { hex: comet.encode(direction, value).toString('hex') } }; // HOOK
  if (op === 'decode') return decoded(direction, [comet.unhex(hex)], true, {});
  return decoded(direction, chunks.map(comet.unhex), eof, { after: [] });
}

function decoded(direction, chunks, eof, more) { // more: what only the answer to a stream has
  const data = Buffer.concat(chunks), messages = [];
  let arrived = 0, consumed = 0;
  try {
    for (const [index, chunk] of chunks.entries()) {
      arrived += chunk.length;
      for (let found; (found = comet.decode(direction, data.subarray(consumed, arrived)));) { // HOOK
        messages.push(found.message);
        more.after?.push(index);
        consumed += found.size;
      }
    }
    comet.check(consumed === arrived || !eof, 'truncated', arrived - consumed);
  } catch (thrown) {
    if (!(thrown instanceof comet.Rejected)) throw thrown;
    return { reject: { error: thrown.message, offset: consumed + thrown.offset, messages, ...more } };
  }
  return { [consumed === arrived ? 'ok' : 'incomplete']: { messages, consumed, ...more } };
}

let line = '';
for await (const input of process.stdin.setEncoding('utf8')) {
  for (const [index, piece] of input.split('\n').entries()) {
    if (index > 0) process.stdout.write(`${JSON.stringify(answer(line))}\n`);
    line = index > 0 ? piece : line + piece;
  }
}
