/**
 * The one long run of hex in a request. It is checked and decoded once, as the bytes it arrived as; where the same
 * digits turn up again as a text, they are neither checked nor decoded a second time, which takes as long as the first.
 */
import { decodeHexBytes } from './hex.mjs';

const run = { digits: '', bytes: Buffer.alloc(0) };
/** Kept for the next run: a fresh buffer of this size costs as much as it takes to fill it. */
let room = Buffer.alloc(0);

/**
 * @param {Buffer} digits
 * @returns {Buffer | null} valid until the next run; null if they are not hex
 */
export function decodeRun(digits) {
  run.digits = '';
  if (digits.length % 2 !== 0) return null;
  const size = digits.length / 2;
  if (size > room.length) room = Buffer.allocUnsafeSlow(size);
  run.bytes = room.subarray(0, size);
  return decodeHexBytes(digits, run.bytes) ? run.bytes : null;
}

/** @param {Buffer} digits what was just decoded @returns {string} */
export function textOfRun(digits) {
  run.digits = digits.toString('latin1');
  return run.digits;
}

/** @param {unknown} value @returns {Buffer | null} null if it is not the run */
export function bytesOfRun(value) {
  return value !== '' && value === run.digits ? run.bytes : null;
}
