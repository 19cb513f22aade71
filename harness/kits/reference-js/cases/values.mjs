/** Random message values that their profile accepts and that read back as themselves. */

/** @typedef {import('./random.mjs').Random} Random */

const upTo = (random, limit, make) => Array.from({ length: random.below(limit) }, make);

/** @param {Random} random @param {Record<string, any>} profile */
function text(random, profile) {
  if (profile.utf8 === 'bytes' && random.below(4) === 0) return { hex: `ff${random.hex(4)}` };
  return random.text();
}

const INTEGER_TAGS = { int16: 16, int32: 32, int64: 64, uint16: 16, uint32: 32, uint64: 64, int8: 8, uint8: 8 };

function variable(random, profile, intBits, depth = 0) {
  const tag = random.pick(['null', 'bool', 'int', 'uint', 'float32', 'float64', 'bytes', 'string', 'map', 'list', ...Object.keys(INTEGER_TAGS)]);
  const deeper = () => variable(random, profile, intBits, depth + 1);
  if (tag === 'null' || ((tag === 'map' || tag === 'list') && depth === Math.min(4, profile.max_depth))) return { t: 'null' };
  if (tag === 'bool') return { t: tag, v: random.below(2) === 1 };
  if (tag.startsWith('float')) return { t: tag, bits: String(random.integer(64, false)).padStart(16, '0').slice(0, tag === 'float32' ? 8 : 16) };
  if (tag === 'bytes') return { t: tag, v: random.hex(70) };
  if (tag === 'string') return { t: tag, v: text(random, profile) };
  if (tag === 'list') return { t: tag, v: upTo(random, 4, deeper) };
  if (tag === 'map') return { t: tag, v: pairs(upTo(random, 4, () => [text(random, profile), deeper()]), profile) };
  return { t: tag, v: random.number(INTEGER_TAGS[tag] ?? intBits, !tag.startsWith('u')) };
}

/** Duplicate keys only where they are kept. */
function pairs(list, { dup_keys: rule }) {
  if (rule === 'keep') return list;
  return list.filter(([key], at) => list.findIndex(([other]) => JSON.stringify(other) === JSON.stringify(key)) === at);
}

/** Bodies both revisions have, keyed by name. */
function esnpBody(random, profile, intBits, name) {
  const int = () => random.number(intBits, true);
  switch (name) {
    case 'SESSION_INFO': case 'HEADER': case 'DATA':
      return { key: text(random, profile), value: variable(random, profile, intBits) };
    case 'MESSAGE_ID': case 'SOURCE_MESSAGE_ID': return { id: random.number(64, false) };
    case 'MESSAGE_KIND': return { kind: random.below(256) };
    case 'ADDRESS': case 'SOURCE_ADDRESS': return { address_type: int(), value: text(random, profile) };
    case 'TRACE': case 'TRACE_RESP': return {};
    case 'XDATA': return { id: int(), body: random.hex(9) };
    case 'ERROR': return { text: text(random, profile) };
    case 'FLAG': return { flag: random.number(32, true) };
    case 'VERSION': return { version: Array.from({ length: 4 }, () => random.below(256)) };
    default: return { body: random.hex(9) };
  }
}

const FRAMES = ['SESSION_INFO', 'MESSAGE_ID', 'MESSAGE_KIND', 'HEADER', 'DATA', 'PAYLOAD', 'ADDRESS', 'SOURCE_ADDRESS', 'SOURCE_MESSAGE_ID', 'TRACE', 'TRACE_RESP', 'SEQ_NO', 'XDATA'];

function frames(random, profile) {
  const units = upTo(random, 5, () => {
    const index = random.below(FRAMES.length + 1);
    const name = FRAMES[index];
    if (name === undefined) return { type: random.pick([1, 8, 10, 29, 255]), body: random.hex(9) };
    const unit = { type: 0x10 + index, name };
    if (profile.bodies === 'opaque' && unit.type >= 0x14) return { ...unit, body: random.hex(9) };
    if (name === 'SEQ_NO') return { ...unit, current: random.number(profile.int_bits, true), max: random.number(profile.int_bits, true) };
    return { ...unit, ...esnpBody(random, profile, profile.int_bits, name) };
  });
  const admitted = units.filter(({ name }) => name || profile.unknown_frames === 'preserve');
  return { frames: withoutRepeats(admitted, profile, [0x11, 0x12]) };
}

const HEADER_LINES = { MESSAGE_ID: 0x11, SOURCE_MESSAGE_ID: 0x12, ADDRESS: 0x17, SOURCE_ADDRESS: 0x18, SEQ_NO: 0x1b, ERROR: 0x1d, FLAG: 0x1e, VERSION: 0x1f };
const BODY_LINES = { SESSION_INFO: 0x10, HEADER: 0x14, DATA: 0x15, PAYLOAD: 0x16, XDATA: 0x1c };

function lines(random, profile) {
  const line = (table) => () => {
    const name = random.pick(Object.keys(table));
    const unit = { type: table[name], name };
    if (name !== 'SEQ_NO') return { ...unit, ...esnpBody(random, profile, 32, name) };
    const current = 1 + random.below(2 ** 30);
    return { ...unit, current, max: random.pick([0, current, current + random.below(2 ** 30)]) };
  };
  const neutral = () => ({ type: random.pick(profile.unknown_lines === 'preserve' ? [0x20, 0x7f, 0xfe] : [0xfe]), body: random.hex(5) });
  const head = withoutRepeats(upTo(random, 4, line(HEADER_LINES)), profile, [0x11, 0x12, 0x1b, 0x1d, 0x1f]);
  return { lines: [...head, ...upTo(random, 2, neutral), ...upTo(random, 3, line(BODY_LINES)), ...upTo(random, 2, neutral)] };
}

function withoutRepeats(units, { duplicates }, single) {
  if (duplicates === 'keep') return units;
  return units.filter(({ type }, at) => !single.includes(type) || units.findIndex((other) => other.type === type) === at);
}

function packet(random, profile) {
  const flag = () => random.below(2) === 1;
  const type = random.below(3);
  if (type > 0) {
    return { packet: { type, waste: flag(), encrypt: flag(), verify: flag(), payload_raw: profile.ping === 'bare' ? '' : random.hex(9) } };
  }
  const message = {
    message_id: random.number(64, true), mode: random.below(3), line: random.below(8), protocol_id: random.number(32, true),
    result_code: random.number(32, true), to_message: random.number(64, true), time: random.number(64, true),
    ...(flag() ? { forward_header: random.hex(200) } : {}), ...(flag() ? { body: random.hex(200) } : {}),
  };
  const bits = { var32: 32, var64: 64 };
  const payload = { access_id: random.number(bits[profile.access_id], true), number: random.number(bits[profile.number], true), message };
  return { packet: { type, waste: false, encrypt: false, verify: flag(), payload } };
}

function relay(random) {
  return { relay: { pack_id: random.number(32, false), mark: random.below(2), sub_id: random.below(16), time: random.number(64, true), args: random.hex(9) } };
}

function frame(random, profile) {
  const cmd = 1 + random.below(9);
  const data = cmd >= 6 && cmd <= 8;
  const number = () => random.number(32, false);
  const run = (size) => Buffer.alloc(size, random.below(256)).toString('hex');
  const keys = { random: run(profile.random_len), public_key: run(profile.pubkey_len) };
  const fields = [null, keys, { ...keys, cipher: random.hex(50) }, { business_cmd: number(), error: number() }, { number: number() }, { number: number() }];
  const signed = { business_cmd: number(), hmac: run(16), data: random.hex(9) };
  return {
    frame: {
      magic: profile[data || (cmd % 6 === 3 && random.below(2)) ? 'magic.data' : 'magic.control'],
      version: profile.version_check === 'ignore' ? random.below(256) : profile.version,
      cmd, name: ['SYN', 'ACK', 'ERR', 'PIN', 'PON', 'REQ', 'REP', 'PSH', 'FIN'][cmd - 1],
      head_optional: random.number(16, false), seq: number(),
      // under fields_in=header the cipher takes the rest of the header
      head: cmd === 2 && profile.fields_in === 'header' ? '' : random.hex(5),
      ...(data ? signed : fields[cmd] ?? { reason: number() }),
    },
  };
}

function command(random, profile, dir) {
  const string = () => text(random, profile);
  const byte = () => random.number(8, profile.byte === 'signed');
  const topics = () => upTo(random, 4, () => `@${random.text()}`);
  const notification = () => ({ msg_type: byte(), msg_id: string(), content: string(), ts: random.number(64, profile.ts === 'signed') });
  const c2s = {
    auth: () => ({ client_id: string(), token: string() }), exchange_key: () => ({ secret_key: random.hex(9) }), get_topic_list: () => ({}),
    subscribe: () => ({ topics: topics() }), unsubscribe: () => ({ topics: topics() }), get_message_list: () => ({}), heartbeat: () => ({}),
    message_ack: () => ({ msg_ids: upTo(random, 4, string) }),
    report_environ: () => ({ network_type: byte(), isp: byte(), phone_type: string(), extra: upTo(random, 4, string) }),
  };
  const s2c = {
    ok: () => ({}), error: () => ({ error_code: byte(), reason: string() }), auth_success: () => ({ encrypt_key: random.hex(9) }),
    topic_list: () => ({ topics: topics() }), message_list: () => ({ notifications: upTo(random, 3, notification) }),
    message: () => ({ notification: notification() }),
  };
  const table = Object.entries({ c2s, s2c }[dir]);
  const type = random.below(table.length);
  return { command: { dir, type, name: table[type][0], ...table[type][1]() } };
}

/** @type {Record<string, (random: Random, profile: Record<string, any>, direction?: any) => object>} */
export const VALUES = { 'esnp-frame': frames, 'esnp-line': lines, tny: packet, 'tny-relay': relay, magline: frame, comet: command };
