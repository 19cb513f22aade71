/** Basic encodings that both ESNP revisions share. */
import { fixed } from './fields.mjs';
import * as shape from './shape.mjs';
import { identity, readText, toBytes } from './text.mjs';
import { nonNegative, readVarint, writeVarint } from './varint.mjs';

/** @typedef {import('./fields.mjs').FieldType} FieldType */
/** @typedef {import('./reader.mjs').Reader} Reader */
/** @typedef {import('./text.mjs').Utf8} Utf8 */

/** Any byte but 0 is true, and true is written 01 (ESNPF-3.3, ESNPF-S06). @type {FieldType} */
export const bool = {
  check: shape.bool,
  read: (reader) => reader.byte('a Bool') !== 0,
  write: (writer, value) => writer.byte(value ? 1 : 0),
};

/** FixUint64 (ESNPF-4.9, ESNPL-3.9). */
export const fixUint64 = fixed(8, 'big');

export const byte = fixed(1, 'big');

/**
 * A length is an Int, hence signed and zigzag (ESNPF-3.23).
 * @param {Reader} reader
 * @param {number} bits width of Int
 * @returns {number}
 */
function readLength(reader, bits) {
  const at = reader.offset;
  return nonNegative(readVarint(reader, bits, true), at);
}

/** @param {number} bits width of Int @returns {FieldType} */
export function lenBytes(bits) {
  return {
    check: shape.hex,
    read: (reader) => reader.hex(readLength(reader, bits)),
    write: (writer, value) => {
      writeVarint(writer, BigInt(value.length / 2), true);
      writer.hex(value);
    },
  };
}

/** @param {number} bits width of Int @param {Utf8} utf8 @returns {FieldType} */
export function lenString(bits, utf8) {
  return {
    check: shape.text,
    read: (reader) => readText(reader, readLength(reader, bits), utf8),
    write: (writer, value) => {
      const run = toBytes(value, utf8);
      writeVarint(writer, BigInt(run.length), true);
      writer.bytes(run);
    },
  };
}

/** The rest of the body as one string. @param {Utf8} utf8 @returns {FieldType} */
export function restString(utf8) {
  return {
    check: shape.text,
    read: (reader) => readText(reader, reader.left, utf8),
    write: (writer, value) => writer.bytes(toBytes(value, utf8)),
  };
}

/**
 * The pairs of a map under `dup_keys`; a survivor keeps its own place (§9).
 * @template {[import('./text.mjs').Text, unknown]} Pair
 * @param {Pair[]} pairs
 * @param {'keep' | 'first' | 'last'} rule
 * @returns {Pair[]}
 */
export function withoutDuplicates(pairs, rule) {
  if (rule === 'keep') return pairs;
  /** @type {Map<string, Pair>} */
  const survivors = new Map();
  for (const pair of pairs) {
    const key = identity(pair[0]);
    if (rule === 'last' || !survivors.has(key)) survivors.set(key, pair);
  }
  return pairs.filter((pair) => survivors.get(identity(pair[0])) === pair);
}
