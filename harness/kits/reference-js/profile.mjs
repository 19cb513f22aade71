/** Parameters of each codec with their `standard` value, and the profile a request declares. */
import { BadRequest, Unsupported } from './errors.mjs';

/**
 * @typedef {object} Parameter
 * @property {any} standard
 * @property {(value: unknown) => boolean} admits
 * @property {readonly any[]} [values] when they can be listed
 */

/** @param {...(string | number)} values the standard one first @returns {Parameter} */
const oneOf = (...values) => ({ standard: values[0], values, admits: (value) => values.includes(value) });

/** @param {number} standard @param {number} low @param {number} high @returns {Parameter} */
const between = (standard, low, high) => ({
  standard,
  admits: (value) => Number.isInteger(value) && value >= low && value <= high,
});

const INT32_MAX = 0x7fffffff;
const MEBIBYTE = 2 ** 20;

/** Application line type to category; `app_category` (§9). @type {Parameter} */
const categories = {
  standard: {},
  admits: (value) =>
    isObject(value) &&
    Object.entries(value).every(([code, category]) =>
      /^(?:12[89]|1[3-9][0-9]|2[0-4][0-9]|25[0-5])$/.test(code) && ['header', 'body'].includes(category)),
};

const order = (standard) => (standard === 'big' ? oneOf('big', 'little') : oneOf('little', 'big'));
const receipt = oneOf('preserve', 'skip', 'reject');
const utf8 = oneOf('strict', 'bytes');
const octet = (standard) => between(standard, 0, 255);

const bothEsnp = {
  counts: oneOf('zigzag', 'uvarint'),
  utf8,
  duplicates: oneOf('keep', 'reject'),
  dup_keys: oneOf('keep', 'first', 'last'),
  max_depth: between(64, 1, 256),
  max_frame: between(0xffffff, 0, 0xffffff),
  max_message: between(32 * MEBIBYTE, 0, INT32_MAX),
};

/** @type {Readonly<Record<string, Readonly<Record<string, Parameter>>>>} */
export const PARAMETERS = {
  'esnp-frame': {
    ...bothEsnp,
    size_order: order('big'),
    int_bits: oneOf(64, 32),
    bodies: oneOf('structured', 'opaque'),
    unknown_frames: receipt,
  },
  'esnp-line': {
    ...bothEsnp,
    error_text: oneOf('rest', 'lenstring'),
    flag_int: oneOf('varint', 'fix32'),
    reserved_lines: receipt,
    unknown_lines: receipt,
    cancelled: receipt,
    app_category: categories,
  },
  tny: {
    order: order('little'),
    varint: oneOf('plain', 'zigzag', 'protobuf'),
    access_id: oneOf('var64', 'var32'),
    number: oneOf('var32', 'var64'),
    number_start: oneOf(1),
    ping: oneOf('len0', 'bare'),
    check: oneOf('crc32'),
    waste: oneOf('none'),
    cipher: oneOf('none'),
    forward_header: oneOf('single'),
    max_payload: between(16 * MEBIBYTE, 0, INT32_MAX),
  },
  'tny-relay': {
    order: order('little'),
    relay_length: oneOf('after', 'total', 'args'),
    max_packet: between(16 * MEBIBYTE, 0, INT32_MAX),
  },
  magline: {
    order: order('big'),
    'magic.control': octet(0xc1),
    'magic.data': octet(0xd1),
    version: octet(1),
    version_check: oneOf('exact', 'ignore'),
    head_length: oneOf('msg', 'total'),
    message_length: oneOf('body', 'header+body', 'frame'),
    fields_in: oneOf('body', 'header'),
    random_len: between(32, 1, 255),
    pubkey_len: between(32, 1, 255),
    crypto: oneOf('x25519', 'none'),
    max_message: between(16 * MEBIBYTE, 0, INT32_MAX),
  },
  comet: {
    order: order('big'),
    utf8,
    bytes: oneOf('short', 'rest', 'int'),
    extra: oneOf('byte', 'rest', 'short'),
    short: oneOf('unsigned', 'signed'),
    byte: oneOf('unsigned', 'signed'),
    ts: oneOf('signed', 'unsigned'),
    crypto: oneOf('none'),
    environ_reply: oneOf('ok', 'none'),
  },
};

/** @param {unknown} value @returns {value is Record<string, unknown>} */
function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * @param {string} protocol one of PARAMETERS
 * @param {unknown} [declared] what differs from `standard`
 * @returns {Readonly<Record<string, any>>} every parameter of the protocol
 */
export function resolveProfile(protocol, declared = {}) {
  if (!isObject(declared)) throw new BadRequest('profile: an object expected');
  const parameters = PARAMETERS[protocol];
  for (const [name, value] of Object.entries(declared)) {
    if (!Object.hasOwn(parameters, name)) throw new Unsupported(`${protocol} has no parameter ${name.slice(0, 40)}`);
    if (!parameters[name].admits(value)) throw new Unsupported(`${protocol}: ${name} does not take this value`);
  }
  const standard = Object.entries(parameters).map(([name, parameter]) => [name, parameter.standard]);
  return Object.freeze({ ...Object.fromEntries(standard), ...declared });
}
