/** Lines of UTF-8 in and out, through one buffer each: a fresh one for every read costs more than the read. */
import { read, write } from './descriptor.mjs';
import { decodeUtf8 } from './text.mjs';

const LINE_FEED = 0x0a;
const INPUT = 1 << 20;
const OUTPUT = 1 << 16;

export class LineReader {
  #descriptor;
  #buffer = Buffer.allocUnsafeSlow(INPUT);
  /** First byte of the next line. */
  #start = 0;
  /** Behind the last line feed. */
  #complete = 0;
  #filled = 0;

  /** @param {number} descriptor */
  constructor(descriptor) {
    this.#descriptor = descriptor;
  }

  /** Waits for input once the lines are used up. @returns {boolean} false at its end */
  more() {
    this.#makeRoom();
    const size = read(this.#descriptor, this.#buffer, this.#filled);
    const fresh = this.#buffer.subarray(this.#filled, this.#filled + size);
    const last = fresh.lastIndexOf(LINE_FEED);
    if (last >= 0) this.#complete = this.#filled + last + 1;
    this.#filled += size;
    return size > 0;
  }

  #makeRoom() {
    this.#buffer.copyWithin(0, this.#start, this.#filled);
    this.#filled -= this.#start;
    this.#start = 0;
    this.#complete = 0;
    if (this.#filled < this.#buffer.length) return;
    const grown = Buffer.allocUnsafeSlow(2 * this.#buffer.length);
    this.#buffer.copy(grown);
    this.#buffer = grown;
  }

  /** @returns {string | null} the next of the lines that are there */
  next() {
    if (this.#start === this.#complete) return null;
    const end = this.#buffer.indexOf(LINE_FEED, this.#start);
    const line = this.#text(end);
    this.#start = end + 1;
    return line;
  }

  /** @returns {string | null} what the input ended with instead of a line feed */
  last() {
    return this.#start === this.#filled ? null : this.#text(this.#filled);
  }

  /** Empty if it is not UTF-8 or longer than any string. @param {number} end */
  #text(end) {
    try {
      return decodeUtf8(this.#buffer, this.#start, end) ?? '';
    } catch {
      return '';
    }
  }
}

export class LineWriter {
  #descriptor;
  #buffer = Buffer.allocUnsafeSlow(OUTPUT);
  #encoder = new TextEncoder();
  #pending = '';

  /** @param {number} descriptor */
  constructor(descriptor) {
    this.#descriptor = descriptor;
  }

  /** Written with others, at the latest by `flush`; a long one alone, since joining copies it. @param {string} line */
  add(line) {
    if (this.#pending.length + line.length > OUTPUT) this.flush();
    this.#pending += line;
    if (line.length > OUTPUT) this.flush();
    this.#pending += '\n';
  }

  flush() {
    for (let left = this.#pending; left !== ''; ) {
      const { read: taken, written } = this.#encoder.encodeInto(left, this.#buffer);
      write(this.#descriptor, this.#buffer, written);
      left = left.slice(taken);
    }
    this.#pending = '';
  }
}
