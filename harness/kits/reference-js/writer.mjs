import { decodeHex } from './hex.mjs';
import { bytesOfRun } from './run.mjs';

/** @typedef {import('./reader.mjs').Order} Order */

/** For the few bytes that usually follow a long run: without it they would have all of it copied. */
const SPARE = 128;

/** A byte buffer that grows as it is written. */
export class Writer {
  #buffer = Buffer.allocUnsafe(128);
  #length = 0;

  /** @returns {number} */
  get length() {
    return this.#length;
  }

  /** @param {number} size @returns {number} position of the room made */
  #room(size) {
    const at = this.#length;
    if (at + size > this.#buffer.length) {
      const grown = Buffer.allocUnsafe(Math.max(2 * this.#buffer.length, at + size + SPARE));
      this.#buffer.copy(grown, 0, 0, at);
      this.#buffer = grown;
    }
    this.#length = at + size;
    return at;
  }

  /** Leaves room for what is not known yet. @param {number} size @returns {number} position of it */
  skip(size) {
    return this.#room(size);
  }

  /** @param {number} value taken modulo 256 */
  byte(value) {
    const at = this.#room(1);
    this.#buffer[at] = value;
  }

  /**
   * @param {number} value within the width, of either sign
   * @param {number} size 1 to 4
   * @param {Order} order
   */
  integer(value, size, order) {
    this.integerAt(this.#room(size), value, size, order);
  }

  /** The same where room was left. @param {number} at @param {number} value @param {number} size @param {Order} order */
  integerAt(at, value, size, order) {
    const unsigned = value < 0 ? value + 2 ** (8 * size) : value;
    if (order === 'big') this.#buffer.writeUIntBE(unsigned, at, size);
    else this.#buffer.writeUIntLE(unsigned, at, size);
  }

  /** @param {bigint} value within the width, of either sign @param {Order} order */
  integer64(value, order) {
    const at = this.#room(8);
    const unsigned = BigInt.asUintN(64, value);
    if (order === 'big') this.#buffer.writeBigUInt64BE(unsigned, at);
    else this.#buffer.writeBigUInt64LE(unsigned, at);
  }

  /** @param {Uint8Array} bytes */
  bytes(bytes) {
    const at = this.#room(bytes.length);
    this.#buffer.set(bytes, at);
  }

  /** @param {string} digits valid hex */
  hex(digits) {
    const bytes = bytesOfRun(digits);
    if (bytes !== null) return this.bytes(bytes);
    const at = this.#room(digits.length / 2);
    decodeHex(digits, this.#buffer, at);
  }

  /** What has been written so far; a view. @returns {Buffer} */
  result() {
    return this.#buffer.subarray(0, this.#length);
  }
}
