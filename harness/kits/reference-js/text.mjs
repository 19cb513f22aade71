/** Strings on the wire: UTF-8 by RFC 3629, or raw bytes where `utf8=bytes` allows them. */
import { isUtf8 } from 'node:buffer';
import { Refusal, Rejection } from './errors.mjs';

/** @typedef {string | {hex: string}} Text */
/** @typedef {'strict' | 'bytes'} Utf8 */

/**
 * NUL and a leading BOM are content: `Buffer.toString` keeps both, where a
 * TextDecoder would drop the BOM. What is malformed it turns into replacement
 * characters, so only a text with some of them is looked at twice.
 * @param {Buffer} bytes
 * @param {number} start
 * @param {number} end
 * @returns {string | null} null if it is not UTF-8
 */
export function decodeUtf8(bytes, start, end) {
  const text = bytes.toString('utf8', start, end);
  return text.includes('\ufffd') && !isUtf8(bytes.subarray(start, end)) ? null : text;
}

/**
 * @param {import('./reader.mjs').Reader} reader
 * @param {number} size of the run
 * @param {Utf8} utf8
 * @returns {Text}
 */
export function readText(reader, size, utf8) {
  const at = reader.offset;
  const text = reader.text(size);
  if (typeof text === 'string' || utf8 === 'bytes') return text;
  throw new Rejection('invalid-utf8', at, 'the run is not well-formed UTF-8');
}

/**
 * @param {Text} value
 * @param {Utf8} utf8
 * @returns {Buffer}
 */
export function toBytes(value, utf8) {
  if (typeof value === 'string') {
    if (!value.isWellFormed()) throw new Refusal('invalid-utf8', 'a lone surrogate has no UTF-8 form');
    return Buffer.from(value, 'utf8');
  }
  if (utf8 === 'strict') throw new Refusal('invalid-utf8', 'raw bytes for a string need utf8=bytes');
  return Buffer.from(value.hex, 'hex');
}

/**
 * Two strings are the same key when their bytes are.
 * @param {Text} value
 * @returns {string}
 */
export function identity(value) {
  return typeof value === 'string' ? `s${value}` : `h${value.hex}`;
}
