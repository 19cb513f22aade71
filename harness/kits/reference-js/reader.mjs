import { Rejection } from './errors.mjs';
import { decodeUtf8 } from './text.mjs';

/** @typedef {'big' | 'little'} Order */

/** A cursor over one container: it never sees a byte outside its bounds. */
export class Reader {
  #bytes;
  #base;
  #position;
  #end;

  /**
   * @param {Buffer} bytes
   * @param {number} base absolute offset of the first byte of `bytes`
   * @param {number} [start]
   * @param {number} [end]
   */
  constructor(bytes, base, start = 0, end = bytes.length) {
    this.#bytes = bytes;
    this.#base = base;
    this.#position = start;
    this.#end = end;
  }

  /** Absolute offset of the next byte. @returns {number} */
  get offset() {
    return this.#base + this.#position;
  }

  /** Bytes not read yet. @returns {number} */
  get left() {
    return this.#end - this.#position;
  }

  /**
   * Claims the next `size` bytes, or rejects at the first of them (§4).
   * @param {number} size may exceed any real length
   * @param {string} what
   * @returns {number} position of the first claimed byte
   */
  #claim(size, what) {
    const at = this.#position;
    if (size > this.#end - at) {
      throw new Rejection('overrun', this.#base + at, `${what} needs ${size} bytes, ${this.#end - at} are left`);
    }
    this.#position = at + size;
    return at;
  }

  /** @param {string} [what] @returns {number} */
  byte(what = 'a byte') {
    return this.#bytes[this.#claim(1, what)];
  }

  /**
   * @param {number} size 1 to 4
   * @param {Order} order
   * @param {boolean} [signed]
   * @returns {number}
   */
  integer(size, order, signed = false) {
    const at = this.#claim(size, 'an integer');
    if (order === 'big') return signed ? this.#bytes.readIntBE(at, size) : this.#bytes.readUIntBE(at, size);
    return signed ? this.#bytes.readIntLE(at, size) : this.#bytes.readUIntLE(at, size);
  }

  /**
   * @param {Order} order
   * @param {boolean} signed
   * @returns {bigint}
   */
  integer64(order, signed) {
    const at = this.#claim(8, 'an integer');
    const value = order === 'big' ? this.#bytes.readBigUInt64BE(at) : this.#bytes.readBigUInt64LE(at);
    return signed ? BigInt.asIntN(64, value) : value;
  }

  /**
   * A view, valid until the next block is asked for.
   * @param {number} size
   * @returns {Buffer}
   */
  run(size) {
    const at = this.#claim(size, 'a run');
    return this.#bytes.subarray(at, at + size);
  }

  /** @param {number} size @returns {string} */
  hex(size) {
    const at = this.#claim(size, 'a run');
    return this.#bytes.toString('hex', at, at + size);
  }

  /** @param {number} size @returns {import('./text.mjs').Text} hex if it is not UTF-8 */
  text(size) {
    const at = this.#claim(size, 'a run');
    return decodeUtf8(this.#bytes, at, at + size) ?? { hex: this.#bytes.toString('hex', at, at + size) };
  }

  /** Everything left, as hex. @returns {string} */
  rest() {
    return this.hex(this.left);
  }

  /**
   * A reader bounded to the next `size` bytes, which this one passes over.
   * @param {number} size
   * @returns {Reader}
   */
  window(size) {
    const at = this.#claim(size, 'a container');
    return new Reader(this.#bytes, this.#base, at, at + size);
  }

  /** A second cursor at the same place, to look ahead. @returns {Reader} */
  copy() {
    return new Reader(this.#bytes, this.#base, this.#position, this.#end);
  }

  /** The container must be used up (§3, last step). */
  finish() {
    if (this.left > 0) {
      throw new Rejection('trailing-bytes', this.offset, `${this.left} bytes after the last field`);
    }
  }
}
