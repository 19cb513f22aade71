/** Messages and their bytes, one of each kind at least: read, and written back where canonical. */

/**
 * @typedef {object} Example
 * @property {string} protocol
 * @property {'c2s' | 's2c'} [direction]
 * @property {Record<string, unknown>} [profile]
 * @property {string} hex
 * @property {object} value
 * @property {boolean} [decodeOnly] its bytes are not the canonical ones, or its type is never sent
 */

const END = '00000000';

/** Var tag and content, as the bytes of a HEADER frame "k" and of its line twin. */
const frameVar = (wire, value, more) => unit('esnp-frame', 'frames', 0x13, `026b${wire}`, { type: 19, name: 'HEADER', key: 'k', value }, more);
const lineVar = (wire, value, more) => unit('esnp-line', 'lines', 0x14, `026b${wire}`, { type: 20, name: 'HEADER', key: 'k', value }, more);

/** @returns {Example} */
function unit(protocol, list, code, body, value, more) {
  const head = code.toString(16).padStart(2, '0') + (body.length / 2).toString(16).padStart(6, '0');
  return { protocol, hex: head + body + END, value: { [list]: [value] }, ...more };
}

const frame = (hex, value, more) => ({ protocol: 'esnp-frame', hex: hex + END, value: { frames: [value] }, ...more });
const line = (hex, value, more) => ({ protocol: 'esnp-line', hex: hex + END, value: { lines: [value] }, ...more });
const relay = (hex, value, profile) => ({ protocol: 'tny-relay', profile, hex, value: { relay: value } });
const tny = (hex, packet, more) => ({ protocol: 'tny', hex, value: { packet }, ...more });
const mag = (hex, value, profile) => ({ protocol: 'magline', profile, hex, value: { frame: value } });
const comet = (direction, hex, type, name, fields, more) => ({
  protocol: 'comet', direction, hex, value: { command: { dir: direction, type, name, ...fields } }, ...more,
});

const flags = { waste: false, encrypt: false, verify: false };
const plainMessage = { message_id: '1', mode: 0, line: 0, protocol_id: 1, result_code: 0, to_message: '0', time: '0' };
const opaque = { profile: { bodies: 'opaque' } };
const narrow = { profile: { int_bits: 32 } };
const note = { msg_type: 1, msg_id: 'm1', content: '你好', ts: '1600000000000' };
const relayed = { pack_id: 7, mark: 1, sub_id: 5, time: '1600000000000', args: '08' };
const head = (cmd, name, more = {}) => ({ magic: 193, version: 1, cmd, name, head_optional: 0, seq: 1, head: '', ...more });
const keys = { random: '11'.repeat(32), public_key: '22'.repeat(32) };
const signed = { business_cmd: 7, hmac: 'aa'.repeat(16) };

/** @type {Example[]} */
export const EXAMPLES = [
  { protocol: 'esnp-frame', hex: END, value: { frames: [] } },
  { protocol: 'esnp-line', hex: END, value: { lines: [] } },

  frame('100000040273020e', { type: 16, name: 'SESSION_INFO', key: 's', value: { t: 'int', v: '7' } }),
  frame('100000040273020e', { type: 16, name: 'SESSION_INFO', key: 's', value: { t: 'int', v: 7 } }, narrow),
  frame('11000008000000000000002a', { type: 17, name: 'MESSAGE_ID', id: '42' }),
  frame('18000008ffffffffffffffff', { type: 24, name: 'SOURCE_MESSAGE_ID', id: '18446744073709551615' }),
  frame('1200000101', { type: 18, name: 'MESSAGE_KIND', kind: 1 }),
  frame('14000003026b00', { type: 20, name: 'DATA', key: 'k', value: { t: 'null' } }),
  frame('15000002cafe', { type: 21, name: 'PAYLOAD', body: 'cafe' }),
  frame('160000063c086563686f', { type: 22, name: 'ADDRESS', address_type: '30', value: 'echo' }),
  frame('160000063c086563686f', { type: 22, name: 'ADDRESS', address_type: 30, value: 'echo' }, narrow),
  frame('170000023c00', { type: 23, name: 'SOURCE_ADDRESS', address_type: '30', value: '' }),
  frame('19000000', { type: 25, name: 'TRACE' }),
  frame('1a000000', { type: 26, name: 'TRACE_RESP' }),
  frame('1b0000020200', { type: 27, name: 'SEQ_NO', current: '1', max: '0' }),
  frame('1b0000020105', { type: 27, name: 'SEQ_NO', current: '-1', max: '-3' }),
  frame('1c0000020eab', { type: 28, name: 'XDATA', id: '7', body: 'ab' }),
  frame('1d00000101', { type: 29, body: '01' }),
  frame('1d01000001', { type: 29, body: '01' }, { profile: { size_order: 'little' } }),
  frame('1b0000020200', { type: 27, name: 'SEQ_NO', body: '0200' }, opaque),
  frame('19000001ff', { type: 25, name: 'TRACE', body: 'ff' }, opaque),
  frame('1d00000101', undefined, { value: { frames: [] }, profile: { unknown_frames: 'skip' }, decodeOnly: true }),

  frameVar('00', { t: 'null' }),
  frameVar('0100', { t: 'bool', v: false }),
  frameVar('0101', { t: 'bool', v: true }),
  frameVar('01ff', { t: 'bool', v: true }, { decodeOnly: true }),
  frameVar('0301', { t: 'int8', v: -1 }),
  frameVar('038e00', { t: 'int8', v: 7 }, { decodeOnly: true }),
  frameVar('04ffff03', { t: 'int16', v: -32768 }),
  frameVar('05ffffffff0f', { t: 'int32', v: -2147483648 }),
  frameVar('06ffffffffffffffffff01', { t: 'int64', v: '-9223372036854775808' }),
  frameVar('0601', { t: 'int64', v: '-1' }),
  frameVar('07ffffffffffffffffff01', { t: 'uint', v: '18446744073709551615' }),
  frameVar('08c8', { t: 'uint8', v: 200 }),
  frameVar('09ffff03', { t: 'uint16', v: 65535 }),
  frameVar('0affffffff0f', { t: 'uint32', v: 4294967295 }),
  frameVar('0b8001', { t: 'uint64', v: '128' }),
  frameVar('0d7fc00001', { t: 'float32', bits: '7fc00001' }),
  frameVar('0e8000000000000000', { t: 'float64', bits: '8000000000000000' }),
  frameVar('1104cafe', { t: 'bytes', v: 'cafe' }),
  frameVar('18046869', { t: 'string', v: 'hi' }),
  frameVar('1808efbbbf00', { t: 'string', v: '\ufeff\u0000' }),
  frameVar('150202611700', { t: 'map', v: [['a', { t: 'list', v: [] }]] }),
  frameVar('1704000101', { t: 'list', v: [{ t: 'null' }, { t: 'bool', v: true }] }),
  frameVar('17020101', { t: 'list', v: [{ t: 'bool', v: true }] }),
  frameVar('1702000101', { t: 'list', v: [{ t: 'null' }, { t: 'bool', v: true }] }, { profile: { counts: 'uvarint' } }),
  frameVar('150602610002620002610101', { t: 'map', v: [['a', { t: 'null' }], ['b', { t: 'null' }], ['a', { t: 'bool', v: true }]] }),
  frameVar('150602610002620002610101', { t: 'map', v: [['a', { t: 'null' }], ['b', { t: 'null' }]] }, { profile: { dup_keys: 'first' }, decodeOnly: true }),
  frameVar('150602610002620002610101', { t: 'map', v: [['b', { t: 'null' }], ['a', { t: 'bool', v: true }]] }, { profile: { dup_keys: 'last' }, decodeOnly: true }),
  frameVar('1802ff', { t: 'string', v: { hex: 'ff' } }, { profile: { utf8: 'bytes' } }),
  frameVar('150202ff00', { t: 'map', v: [[{ hex: 'ff' }, { t: 'null' }]] }, { profile: { utf8: 'bytes' } }),

  line('14000004026b0380', { type: 20, name: 'HEADER', key: 'k', value: { t: 'int8', v: -128 } }),
  line('100000040273020e', { type: 16, name: 'SESSION_INFO', key: 's', value: { t: 'int', v: 7 } }),
  line('15000004026b0701', { type: 21, name: 'DATA', key: 'k', value: { t: 'uint', v: 1 } }),
  line('11000008000000000000002a', { type: 17, name: 'MESSAGE_ID', id: '42' }),
  line('120000080000000000000029', { type: 18, name: 'SOURCE_MESSAGE_ID', id: '41' }),
  line('1300000101', { type: 19, name: 'MESSAGE_KIND', kind: 1 }, { decodeOnly: true }),
  line('16000002cafe', { type: 22, name: 'PAYLOAD', body: 'cafe' }),
  line('170000063c086563686f', { type: 23, name: 'ADDRESS', address_type: 30, value: 'echo' }),
  line('180000063c086563686f', { type: 24, name: 'SOURCE_ADDRESS', address_type: 30, value: 'echo' }),
  line('19000000', { type: 25, name: 'TRACE' }, { decodeOnly: true }),
  line('1a000000', { type: 26, name: 'TRACE_RESP' }, { decodeOnly: true }),
  line('1b0000020606', { type: 27, name: 'SEQ_NO', current: 3, max: 3 }),
  line('1c0000020eab', { type: 28, name: 'XDATA', id: 7, body: 'ab' }),
  line('1d000003e59d8f', { type: 29, name: 'ERROR', text: '坏' }),
  line('1d000000', { type: 29, name: 'ERROR', text: '' }),
  line('1d00000406e59d8f', { type: 29, name: 'ERROR', text: '坏' }, { profile: { error_text: 'lenstring' } }),
  line('1e00000108', { type: 30, name: 'FLAG', flag: 4 }),
  line('1e000004fffffffe', { type: 30, name: 'FLAG', flag: -2 }, { profile: { flag_int: 'fix32' } }),
  line('1f00000401000000', { type: 31, name: 'VERSION', version: [1, 0, 0, 0] }),
  line('8000000101', { type: 128, body: '01' }),
  line('2000000101', { type: 32, body: '01' }),
  line('0900000101', { type: 9, body: '01' }, { decodeOnly: true }),
  line('0900000101', undefined, { value: { lines: [] }, profile: { reserved_lines: 'skip' }, decodeOnly: true }),
  line('2000000101', undefined, { value: { lines: [] }, profile: { unknown_lines: 'skip' }, decodeOnly: true }),
  line('1300000101', undefined, { value: { lines: [] }, profile: { cancelled: 'skip' }, decodeOnly: true }),
  lineVar('0307', { t: 'int8', v: 7 }),
  lineVar('170200', { t: 'list', v: [{ t: 'null' }] }),
  {
    protocol: 'esnp-line',
    hex: '8000000011000008000000000000000100000000',
    value: { lines: [{ type: 128, body: '' }, { type: 17, name: 'MESSAGE_ID', id: '1' }] },
  },

  tny('746e792e0100000000', { type: 1, ...flags, payload_raw: '' }),
  tny('746e792e0200000000', { type: 2, ...flags, payload_raw: '' }),
  tny('746e792e1d01000000ff', { type: 1, waste: true, encrypt: true, verify: true, payload_raw: 'ff' }),
  tny('746e792e01', { type: 1, ...flags, payload_raw: '' }, { profile: { ping: 'bare' } }),
  tny('746e792e0013000000e20f010104e78e0600008080babbc82e026869', {
    type: 0, ...flags,
    payload: { access_id: '2018', number: 1, message: { ...plainMessage, protocol_id: 100199, time: '1600000000000', body: '6869' } },
  }),
  tny('746e792e00100000000001054d0affffffff0f030702beef00', {
    type: 0, ...flags,
    payload: {
      access_id: '0', number: 1,
      message: { message_id: '5', mode: 1, line: 1, protocol_id: 10, result_code: -1, to_message: '3', time: '7', forward_header: 'beef', body: '' },
    },
  }),
  tny('746e792e040d000000e20f01010001000000631522c2', {
    type: 0, ...flags, verify: true, payload: { access_id: '2018', number: 1, message: plainMessage, check: '631522c2' },
  }),
  tny('746e792e040000000de20f01010001000000c2221563', {
    type: 0, ...flags, verify: true, payload: { access_id: '2018', number: 1, message: plainMessage, check: 'c2221563' },
  }, { profile: { order: 'big' } }),
  tny('746e792e0009000000c41f02020002000000', {
    type: 0, ...flags, payload: { access_id: '2018', number: 1, message: plainMessage },
  }, { profile: { varint: 'zigzag' } }),
  tny('746e792e001100000000010100ffffffffffffffffff01000000', {
    type: 0, ...flags, payload: { access_id: '0', number: 1, message: { ...plainMessage, protocol_id: -1 } },
  }, { profile: { varint: 'protobuf' } }),
  tny('746e792e0009000000e20f01010001000000', {
    type: 0, ...flags, payload: { access_id: 2018, number: '1', message: plainMessage },
  }, { profile: { access_id: 'var32', number: 'var64' } }),

  relay('72706b0e000000070000001500806e877401000008', relayed),
  relay('72706b15000000070000001500806e877401000008', relayed, { relay_length: 'total' }),
  relay('72706b01000000070000001500806e877401000008', relayed, { relay_length: 'args' }),
  relay('72706b0000000e000000071500000174876e800008', relayed, { order: 'big' }),
  relay('72706b0d000000ffffffff1fffffffffffffffff', { pack_id: 4294967295, mark: 1, sub_id: 15, time: '-1', args: '' }),

  mag('c1010001000000000000000100000040' + '11'.repeat(32) + '22'.repeat(32), { ...head(1, 'SYN'), ...keys }),
  mag('c1010002000000000000000100000070' + '33'.repeat(32) + '44'.repeat(32) + '55'.repeat(48), {
    ...head(2, 'ACK'), random: '33'.repeat(32), public_key: '44'.repeat(32), cipher: '55'.repeat(48),
  }),
  mag('c101000100000000000000010000000801020304' + '05060708', {
    ...head(1, 'SYN'), random: '01020304', public_key: '05060708',
  }, { random_len: 4, pubkey_len: 4 }),
  mag('c10100030000000000000001000000080000000700000002', { ...head(3, 'ERR'), business_cmd: 7, error: 2 }),
  mag('d10100030000000000000001000000080000000700000002', { ...head(3, 'ERR', { magic: 209 }), business_cmd: 7, error: 2 }),
  mag('c1010004000000020000000100000004beef00000005', { ...head(4, 'PIN', { head: 'beef' }), number: 5 }),
  mag('c1010004000000120000000100000004beef00000005', { ...head(4, 'PIN', { head: 'beef' }), number: 5 }, { head_length: 'total' }),
  mag('c1010004000000020000000100000006beef00000005', { ...head(4, 'PIN', { head: 'beef' }), number: 5 }, { message_length: 'header+body' }),
  mag('c1010004000000020000000100000016beef00000005', { ...head(4, 'PIN', { head: 'beef' }), number: 5 }, { message_length: 'frame' }),
  mag('c101000400000006000000010000000000000005beef', { ...head(4, 'PIN', { head: 'beef' }), number: 5 }, { fields_in: 'header' }),
  mag('c1010400000002000100000004000000beef05000000', { ...head(4, 'PIN', { head: 'beef' }), number: 5 }, { order: 'little' }),
  mag('c1070004000000000000000100000004' + '00000005', { ...head(4, 'PIN', { version: 7 }), number: 5 }, { version_check: 'ignore' }),
  mag('01070004000000000000000100000004' + '00000005', { ...head(4, 'PIN', { magic: 1, version: 7 }), number: 5 }, { 'magic.control': 1, version: 7 }),
  mag('c1010005ffff0000ffffffff00000004ffffffff', { ...head(5, 'PON', { head_optional: 65535, seq: 4294967295 }), number: 4294967295 }),
  mag('c101000900000000000000010000000400000000', { ...head(9, 'FIN'), reason: 0 }),
  mag('d101000600000000000000010000001600000007' + 'aa'.repeat(16) + '6869', { ...head(6, 'REQ', { magic: 209 }), ...signed, data: '6869' }),
  mag('d101000700000000000000010000001400000007' + 'aa'.repeat(16), { ...head(7, 'REP', { magic: 209 }), ...signed, data: '' }),
  mag('d101000800000000000000010000001600000007' + 'aa'.repeat(16) + '6869', { ...head(8, 'PSH', { magic: 209 }), ...signed, data: '6869' }),
  mag('d101000600000015000000010000000200000007' + 'aa'.repeat(16) + 'bb6869', { ...head(6, 'REQ', { magic: 209, head: 'bb' }), ...signed, data: '6869' }, { fields_in: 'header' }),

  comet('c2s', '0009000002633100027431', 0, 'auth', { client_id: 'c1', token: 't1' }),
  comet('c2s', '0005010002cafe', 1, 'exchange_key', { secret_key: 'cafe' }),
  comet('c2s', '000301cafe', 1, 'exchange_key', { secret_key: 'cafe' }, { profile: { bytes: 'rest' } }),
  comet('c2s', '00070100000002cafe', 1, 'exchange_key', { secret_key: 'cafe' }, { profile: { bytes: 'int' } }),
  comet('c2s', '000102', 2, 'get_topic_list', {}),
  comet('c2s', '000c030200024061000440622f63', 3, 'subscribe', { topics: ['@a', '@b/c'] }),
  comet('c2s', '00020400', 4, 'unsubscribe', { topics: [] }),
  comet('c2s', '000105', 5, 'get_message_list', {}),
  comet('c2s', '000106', 6, 'heartbeat', {}),
  comet('c2s', '010006', 6, 'heartbeat', {}, { profile: { order: 'little' } }),
  comet('c2s', '0006070100026d31', 7, 'message_ack', { msg_ids: ['m1'] }),
  comet('c2s', '000f08000100066950686f6e6501000165', 8, 'report_environ', { network_type: 0, isp: 1, phone_type: 'iPhone', extra: ['e'] }),
  comet('c2s', '000e08000100066950686f6e65000165', 8, 'report_environ', { network_type: 0, isp: 1, phone_type: 'iPhone', extra: ['e'] }, { profile: { extra: 'rest' } }),
  comet('c2s', '001008000100066950686f6e650001000165', 8, 'report_environ', { network_type: 0, isp: 1, phone_type: 'iPhone', extra: ['e'] }, { profile: { extra: 'short' } }),
  comet('c2s', '000608ff80000000', 8, 'report_environ', { network_type: -1, isp: -128, phone_type: '', extra: [] }, { profile: { byte: 'signed' } }),
  comet('c2s', '00060301000240ff', 3, 'subscribe', { topics: [{ hex: '40ff' }] }, { profile: { utf8: 'bytes' } }),
  comet('s2c', '000100', 0, 'ok', {}),
  comet('s2c', '000701040003626164', 1, 'error', { error_code: 4, reason: 'bad' }),
  comet('s2c', '0005020002cafe', 2, 'auth_success', { encrypt_key: 'cafe' }),
  comet('s2c', '0006030100024061', 3, 'topic_list', { topics: ['@a'] }),
  comet('s2c', '001704010100026d310006e4bda0e5a5bd00000174876e8000', 4, 'message_list', { notifications: [note] }),
  comet('s2c', '0016050100026d310006e4bda0e5a5bd00000174876e8000', 5, 'message', { notification: note }),
  comet('s2c', '000e050000000000ffffffffffffffff', 5, 'message', { notification: { msg_type: 0, msg_id: '', content: '', ts: '-1' } }),
  comet('s2c', '000e050000000000ffffffffffffffff', 5, 'message', { notification: { msg_type: 0, msg_id: '', content: '', ts: '18446744073709551615' } }, { profile: { ts: 'unsigned' } }),
];
