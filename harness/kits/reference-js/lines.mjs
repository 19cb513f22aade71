/** Lines of UTF-8 in and out, through one buffer each: a fresh one for every read costs more than the read. */
import { read, write } from './descriptor.mjs';
import { LONG } from './long.mjs';
import { decodeUtf8 } from './text.mjs';

/** @typedef {string | Buffer} Line a long one as it stands in the buffer, valid until more is read */
/** @typedef {string | (string | Buffer)[]} Answer a long one in parts, where bytes stand for their hex */

const LINE_FEED = 0x0a;
/** More than most requests have: pages that are never touched cost nothing, and growing copies. */
const INPUT = 1 << 26;
const OUTPUT = 1 << 16;
/** Bytes turned into hex at a time: so few that the digits stay in a cache. */
const HEX_SLICE = 1 << 14;

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
    if (this.#start > 0) this.#buffer.copyWithin(0, this.#start, this.#filled);
    this.#filled -= this.#start;
    this.#start = 0;
    this.#complete = 0;
    if (this.#filled < this.#buffer.length) return;
    const grown = Buffer.allocUnsafeSlow(2 * this.#buffer.length);
    this.#buffer.copy(grown);
    this.#buffer = grown;
  }

  /** @returns {Line | null} the next of the lines that are there */
  next() {
    if (this.#start === this.#complete) return null;
    const end = this.#buffer.indexOf(LINE_FEED, this.#start);
    const line = this.#line(end);
    this.#start = end + 1;
    return line;
  }

  /** @returns {Line | null} what the input ended with instead of a line feed */
  last() {
    return this.#start === this.#filled ? null : this.#line(this.#filled);
  }

  /** @param {number} end @returns {Line} */
  #line(end) {
    if (end - this.#start >= LONG) return this.#buffer.subarray(this.#start, end);
    return decodeUtf8(this.#buffer, this.#start, end) ?? '';
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

  /** Written with others, at the latest by `flush`. @param {Answer} answer */
  add(answer) {
    if (typeof answer === 'string') {
      this.#append(answer);
    } else {
      for (const part of answer) {
        if (typeof part === 'string') this.#append(part);
        else this.#appendHex(part);
      }
    }
    this.#pending += '\n';
  }

  /** What is long is written alone, since joining copies it. @param {string} text */
  #append(text) {
    if (this.#pending.length + text.length > OUTPUT) this.flush();
    this.#pending += text;
    if (text.length > OUTPUT) this.flush();
  }

  /** @param {Buffer} bytes */
  #appendHex(bytes) {
    for (let at = 0; at < bytes.length; at += HEX_SLICE) this.#append(bytes.toString('hex', at, at + HEX_SLICE));
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
