/** Well-shaped values without an encoding, and values of the wrong shape. */

/**
 * @typedef {object} Refused
 * @property {string} protocol
 * @property {'c2s' | 's2c'} [direction]
 * @property {Record<string, unknown>} [profile]
 * @property {any} value
 * @property {string} [error] class; absent where the shape is wrong
 */

const frames = (error, list, profile) => ({ protocol: 'esnp-frame', profile, value: { frames: list }, error });
const lines = (error, list, profile) => ({ protocol: 'esnp-line', profile, value: { lines: list }, error });
const frameVar = (error, value, profile) => frames(error, [{ type: 19, key: 'k', value }], profile);
const lineVar = (error, value, profile) => lines(error, [{ type: 20, key: 'k', value }], profile);
const relay = (error, change, profile) => ({
  protocol: 'tny-relay', profile, error, value: { relay: { pack_id: 7, mark: 1, sub_id: 5, time: '1', args: '08', ...change } },
});
const comet = (error, direction, command, profile) => ({ protocol: 'comet', direction, profile, error, value: { command: { dir: direction, ...command } } });

const MESSAGE = { message_id: '1', mode: 0, line: 0, protocol_id: 1, result_code: 0, to_message: '0', time: '0' };
const PAYLOAD = { access_id: '1', number: 1, message: MESSAGE };
const FLAGS = { waste: false, encrypt: false, verify: false };
const packet = (error, change, profile) => ({ protocol: 'tny', profile, error, value: { packet: { type: 0, ...FLAGS, payload: PAYLOAD, ...change } } });
const payload = (error, change, profile) => packet(error, { payload: { ...PAYLOAD, ...change } }, profile);
const message = (error, change, profile) => payload(error, { message: { ...MESSAGE, ...change } }, profile);
const ping = (error, change, profile) => ({ protocol: 'tny', profile, error, value: { packet: { type: 1, ...FLAGS, payload_raw: '', ...change } } });

const FRAME = { magic: 0xc1, version: 1, cmd: 4, head_optional: 0, seq: 1, head: '' };
const mag = (error, change, profile) => ({ protocol: 'magline', profile, error, value: { frame: { ...FRAME, ...change } } });
const pin = (error, change, profile) => mag(error, { number: 5, ...change }, profile);
const syn = (error, change) => mag(error, { cmd: 1, random: '11'.repeat(32), public_key: '22'.repeat(32), ...change });
const req = (error, change) => mag(error, { magic: 0xd1, cmd: 6, business_cmd: 7, hmac: 'aa'.repeat(16), data: '', ...change });

const nested = (depth) => (depth === 0 ? { t: 'null' } : { t: 'list', v: [nested(depth - 1)] });
const LONE = '\ud800';
const BYTES = { utf8: 'bytes' };

/** @type {Refused[]} */
export const REFUSALS = [
  frames('unknown-type', [{ type: 0 }]),
  frames('unknown-type', [{ type: 0, body: '' }]),
  frames('forbidden-type', [{ type: 9 }]),
  frames('forbidden-type', [{ type: 9, body: '' }]),
  frames('out-of-range', [{ type: 256, body: '' }]),
  frames('out-of-range', [{ type: -1, body: '' }]),
  frames('out-of-range', [{ type: 18, kind: 256 }]),
  frames('out-of-range', [{ type: 18, kind: 1e30 }]),
  frames('out-of-range', [{ type: 18, kind: Infinity }]),
  frames('out-of-range', [{ type: 17, id: '-1' }]),
  frames('out-of-range', [{ type: 17, id: '18446744073709551616' }]),
  frames('out-of-range', [{ type: 17, id: '9'.repeat(100000) }]),
  frames('out-of-range', [{ type: 27, current: '9223372036854775808', max: '0' }]),
  frames('out-of-range', [{ type: 27, current: 2147483648, max: 0 }], { int_bits: 32 }),
  frames('limit-exceeded', [{ type: 21, body: 'cafe' }], { max_frame: 1 }),
  frames('limit-exceeded', [{ type: 21, body: '00'.repeat(16777216) }]),
  frames('limit-exceeded', [{ type: 21, body: 'cafe' }], { max_message: 9 }),
  frames('limit-exceeded', [{ type: 21, body: 'cafe' }, { type: 9 }], { max_frame: 1 }),
  frames('forbidden-type', [{ type: 9 }, { type: 21, body: 'cafe' }], { max_frame: 1 }),
  frameVar('unknown-type', { t: 'int128', v: 1 }),
  frameVar('out-of-range', { t: 'int8', v: 128 }),
  frameVar('out-of-range', { t: 'uint8', v: -1 }),
  frameVar('out-of-range', { t: 'int64', v: '-9223372036854775809' }),
  frameVar('out-of-range', { t: 'uint', v: '-1' }),
  frameVar('invalid-utf8', { t: 'string', v: LONE }),
  frameVar('invalid-utf8', { t: 'string', v: LONE }, BYTES),
  frameVar('invalid-utf8', { t: 'string', v: { hex: 'ff' } }),
  frameVar('invalid-utf8', { t: 'string', v: { hex: '61' } }),
  frameVar('invalid-utf8', { t: 'map', v: [[LONE, { t: 'int128' }]] }),
  frameVar('unknown-type', { t: 'map', v: [['a', { t: 'int128' }], [LONE, { t: 'null' }]] }),
  frameVar('limit-exceeded', nested(65)),
  frameVar('limit-exceeded', nested(2), { max_depth: 1 }),
  frameVar('limit-exceeded', nested(3000)),
  frameVar('out-of-range', { t: 'list', v: [{ t: 'uint16', v: 65536 }, nested(64)] }),
  lines('unknown-type', [{ type: 0 }]),
  lines('forbidden-type', [{ type: 1, body: '' }]),
  lines('forbidden-type', [{ type: 15, body: '' }], { reserved_lines: 'preserve' }),
  lines('forbidden-type', [{ type: 19, kind: 1 }]),
  lines('forbidden-type', [{ type: 25 }]),
  lines('forbidden-type', [{ type: 26 }], { cancelled: 'skip' }),
  lines('bad-order', [{ type: 22, body: '' }, { type: 17, id: '1' }]),
  lines('bad-order', [{ type: 22, body: '' }, { type: 17, id: '-1' }]),
  lines('bad-order', [{ type: 128, body: '' }, { type: 17, id: '1' }], { app_category: { 128: 'body' } }),
  lines('bad-order', [{ type: 22, body: '' }, { type: 128, body: '' }], { app_category: { 128: 'header' } }),
  lines('invalid-value', [{ type: 27, current: 0, max: 0 }]),
  lines('invalid-value', [{ type: 27, current: 0, max: 2147483648 }]),
  lines('invalid-value', [{ type: 27, current: 1, max: -1 }]),
  lines('invalid-value', [{ type: 27, current: 5, max: 3 }]),
  lines('out-of-range', [{ type: 27, current: 1, max: 2147483648 }]),
  lines('out-of-range', [{ type: 30, flag: 2147483648 }]),
  lines('out-of-range', [{ type: 30, flag: -2147483649 }], { flag_int: 'fix32' }),
  lines('length-mismatch', [{ type: 31, version: [1, 0, 0] }]),
  lines('length-mismatch', [{ type: 31, version: [256, 0, 0, 0, 0] }]),
  lines('out-of-range', [{ type: 31, version: [1, 0, 0, 256] }]),
  lines('invalid-utf8', [{ type: 29, text: LONE }]),
  lines('invalid-utf8', [{ type: 23, address_type: 1, value: { hex: '' } }]),
  lineVar('out-of-range', { t: 'int8', v: -129 }),
  lineVar('out-of-range', { t: 'int', v: 2147483648 }),

  packet('unknown-type', { type: 3 }),
  packet('out-of-range', { type: 4 }),
  packet('unsupported', { waste: true }),
  packet('unsupported', { encrypt: true, payload: { ...PAYLOAD, number: 2 ** 31 } }),
  payload('out-of-range', { access_id: '9223372036854775808' }),
  payload('out-of-range', { number: 2147483648 }),
  payload('out-of-range', { access_id: 2147483648 }, { access_id: 'var32' }),
  message('out-of-range', { message_id: '-9223372036854775809' }),
  message('out-of-range', { line: 8 }),
  message('out-of-range', { mode: 4 }),
  message('out-of-range', { mode: 3, line: -1 }),
  message('unknown-enum', { mode: 3 }),
  message('unknown-enum', { mode: 3, protocol_id: 2 ** 31 }),
  message('out-of-range', { protocol_id: 2 ** 31 }),
  message('out-of-range', { result_code: -(2 ** 31) - 1 }, { varint: 'protobuf' }),
  packet('limit-exceeded', {}, { max_payload: 7 }),
  ping('limit-exceeded', { payload_raw: 'ff' }, { max_payload: 0 }),
  ping('length-mismatch', { payload_raw: 'ff' }, { ping: 'bare' }),

  relay('out-of-range', { pack_id: 4294967296 }),
  relay('out-of-range', { pack_id: -1 }),
  relay('out-of-range', { mark: 2 }),
  relay('out-of-range', { sub_id: 16 }),
  relay('out-of-range', { time: '9223372036854775808' }),
  relay('limit-exceeded', {}, { max_packet: 13 }),
  relay('limit-exceeded', {}, { max_packet: 20, relay_length: 'total' }),
  relay('limit-exceeded', {}, { max_packet: 0, relay_length: 'args' }),

  pin('bad-magic', { magic: 0 }),
  pin('out-of-range', { magic: 256 }),
  pin('bad-magic', { magic: 0xd1 }),
  pin('bad-version', { version: 2 }),
  pin('out-of-range', { version: 256 }, { version_check: 'ignore' }),
  pin('bad-version', { version: 2, magic: 0xd1 }),
  mag('unknown-type', { cmd: 10 }),
  mag('unknown-type', { cmd: 0, number: 5 }),
  mag('out-of-range', { cmd: 65536 }),
  pin('out-of-range', { head_optional: 65536 }),
  pin('out-of-range', { seq: -1 }),
  pin('out-of-range', { number: 4294967296 }),
  pin('limit-exceeded', { head: '00'.repeat(65536) }),
  pin('limit-exceeded', { head: '00'.repeat(65520) }, { head_length: 'total' }),
  pin('limit-exceeded', { head: '00'.repeat(65532) }, { fields_in: 'header' }),
  pin('limit-exceeded', {}, { max_message: 3 }),
  pin('limit-exceeded', {}, { max_message: 19, message_length: 'frame' }),
  syn('length-mismatch', { random: '11' }),
  syn('length-mismatch', { public_key: '22'.repeat(33) }),
  req('length-mismatch', { hmac: 'aa'.repeat(15) }),
  req('bad-magic', { magic: 0xc1 }),
  req('limit-exceeded', { data: '00'.repeat(16777216) }),

  comet('unknown-type', 'c2s', { type: 9 }),
  comet('unknown-type', 's2c', { type: 6 }),
  comet('out-of-range', 's2c', { type: 256 }),
  comet('out-of-range', 's2c', { type: -1 }),
  comet('unknown-type', 's2c', { type: -1 }, { byte: 'signed' }),
  comet('invalid-value', 'c2s', { type: 3, topics: ['a'] }),
  comet('invalid-value', 'c2s', { type: 4, topics: [''] }),
  comet('invalid-value', 's2c', { type: 3, topics: ['@a', '＠a'] }),
  comet('invalid-value', 'c2s', { type: 3, topics: [{ hex: 'ff' }] }, BYTES),
  comet('invalid-utf8', 'c2s', { type: 3, topics: [LONE] }),
  comet('invalid-utf8', 'c2s', { type: 0, client_id: { hex: 'ff' }, token: '' }),
  comet('limit-exceeded', 'c2s', { type: 3, topics: Array(256).fill('a') }),
  comet('limit-exceeded', 'c2s', { type: 3, topics: Array(128).fill('@') }, { byte: 'signed' }),
  comet('limit-exceeded', 'c2s', { type: 3, topics: ['a'.repeat(65536)] }),
  comet('limit-exceeded', 'c2s', { type: 0, client_id: 'a'.repeat(65531), token: '' }),
  comet('limit-exceeded', 'c2s', { type: 0, client_id: '坏'.repeat(21846), token: '' }),
  comet('limit-exceeded', 'c2s', { type: 0, client_id: 'a'.repeat(32768), token: '' }, { short: 'signed' }),
  comet('limit-exceeded', 'c2s', { type: 0, client_id: 'a'.repeat(32763), token: '' }, { short: 'signed' }),
  comet('limit-exceeded', 'c2s', { type: 1, secret_key: '00'.repeat(65536) }),
  comet('limit-exceeded', 'c2s', { type: 1, secret_key: '00'.repeat(65535) }, { bytes: 'rest' }),
  comet('limit-exceeded', 'c2s', { type: 8, network_type: 0, isp: 0, phone_type: '', extra: Array(256).fill('') }),
  comet('limit-exceeded', 'c2s', { type: 8, network_type: 0, isp: 0, phone_type: '', extra: Array(65536).fill('') }, { extra: 'short' }),
  comet('out-of-range', 'c2s', { type: 8, network_type: 256, isp: 0, phone_type: '', extra: [] }),
  comet('out-of-range', 'c2s', { type: 8, network_type: 128, isp: 0, phone_type: '', extra: [] }, { byte: 'signed' }),
  comet('out-of-range', 's2c', { type: 1, error_code: -1, reason: '' }),
  comet('out-of-range', 's2c', { type: 5, notification: { msg_type: 0, msg_id: '', content: '', ts: '-1' } }, { ts: 'unsigned' }),
  comet('out-of-range', 's2c', { type: 5, notification: { msg_type: 0, msg_id: '', content: '', ts: '9223372036854775808' } }),
];

const shapeless = (protocol, value, direction) => ({ protocol, value, direction });
const frameShape = (unit) => shapeless('esnp-frame', { frames: [unit] });
const varShape = (value) => frameShape({ type: 19, key: 'k', value });
const lineShape = (unit) => shapeless('esnp-line', { lines: [unit] });

/** @type {Refused[]} */
export const SHAPELESS = [
  ...[null, [], 'x', 1, {}, { lines: [] }, { frames: {} }, { frames: [null] }, { frames: [], more: 1 }].map((value) => shapeless('esnp-frame', value)),
  ...[{}, { type: '16' }, { type: 1.5 }, { type: true, kind: 1 }, { type: 18 }, { type: 18, kind: '1' }, { type: 18, kind: true }].map(frameShape),
  ...[{ type: 18, kind: 1, id: '1' }, { type: 17, id: 42 }, { type: 17, id: '042' }, { type: 17, id: '-0' }, { type: 17, id: '+1' }, { type: 17, id: '' }].map(frameShape),
  ...[{ type: 21, body: 'CAFE' }, { type: 21, body: 'abc' }, { type: 21, body: null }, { type: 29 }, { type: 22, address_type: 30, value: '' }].map(frameShape),
  frameShape(JSON.parse('{"type":29,"body":"","__proto__":1}')),
  ...[null, {}, { t: 1 }, { t: 'null', v: null }, { t: 'bool', v: 1 }, { t: 'int', v: 7 }, { t: 'int8', v: '7' }, { t: 'int8' }].map(varShape),
  ...[{ t: 'float32', bits: '7fc000' }, { t: 'float32', v: 1 }, { t: 'float64', bits: '7fc00001' }, { t: 'bytes', v: 'f' }].map(varShape),
  ...[{ t: 'string', v: 1 }, { t: 'string', v: { hex: 'F' } }, { t: 'string', v: { hex: 'ff', more: 1 } }, { t: 'list', v: {} }].map(varShape),
  ...[{ t: 'map', v: [['a']] }, { t: 'map', v: [['a', { t: 'null' }, 1]] }, { t: 'map', v: [[1, { t: 'null' }]] }, { t: 'map', v: { a: { t: 'null' } } }].map(varShape),
  ...[{ type: 31, version: '1.0.0.0' }, { type: 31, version: [1, 0, 0, '0'] }, { type: 23, address_type: '30', value: '' }, { type: 19, kind: '1' }].map(lineShape),
  packet(undefined, { type: '0' }), packet(undefined, { waste: 0 }), packet(undefined, { payload_raw: '' }), ping(undefined, { payload: PAYLOAD }),
  payload(undefined, { access_id: 1 }), payload(undefined, { number: '1' }), payload(undefined, { more: 1 }),
  payload(undefined, { number: 1 }, { number: 'var64' }), payload(undefined, { access_id: '1' }, { access_id: 'var32' }),
  message(undefined, { body: null }), message(undefined, { time: 0 }), message(undefined, { mode: true }),
  relay(undefined, { time: 1 }), relay(undefined, { mark: true }), relay(undefined, { more: 1 }),
  pin(undefined, { number: '5' }), pin(undefined, { data: '' }), pin(undefined, { cmd: 'constructor' }), mag(undefined, {}), pin(undefined, { head: 'x' }),
  comet(undefined, 'c2s', { dir: 's2c', type: 0 }), comet(undefined, 'c2s', { type: 6, more: 1 }), comet(undefined, 'c2s', { type: 3, topics: '@a' }),
  comet(undefined, 's2c', { type: 5, notification: { msg_type: 0, msg_id: '', content: '', ts: 1 } }), comet(undefined, 's2c', { type: true }),
];

/** Well-shaped and written, though it looks otherwise. `hex` is what comes of it. */
export const WRITTEN = [
  { ...frameVar(undefined, { t: 'float32', bits: '3f800000', v: 'about one' }), hex: '13000007026b0d3f80000000000000' },
  { ...frames(undefined, [{ type: 18, name: 'wrong', kind: 1 }]), hex: '120000010100000000' },
  { ...frames(undefined, [{ type: 18, kind: -0 }]), hex: '120000010000000000' },
  { ...frames(undefined, [{ type: 29, body: '' }], { unknown_frames: 'reject' }), hex: '1d00000000000000' },
  { ...frames(undefined, [{ type: 18, kind: 1 }, { type: 18, kind: 1 }], { duplicates: 'reject' }), hex: '1200000101120000010100000000' },
  { ...frameVar(undefined, { t: 'string', v: { hex: '61' } }, BYTES), hex: '13000005026b18026100000000' },
  { ...payload(undefined, { check: 5 }), hex: '746e792e00080000000101010001000000' },
  { ...lines(undefined, [{ type: 22, body: '' }, { type: 128, body: '' }]), hex: '160000008000000000000000' },
  { ...comet(undefined, 'c2s', { type: 0, client_id: 'a'.repeat(65530), token: '' }), hex: `ffff00fffa${'61'.repeat(65530)}0000` },
];
