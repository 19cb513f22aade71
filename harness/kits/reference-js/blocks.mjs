/**
 * The incremental engine. A codec describes one unit as a generator that
 * yields the size of the block it needs next and is resumed with a reader over
 * exactly those bytes: §2 in executable form. Only the bytes of one unfinished
 * block are held, and no byte is examined twice.
 */
import { Rejection } from './errors.mjs';
import { Reader } from './reader.mjs';

/** @typedef {() => Generator<number, object, Reader>} Unit its first block is never empty */

const NOTHING = Buffer.alloc(0);

/** Bytes of a block that arrived in pieces; grows with what came, not with what was announced. */
class Held {
  #buffer = NOTHING;
  length = 0;

  /** @param {Buffer} chunk @param {number} start @param {number} end */
  add(chunk, start, end) {
    const length = this.length + end - start;
    if (length > this.#buffer.length) {
      const grown = Buffer.allocUnsafe(Math.max(2 * this.#buffer.length, length));
      this.#buffer.copy(grown, 0, 0, this.length);
      this.#buffer = grown;
    }
    chunk.copy(this.#buffer, this.length, start, end);
    this.length = length;
  }

  /** @returns {Buffer} with the bytes in front, which are no longer held */
  release() {
    const buffer = this.#buffer;
    this.#buffer = NOTHING;
    this.length = 0;
    return buffer;
  }
}

export class BlockStream {
  /** @type {object[]} */
  messages = [];
  /** Index of the chunk that completed each message. @type {number[]} */
  after = [];
  /** Offset of the first byte that belongs to no completed message. */
  consumed = 0;
  /** @type {Rejection | null} */
  rejection = null;

  #open;
  #unit;
  #need;
  #untouched = true;
  #held = new Held();
  #blockStart = 0;
  #fed = 0;
  #chunks = 0;

  /** @param {Unit} open starts the next unit */
  constructor(open) {
    this.#open = open;
    this.#begin();
  }

  #begin() {
    this.#unit = this.#open();
    this.#need = this.#unit.next().value;
    this.#untouched = true;
  }

  /** After a rejection nothing more is looked at (§1). @param {Buffer} chunk */
  feed(chunk) {
    this.#fed += chunk.length;
    if (this.rejection === null) {
      try {
        this.#take(chunk);
      } catch (thrown) {
        if (!(thrown instanceof Rejection)) throw thrown;
        this.rejection = thrown;
      }
    }
    this.#chunks++;
  }

  /** The input is over: what is unfinished will stay so (§2). */
  end() {
    if (this.rejection === null && !this.idle) {
      this.rejection = new Rejection('truncated', this.#fed, 'the input ends inside a unit');
    }
  }

  /** Between two messages. @returns {boolean} */
  get idle() {
    return this.#untouched && this.#held.length === 0;
  }

  /** @param {Buffer} chunk */
  #take(chunk) {
    const chunkStart = this.#fed - chunk.length;
    let position = 0;
    for (;;) {
      const end = position + this.#need - this.#held.length;
      if (end > chunk.length) {
        this.#held.add(chunk, position, chunk.length);
        return;
      }
      this.#advance(this.#block(chunk, chunkStart, position, end));
      position = end;
    }
  }

  /** Read in place, unless it began in an earlier chunk. @returns {Reader} */
  #block(chunk, chunkStart, start, end) {
    if (this.#held.length === 0) return new Reader(chunk, chunkStart, start, end);
    this.#held.add(chunk, start, end);
    return new Reader(this.#held.release(), this.#blockStart, 0, this.#need);
  }

  /** @param {Reader} block of the size asked for */
  #advance(block) {
    this.#blockStart += this.#need;
    const step = this.#unit.next(block);
    this.#untouched = false;
    if (!step.done) {
      this.#need = step.value;
      return;
    }
    this.messages.push(step.value);
    this.after.push(this.#chunks);
    this.consumed = this.#blockStart;
    this.#begin();
  }
}
