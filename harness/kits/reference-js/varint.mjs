/** Base-128 groups, least significant first: ESNP's 64-bit form and the three readings of tny. */
import { Rejection } from './errors.mjs';
import { narrow, shown, toWrite } from './numbers.mjs';
import * as shape from './shape.mjs';

/** @typedef {import('./numbers.mjs').Integer} Integer */
/** @typedef {import('./reader.mjs').Reader} Reader */
/** @typedef {import('./writer.mjs').Writer} Writer */
/** @typedef {import('./fields.mjs').FieldType} FieldType */

/**
 * @typedef {object} Cap how long a varint may get
 * @property {number} bytes
 * @property {number} top greatest terminator at the last byte
 * @property {string} above class of a greater one
 */

/** ESNPF-3.10, ESNPL-2.13: too great a tenth byte is an overflow. @type {Cap} */
const ESNP = { bytes: 10, top: 0x01, above: 'varint-overflow' };
/** TNY-S12: the same byte is a value beyond its width. @type {Cap} */
const TNY_64 = { bytes: 10, top: 0x01, above: 'out-of-range' };
/** @type {Cap} */
const TNY_32 = { bytes: 5, top: 0x0f, above: 'out-of-range' };

/**
 * Seven groups stay exact in a double, the other three are kept apart: most
 * varints are then read without any big-integer arithmetic.
 * @param {Reader} reader
 * @param {Cap} cap
 * @returns {Integer} unsigned
 */
function readGroups(reader, cap) {
  const at = reader.offset;
  let low = 0;
  let high = 0;
  for (let i = 0; i < cap.bytes; i++) {
    if (reader.left === 0) throw new Rejection('overrun', at, 'the varint has no end inside its container');
    const byte = reader.byte();
    if (i === cap.bytes - 1 && byte > cap.top) {
      const error = byte >= 0x80 ? 'varint-overflow' : cap.above;
      throw new Rejection(error, at, `byte ${i} of the varint is ${byte}`);
    }
    if (i < 7) low += (byte & 0x7f) * 2 ** (7 * i);
    else high += (byte & 0x7f) * 2 ** (7 * (i - 7));
    if (byte < 0x80) break;
  }
  return high === 0 ? low : BigInt(low) + (BigInt(high) << 49n);
}

/** @param {Writer} writer @param {bigint} value unsigned */
function writeGroups(writer, value) {
  let left = value;
  while (left >= 0x80n) {
    writer.byte(Number(left & 0x7fn) | 0x80);
    left >>= 7n;
  }
  writer.byte(Number(left));
}

/** @param {bigint} value @returns {bigint} */
const zigzag = (value) => (value < 0n ? (-value << 1n) - 1n : value << 1n);

/** @param {Integer} value @returns {Integer} */
function unzigzag(value) {
  if (typeof value === 'number') return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  return (value & 1n) === 0n ? value >> 1n : -((value + 1n) >> 1n);
}

/** Two's complement. @param {Integer} value unsigned and within the width @param {32 | 64} bits @returns {Integer} */
function toSigned(value, bits) {
  if (typeof value === 'bigint') return BigInt.asIntN(bits, value);
  return bits === 32 ? value | 0 : value;
}

/**
 * @param {Reader} reader
 * @param {number} bits
 * @param {boolean} signed zigzag, as all signed ESNP varints are
 * @returns {Integer}
 */
export function readVarint(reader, bits, signed) {
  const at = reader.offset;
  const groups = readGroups(reader, ESNP);
  return narrow(signed ? unzigzag(groups) : groups, bits, signed, at);
}

/**
 * @param {Writer} writer
 * @param {bigint} value
 * @param {boolean} signed
 */
export function writeVarint(writer, value, signed) {
  writeGroups(writer, signed ? zigzag(value) : value);
}

/**
 * An ESNP varint field. All are read over 64 bits, then held to their width (§5).
 * @param {number} bits
 * @param {boolean} signed
 * @returns {FieldType}
 */
export function varint(bits, signed) {
  return {
    check: bits === 64 ? shape.decimal : shape.integer,
    read: (reader) => shown(readVarint(reader, bits, signed), bits),
    write: (writer, value) => writeVarint(writer, toWrite(value, bits, signed), signed),
  };
}

/**
 * tny VarInt32 and VarInt64 under the parameter `varint` (TNY-S11).
 * @param {'plain' | 'zigzag' | 'protobuf'} form
 * @param {32 | 64} bits
 * @returns {FieldType}
 */
export function tnyVarint(form, bits) {
  // protobuf sign-extends an int32, so on the wire it is as wide as an int64
  const wire = form === 'protobuf' ? 64 : bits;
  const cap = wire === 64 ? TNY_64 : TNY_32;
  return {
    check: bits === 64 ? shape.decimal : shape.integer,
    read: (reader) => {
      const at = reader.offset;
      const groups = readGroups(reader, cap);
      const value = form === 'zigzag' ? unzigzag(groups) : toSigned(groups, wire);
      return shown(narrow(value, bits, true, at), bits);
    },
    write: (writer, given) => {
      const value = toWrite(given, bits, true);
      writeGroups(writer, form === 'zigzag' ? zigzag(value) : BigInt.asUintN(wire, value));
    },
  };
}

/**
 * A length or a count: negative ones exist on the wire and mean nothing (§3).
 * Past 2^53 the result is not exact, and still past every container.
 * @param {Integer} value
 * @param {number} offset of the varint
 * @returns {number}
 */
export function nonNegative(value, offset) {
  if (value < 0) throw new Rejection('negative-length', offset, `a length or count of ${value}`);
  return Number(value);
}
