/** Lower-case hex, two digits a byte. */

/** Even, and small enough to stay in a cache. */
const SLICE = 1 << 14;
const slice = Buffer.allocUnsafeSlow(SLICE);
/** Two digits at a time, in whatever order this machine reads them. */
const pairs = new Uint16Array(slice.buffer);

/** The byte that a pair of digits stands for; -1 for all others. */
const VALUES = new Int16Array(1 << 16).fill(-1);
for (let value = 0; value < 256; value++) {
  slice.write(value.toString(16).padStart(2, '0'));
  VALUES[pairs[0]] = value;
}

/** Digits up to which a loop takes less time than a call to copy them. */
const SHORT = 64;
/** The value of a digit, by character; -1 for all that are none. */
const DIGITS = new Int8Array(1 << 16).fill(-1);
for (let value = 0; value < 16; value++) DIGITS[value.toString(16).charCodeAt(0)] = value;

/** Bytes that are shown as hex, once they have to be. */
export class Hex {
  /** @param {Buffer} bytes */
  constructor(bytes) {
    this.bytes = bytes;
  }

  /** @returns {string} */
  toJSON() {
    return this.bytes.toString('hex');
  }
}

/**
 * Two digits at a time, from the slice.
 * @param {number} count of bytes
 * @param {Buffer} into
 * @param {number} at
 * @returns {number} negative if there is anything but hex
 */
function decodeSlice(count, into, at) {
  let all = 0;
  for (let i = 0; i < count; i++) {
    const value = VALUES[pairs[i]];
    all |= value;
    into[at + i] = value;
  }
  return all;
}

/**
 * Checked and decoded in one pass. The characters are copied out first: bytes are several times as fast to get at.
 * Of a character beyond ASCII no byte is a digit.
 * @param {string} digits of even length
 * @param {Buffer} into with room for them
 * @param {number} at
 * @returns {boolean} whether all are hex; if not, what was written means nothing
 */
export function decodeHex(digits, into, at) {
  if (digits.length <= SHORT) return decodeShort(digits, into, at);
  for (let start = 0; start < digits.length; start += SLICE) {
    const size = slice.write(digits.slice(start, start + SLICE), 'utf8');
    if (size < Math.min(SLICE, digits.length - start)) return false;
    if (decodeSlice(size >> 1, into, at + (start >> 1)) < 0) return false;
  }
  return true;
}

/** @param {string} digits @param {Buffer} into @param {number} at @returns {boolean} */
function decodeShort(digits, into, at) {
  let all = 0;
  for (let i = 0; i < digits.length; i += 2) {
    const value = (DIGITS[digits.charCodeAt(i)] << 4) | DIGITS[digits.charCodeAt(i + 1)];
    all |= value;
    into[at + (i >> 1)] = value;
  }
  return all >= 0;
}

/**
 * The same for digits that are bytes already.
 * @param {Buffer} digits an even number
 * @param {Buffer} into with room for them
 * @returns {boolean}
 */
export function decodeHexBytes(digits, into) {
  for (let start = 0; start < digits.length; start += SLICE) {
    const size = digits.copy(slice, 0, start, start + SLICE);
    if (decodeSlice(size >> 1, into, start >> 1) < 0) return false;
  }
  return true;
}
