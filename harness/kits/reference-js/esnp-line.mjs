/** ESNP, line revision: its table of line types and their categories (ESNPL-3). */
import { Refusal, Rejection } from './errors.mjs';
import { esnpCodec } from './esnp.mjs';
import { byte, fixUint64, lenString, restString } from './esnp-types.mjs';
import { fixed, rest } from './fields.mjs';
import * as shape from './shape.mjs';
import { varType } from './var.mjs';
import { varint } from './varint.mjs';

/** @typedef {import('./fields.mjs').FieldType} FieldType */
/** @typedef {import('./esnp.mjs').UnitType} UnitType */

/** Int = Int32 (ESNPL-2.4). */
const INT_BITS = 32;
const int = varint(INT_BITS, true);
const OPAQUE = [['body', rest]];

/**
 * @param {Readonly<Record<string, any>>} profile
 * @returns {import('./codecs.mjs').Codec}
 */
export function compile(profile) {
  const types = lineTypes(profile);
  return esnpCodec({
    list: 'lines',
    unitType: (code) => types[code] ?? rangeType(code, profile),
    sizeOrder: 'big',
    maxFrame: profile.max_frame,
    maxMessage: profile.max_message,
  });
}

/** @param {Readonly<Record<string, any>>} profile @returns {Record<number, UnitType>} */
function lineTypes(profile) {
  const string = lenString(INT_BITS, profile.utf8);
  const variable = varType({ ...profile, intBits: INT_BITS, int8: fixed(1, 'big', true) });
  const keyValue = [['key', string], ['value', variable]];
  const address = [['address_type', int], ['value', string]];
  const errorText = profile.error_text === 'rest' ? restString(profile.utf8) : string;
  const flag = profile.flag_int === 'fix32' ? { type: fixed(4, 'big', true), size: 4 } : { type: int };
  const once = profile.duplicates === 'reject';
  const header = (name, layout, more) => ({ name, layout, category: 'header', ...more });
  const body = (name, layout) => ({ name, layout, category: 'body' });
  // ESNPL-3.13, 3.44, 3.47: replaced by FLAG, of no category any more
  const withdrawn = { ...receipt(profile.cancelled, 'forbidden-type'), refused: 'forbidden-type' };
  const cancelled = (name, layout, size) => ({ name, layout, size, ...withdrawn });
  return {
    0x10: body('SESSION_INFO', keyValue),
    0x11: header('MESSAGE_ID', [['id', fixUint64]], { size: 8, once }),
    0x12: header('SOURCE_MESSAGE_ID', [['id', fixUint64]], { size: 8, once }),
    0x13: cancelled('MESSAGE_KIND', [['kind', byte]], 1),
    0x14: body('HEADER', keyValue),
    0x15: body('DATA', keyValue),
    0x16: body('PAYLOAD', OPAQUE),
    0x17: header('ADDRESS', address),
    0x18: header('SOURCE_ADDRESS', address),
    0x19: cancelled('TRACE', [], 0),
    0x1a: cancelled('TRACE_RESP', [], 0),
    0x1b: header('SEQ_NO', [['current', currentNumber], ['max', maximumNumber]], { once }),
    0x1c: body('XDATA', [['id', int], ['body', rest]]),
    0x1d: header('ERROR', [['text', errorText]], { once }),
    0x1e: header('FLAG', [['flag', flag.type]], { size: flag.size }),
    0x1f: header('VERSION', [['version', version]], { size: 4, once }),
  };
}

/**
 * @param {number} code of no line of its own: reserved, unassigned or application
 * @param {Readonly<Record<string, any>>} profile
 * @returns {UnitType}
 */
function rangeType(code, profile) {
  if (code >= 0x80) return { layout: OPAQUE, category: profile.app_category[code] };
  if (code >= 0x20) return { layout: OPAQUE, ...receipt(profile.unknown_lines, 'unknown-type') };
  return { layout: OPAQUE, ...receipt(profile.reserved_lines, 'forbidden-type'), refused: 'forbidden-type' };
}

/** @param {'preserve' | 'skip' | 'reject'} policy @param {string} error */
function receipt(policy, error) {
  return { skipped: policy === 'skip', rejected: policy === 'reject' ? error : undefined };
}

/** Numbering starts at 1 (ESNPL-3.51). @type {FieldType} */
const currentNumber = ruled(int, (current) => current >= 1, 'numbering starts at 1');

/** 0 is unknown, otherwise not before the current number (ESNPL-3.52, ESNPL-S17). @type {FieldType} */
const maximumNumber = ruled(
  int,
  (max, { current }) => max === 0 || max >= current,
  'the maximum is 0 or not below the current number',
);

/**
 * @param {FieldType} type
 * @param {(value: number, unit: Record<string, any>) => boolean} holds
 * @param {string} rule
 * @returns {FieldType}
 */
function ruled(type, holds, rule) {
  return {
    check: type.check,
    read: (reader, before) => {
      const at = reader.offset;
      const value = type.read(reader, before);
      if (!holds(value, before)) throw new Rejection('invalid-value', at, rule);
      return value;
    },
    write: (writer, value, whole) => {
      type.write(writer, value, whole);
      if (!holds(value, whole)) throw new Refusal('invalid-value', rule);
    },
  };
}

/** Major, minor, branch, variant (ESNPL-3.72). @type {FieldType} */
const version = {
  check: shape.listOf(shape.integer),
  read: (reader) => [reader.byte(), reader.byte(), reader.byte(), reader.byte()],
  write: (writer, value) => {
    if (value.length !== 4) throw new Refusal('length-mismatch', `a version has 4 numbers, not ${value.length}`);
    for (const part of value) byte.write(writer, part, {});
  },
};
