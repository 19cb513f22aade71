/** Widths of integers: the check on reading, the refusal on writing. */
import { Refusal, Rejection } from './errors.mjs';

/** Half the range of each width, at hand: a power takes longer than the rest of a comparison. */
const HALVES = Array.from({ length: 65 }, (_, bits) => 2 ** (bits - 1));

/** @typedef {number | bigint} Integer exact: a number only where it is a safe one, which is most of the time and fast */

/**
 * @param {Integer} value
 * @param {number} bits
 * @param {boolean} signed
 * @returns {boolean}
 */
export function fits(value, bits, signed) {
  if (typeof value === 'number') {
    const half = HALVES[bits];
    return signed ? value >= -half && value < half : value >= 0 && value < 2 * half;
  }
  return (signed ? BigInt.asIntN(bits, value) : BigInt.asUintN(bits, value)) === value;
}

/**
 * @param {Integer} value
 * @param {number} bits
 * @param {boolean} signed
 * @param {number} offset of the varint or integer it was read from
 * @returns {Integer}
 */
export function narrow(value, bits, signed, offset) {
  if (fits(value, bits, signed)) return value;
  throw new Rejection('out-of-range', offset, `${value} does not fit ${describe(bits, signed)}`);
}

/**
 * The integer of a well-shaped JSON number or decimal string.
 * @param {number | string} value
 * @param {number} bits
 * @param {boolean} signed
 * @returns {bigint}
 */
export function toWrite(value, bits, signed) {
  const parsed = parse(value);
  if (parsed !== undefined && fits(parsed, bits, signed)) return parsed;
  throw new Refusal('out-of-range', `${String(value).slice(0, 40)} does not fit ${describe(bits, signed)}`);
}

/**
 * A decimal of more than 20 characters is beyond 64 bits; parsing it would
 * only hand a long string the means to keep the encoder busy.
 * @param {number | string} value
 * @returns {bigint | undefined}
 */
function parse(value) {
  if (typeof value === 'string') return value.length > 20 ? undefined : BigInt(value);
  return Number.isFinite(value) ? BigInt(value) : undefined;
}

/**
 * As the value model shows it: 64 declared bits are a decimal string.
 * @param {Integer} value
 * @param {number} bits
 * @returns {number | string}
 */
export function shown(value, bits) {
  return bits === 64 ? String(value) : Number(value);
}

/** @param {number} bits @param {boolean} signed @returns {string} */
function describe(bits, signed) {
  return `${bits} bits ${signed ? 'signed' : 'unsigned'}`;
}
