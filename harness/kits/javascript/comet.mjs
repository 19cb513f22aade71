/** The protocol comet, profile standard: tables, then one function that reads by them and one that writes. */
import { isUtf8 } from 'node:buffer';

const NUMBERS = { byte: [1, 0n], short: [2, 0n], long: [8, -(2n ** 63n)] }; // size and least value
const NOTIFICATION = { msg_type: 'byte', msg_id: 'string', content: 'string', ts: 'long' };
const MESSAGES = { c2s: [ // by type: name and fields; a list is a byte with the count, then so many items
  ['auth', { client_id: 'string', token: 'string' }], ['exchange_key', { secret_key: 'bytes' }],
  ['get_topic_list', {}], ['subscribe', { topics: ['topic'] }], ['unsubscribe', { topics: ['topic'] }],
  ['get_message_list', {}], ['heartbeat', {}], ['message_ack', { msg_ids: ['string'] }],
  ['report_environ', { network_type: 'byte', isp: 'byte', phone_type: 'string', extra: ['string'] }],
], s2c: [
  ['ok', {}], ['error', { error_code: 'byte', reason: 'string' }], ['auth_success', { encrypt_key: 'bytes' }],
  ['topic_list', { topics: ['topic'] }], ['message_list', { notifications: [NOTIFICATION] }],
  ['message', { notification: NOTIFICATION }],
] };

/** An error class; for bytes that are no message also the offset of the fault. */
export class Rejected extends Error {
  constructor(error, offset) { super(error); this.offset = offset; }
}

export function check(right, error, offset) { if (!right) throw new Rejected(error, offset); }

export function unhex(text) {
  const bytes = Buffer.from(text, 'hex'); // stops at what is no hex
  if (2 * bytes.length !== text.length) throw new TypeError('hex expected');
  return bytes;
}

/** The message that data begins with, and its size; null if it is not all there yet. */
export function decode(direction, data) {
  if (data.length < 2) return null;
  const size = 2 + data.readUInt16BE();
  check(size > 2, 'length-mismatch', 0);
  if (data.length < size) return null;
  const body = { data: data.subarray(0, size), pos: 2 };
  const type = read('byte', body);
  check(type < MESSAGES[direction].length, 'unknown-type', 2);
  const [name, layout] = MESSAGES[direction][type];
  const fields = read(layout, body);
  check(body.pos === size, 'trailing-bytes', body.pos);
  return { message: { command: { dir: direction, type, name, ...fields } }, size };
}

/** The bytes of a message. */
export function encode(direction, { command }) {
  const type = write('byte', command.type);
  check(type[0] < MESSAGES[direction].length, 'unknown-type');
  const [, layout] = MESSAGES[direction][type[0]];
  const content = Buffer.concat([type, write(layout, command)]);
  return Buffer.concat([write('short', content.length, 'limit-exceeded'), content]);
}

function read(layout, body) {
  if (Array.isArray(layout)) return Array.from({ length: read('byte', body) }, () => read(layout[0], body));
  if (typeof layout === 'object') {
    return Object.fromEntries(Object.entries(layout).map(([name, field]) => [name, read(field, body)]));
  }
  const [size] = NUMBERS[layout] ?? [read('short', body)]; // bytes and text come behind their size
  const start = body.pos, run = body.data.subarray(start, start + size);
  check(run.length === size, 'overrun', start);
  body.pos += size;
  if (layout === 'long') return String(run.readBigInt64BE());
  if (layout in NUMBERS) return run.readUIntBE(0, size);
  if (layout === 'bytes') return run.toString('hex');
  check(isUtf8(run), 'invalid-utf8', start);
  check(layout === 'string' || run[0] === 0x40, 'invalid-value', start);
  return run.toString();
}

function write(layout, value, error = 'out-of-range') {
  if (Array.isArray(layout)) {
    const count = write('byte', value.length, 'limit-exceeded');
    return Buffer.concat([count, ...value.map((item) => write(layout[0], item))]);
  }
  if (typeof layout === 'object') {
    return Buffer.concat(Object.entries(layout).map(([name, field]) => write(field, value[name])));
  }
  if (layout in NUMBERS) {
    const [size, least] = NUMBERS[layout], bytes = Buffer.alloc(8);
    check(BigInt(value) >= least && BigInt(value) < least + 256n ** BigInt(size), error);
    bytes.writeBigInt64BE(BigInt(value));
    return bytes.subarray(8 - size);
  }
  check(value.isWellFormed?.(), 'invalid-utf8'); // it is not: a lone surrogate, or {"hex": ...} for a text
  const run = layout === 'bytes' ? unhex(value) : Buffer.from(value);
  const length = write('short', run.length, 'limit-exceeded');
  check(layout !== 'topic' || value[0] === '@', 'invalid-value');
  return Buffer.concat([length, run]);
}
