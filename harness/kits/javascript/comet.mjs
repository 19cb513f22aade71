/** comet under the profile `standard`: replace `decode` and `encode` by calls into your own codec. */
import { isUtf8 } from 'node:buffer';

export const PROFILE = { order: 'big', utf8: 'strict', bytes: 'short', extra: 'byte', short: 'unsigned',
  byte: 'unsigned', ts: 'signed', crypto: 'none', environ_reply: 'ok' };

// Messages by type: name and fields. A list stands for a count of one byte, then so many of what is in it.
const NOTIFICATION = { msg_type: 'byte', msg_id: 'string', content: 'string', ts: 'long' };
const MESSAGES = { c2s: [
  ['auth', { client_id: 'string', token: 'string' }], ['exchange_key', { secret_key: 'bytes' }],
  ['get_topic_list', {}], ['subscribe', { topics: ['topic'] }], ['unsubscribe', { topics: ['topic'] }],
  ['get_message_list', {}], ['heartbeat', {}], ['message_ack', { msg_ids: ['string'] }],
  ['report_environ', { network_type: 'byte', isp: 'byte', phone_type: 'string', extra: ['string'] }],
], s2c: [
  ['ok', {}], ['error', { error_code: 'byte', reason: 'string' }], ['auth_success', { encrypt_key: 'bytes' }],
  ['topic_list', { topics: ['topic'] }], ['message_list', { notifications: [NOTIFICATION] }],
  ['message', { notification: NOTIFICATION }],
] };

/** JSON of the wrong shape. */
export class BadValue extends Error {}

/** Bytes that are no message, or a value that must not be written: its class, and for bytes the offset. */
export class Rejected extends Error {
  constructor(error, offset) { super(error); this.offset = offset; }
}

export const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
export function expect(right, what) { if (!right) throw new BadValue(`${what} expected`); }
export function require(kept, error, offset) { if (!kept) throw new Rejected(error, offset); }

export function unhex(text) {
  expect(typeof text === 'string' && text.length % 2 === 0 && !/[^0-9a-f]/.test(text), 'lower-case hex');
  return Buffer.from(text, 'hex');
}

/** Each message that is complete from `pos` on, and where it ends. */
export function* decode(direction, data, pos) {
  while (data.length >= pos + 2) {
    const end = pos + 2 + data.readUInt16BE(pos);
    require(end > pos + 2, 'length-mismatch', pos);
    if (end > data.length) return;
    const type = data[pos + 2], reader = { data, pos: pos + 3, end };
    require(type < MESSAGES[direction].length, 'unknown-type', pos + 2);
    const [name, layout] = MESSAGES[direction][type];
    const fields = read(reader, layout);
    require(reader.pos === end, 'trailing-bytes', reader.pos);
    yield [{ command: { dir: direction, type, name, ...fields } }, end];
    pos = end;
  }
}

function take(reader, size) {
  const start = reader.pos;
  require(start + size <= reader.end, 'overrun', start);
  reader.pos += size;
  return reader.data.subarray(start, reader.pos);
}

function read(reader, layout) {
  if (Array.isArray(layout)) return Array.from({ length: take(reader, 1)[0] }, () => read(reader, layout[0]));
  if (isObject(layout)) return Object.fromEntries(Object.entries(layout).map(([name, field]) => [name, read(reader, field)]));
  if (layout === 'byte') return take(reader, 1)[0];
  if (layout === 'long') return String(take(reader, 8).readBigInt64BE());
  const run = take(reader, take(reader, 2).readUInt16BE());
  if (layout === 'bytes') return run.toString('hex');
  require(isUtf8(run), 'invalid-utf8', reader.pos - run.length);
  require(layout === 'string' || run[0] === 0x40, 'invalid-value', reader.pos - run.length);
  return run.toString();
}

/** The bytes of a message. */
export function encode(direction, value) {
  expect(isObject(value) && Object.keys(value).length === 1 && isObject(value.command), 'one command');
  const { dir, type, name, ...fields } = value.command;
  expect(dir === direction, `dir: ${direction}`);
  const head = unsigned(type, 1, 'out-of-range', require);
  require(type < MESSAGES[direction].length, 'unknown-type');
  const [, layout] = MESSAGES[direction][type];
  write(layout, fields, () => {}); // a wrong shape, wherever it is, comes before any broken rule
  const content = Buffer.concat([head, write(layout, fields, require)]);
  return Buffer.concat([unsigned(content.length, 2, 'limit-exceeded', require), content]);
}

function write(layout, value, rule) {
  if (Array.isArray(layout)) {
    expect(Array.isArray(value), 'a list');
    const count = unsigned(value.length, 1, 'limit-exceeded', rule);
    return Buffer.concat([count, ...value.map((item) => write(layout[0], item, rule))]);
  }
  if (isObject(layout)) {
    const names = Object.keys(layout);
    expect(isObject(value) && Object.keys(value).sort().join() === [...names].sort().join(), `the keys ${names}`);
    return Buffer.concat(names.map((name) => write(layout[name], value[name], rule)));
  }
  if (layout === 'byte') return unsigned(value, 1, 'out-of-range', rule);
  if (layout === 'long') return signed(value, rule);
  if (layout !== 'bytes' && isObject(value)) {
    rule(false, 'invalid-utf8'); // {"hex": ...} has a right shape, but is no text in this profile
    return write({ hex: 'bytes' }, value, rule);
  }
  expect(typeof value === 'string', 'a string');
  rule(value.isWellFormed(), 'invalid-utf8');
  const run = layout === 'bytes' ? unhex(value) : Buffer.from(value);
  const length = unsigned(run.length, 2, 'limit-exceeded', rule);
  rule(layout !== 'topic' || value[0] === '@', 'invalid-value');
  return Buffer.concat([length, run]);
}

function unsigned(value, size, error, rule) {
  // JSON.parse makes infinity of hundreds of digits: still an integer, though one that fits no field
  expect(Number.isInteger(value) || Math.abs(value) === Infinity, 'an integer');
  rule(value >= 0 && value < 256 ** size, error);
  return Buffer.of(value >> 8, value).subarray(2 - size);
}

function signed(value, rule) {
  expect(typeof value === 'string' && /^(0|-?[1-9][0-9]*)$/.test(value), 'a decimal string');
  const number = BigInt(value.slice(0, 21)); // so many characters are more than 64 bits in any case
  rule(BigInt.asIntN(64, number) === number, 'out-of-range');
  return Buffer.from(BigInt.asUintN(64, number).toString(16).padStart(16, '0'), 'hex');
}
