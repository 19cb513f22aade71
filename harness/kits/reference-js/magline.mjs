/** magline frames: 16-byte head, msg header, msg body (MAG-1.4). Cipher and HMAC are opaque here. */
import { Refusal, Rejection } from './errors.mjs';
import { checkFields, exactly, fixed, readFields, rest, writeFields } from './fields.mjs';
import * as shape from './shape.mjs';
import { Writer } from './writer.mjs';

/** @typedef {import('./fields.mjs').Layout} Layout */

const HEAD = 16;
const HMAC = 16;
const HEAD_LENGTH_MAX = 0xffff;
const OF_EVERY_FRAME = ['magic', 'version', 'cmd', 'head_optional', 'seq', 'head'];

/**
 * @typedef {object} Command
 * @property {string} name
 * @property {'control' | 'data' | 'either'} magic which class it travels under (MAG-S03)
 * @property {Layout} fields
 * @property {Layout} tail what is always in the msg body
 */

/**
 * @param {Readonly<Record<string, any>>} profile
 * @returns {Record<number, Command>}
 */
function commands(profile) {
  const number = fixed(4, profile.order);
  const keys = [['random', exactly(profile.random_len)], ['public_key', exactly(profile.pubkey_len)]];
  const control = (name, fields, magic = 'control') => ({ name, magic, fields, tail: [] });
  const signed = [['business_cmd', number], ['hmac', exactly(HMAC)]];
  const data = (name) => ({ name, magic: 'data', fields: signed, tail: [['data', rest]] });
  return {
    1: control('SYN', keys),
    2: control('ACK', [...keys, ['cipher', rest]]),
    3: control('ERR', [['business_cmd', number], ['error', number]], 'either'),
    4: control('PIN', [['number', number]]),
    5: control('PON', [['number', number]]),
    6: data('REQ'),
    7: data('REP'),
    8: data('PSH'),
    9: control('FIN', [['reason', number]], 'either'),
  };
}

/**
 * @param {Readonly<Record<string, any>>} profile
 * @returns {import('./codecs.mjs').Codec}
 */
export function compile(profile) {
  const { order, 'magic.control': control, 'magic.data': data, max_message: limit } = profile;
  const table = commands(profile);
  const inHeader = profile.fields_in === 'header';
  const headBase = profile.head_length === 'total' ? HEAD : 0;
  const byte = fixed(1, order);
  const short = fixed(2, order);
  const int = fixed(4, order);

  /** What Message Length counts besides the body (MAG-S09). @param {number} header */
  const messageBase = (header) => ({ body: 0, 'header+body': header, frame: HEAD + header })[profile.message_length];
  const known = (magic) => magic === control || magic === data;
  const versionOk = (version) => profile.version_check === 'ignore' || version === profile.version;
  const magicOf = { control: [control], data: [data], either: [control, data] };
  const magicOk = (magic, command) => magicOf[command.magic].includes(magic);

  function* unit() {
    const first = yield 1;
    const at = first.offset;
    const magic = first.byte();
    if (!known(magic)) throw new Rejection('bad-magic', at, `magic ${magic} is neither class`);
    const head = yield HEAD - 1;
    const frame = { magic, version: head.byte(), cmd: head.integer(2, order) };
    if (!versionOk(frame.version)) throw new Rejection('bad-version', at + 1, `version ${frame.version}`);
    const command = table[frame.cmd];
    if (command === undefined) throw new Rejection('unknown-type', at + 2, `CMD ${frame.cmd} is not assigned`);
    if (!magicOk(magic, command)) throw new Rejection('bad-magic', at, `${command.name} under the other class`);
    frame.name = command.name;
    frame.head_optional = head.integer(2, order);
    const header = head.integer(2, order) - headBase;
    if (header < 0) throw new Rejection('length-mismatch', at + 6, `Head Length is at least ${headBase}`);
    frame.seq = head.integer(4, order);
    const body = readBodyLength(head.integer(4, order), messageBase(header), at + 12);
    const block = yield header + body;
    return { frame: readContent(frame, command, block.window(header), block) };
  }

  function readBodyLength(length, base, at) {
    if (length < base) throw new Rejection('length-mismatch', at, `Message Length is at least ${base}`);
    if (length > limit) throw new Rejection('limit-exceeded', at, `Message Length ${length}, at most ${limit}`);
    return length - base;
  }

  function readContent(frame, { fields, tail }, header, body) {
    const content = readFields(fields, inHeader ? header : body, {});
    readFields(tail, body, content);
    body.finish();
    frame.head = header.rest();
    return Object.assign(frame, content);
  }

  function encode({ frame }) {
    const head = new Writer();
    byte.write(head, frame.magic, frame);
    if (!known(frame.magic)) throw new Refusal('bad-magic', `magic ${frame.magic} is neither class`);
    byte.write(head, frame.version, frame);
    if (!versionOk(frame.version)) throw new Refusal('bad-version', `version ${frame.version}`);
    short.write(head, frame.cmd, frame);
    const command = table[frame.cmd];
    if (command === undefined) throw new Refusal('unknown-type', `CMD ${frame.cmd} is not assigned`);
    if (!magicOk(frame.magic, command)) throw new Refusal('bad-magic', `${command.name} under the other class`);
    short.write(head, frame.head_optional, frame);
    const seq = new Writer();
    int.write(seq, frame.seq, frame);
    const header = writeHeader(frame, command);
    const headLength = checkedLength(headBase + header.length, HEAD_LENGTH_MAX);
    const body = writeBody(frame, command);
    const messageLength = checkedLength(messageBase(header.length) + body.length, limit);
    head.integer(headLength, 2, order);
    head.bytes(seq.result());
    head.integer(messageLength, 4, order);
    for (const part of [header, body]) head.bytes(part.result());
    return head.result();
  }

  function writeHeader(frame, { fields }) {
    const header = new Writer();
    if (inHeader) writeFields(fields, header, frame);
    header.hex(frame.head);
    return header;
  }

  function writeBody(frame, { fields, tail }) {
    const body = new Writer();
    if (!inHeader) writeFields(fields, body, frame);
    writeFields(tail, body, frame);
    return body;
  }

  /** A CMD that is not assigned has no fields to check; encoding refuses it. */
  function check(value) {
    const frame = shape.only(value, 'frame');
    shape.object(frame, 'frame');
    shape.integer(frame.cmd, 'frame.cmd');
    const every = OF_EVERY_FRAME.map((key) => [key, key === 'head' ? rest : int]);
    const command = table[frame.cmd];
    const layout = command === undefined ? every : [...every, ...command.fields, ...command.tail];
    checkFields(layout, frame, 'frame', [], command === undefined ? Object.keys(frame) : ['name']);
  }

  return { unit, check, encode };
}

/** @param {number} length @param {number} limit @returns {number} */
function checkedLength(length, limit) {
  if (length > limit) throw new Refusal('limit-exceeded', `a length of ${length}, at most ${limit}`);
  return length;
}
