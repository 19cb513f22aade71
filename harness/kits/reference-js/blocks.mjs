/**
 * The incremental engine. A codec describes one unit as a generator that
 * yields the size of the block it needs next and is resumed with a reader over
 * exactly those bytes: §2 in executable form. Only the bytes of one unfinished
 * block are held, and no byte is examined twice.
 */
import { Rejection } from './errors.mjs';
import { Reader } from './reader.mjs';

/** @typedef {() => Generator<number, object, Reader>} Unit its first block is never empty */

/** Bytes of a block that arrived in pieces; grows with what came, not with what was announced. */
class Held {
  #buffer = Buffer.alloc(0);
  length = 0;

  /** @param {Uint8Array} piece */
  add(piece) {
    const length = this.length + piece.length;
    if (length > this.#buffer.length) {
      const grown = Buffer.allocUnsafe(Math.max(2 * this.#buffer.length, length));
      this.#buffer.copy(grown, 0, 0, this.length);
      this.#buffer = grown;
    }
    this.#buffer.set(piece, this.length);
    this.length = length;
  }

  /** @returns {Buffer} the bytes, which are no longer held */
  release() {
    const bytes = this.#buffer.subarray(0, this.length);
    this.#buffer = Buffer.alloc(0);
    this.length = 0;
    return bytes;
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
    if (this.rejection === null) this.#guard(() => this.#take(chunk));
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

  /** @param {() => void} step */
  #guard(step) {
    try {
      step();
    } catch (thrown) {
      if (!(thrown instanceof Rejection)) throw thrown;
      this.rejection = thrown;
    }
  }

  /** @param {Buffer} chunk */
  #take(chunk) {
    let position = 0;
    for (;;) {
      const end = position + this.#need - this.#held.length;
      if (end > chunk.length) {
        this.#held.add(chunk.subarray(position));
        return;
      }
      this.#advance(this.#join(chunk.subarray(position, end)));
      position = end;
    }
  }

  /** @param {Buffer} piece the last of its block @returns {Buffer} */
  #join(piece) {
    if (this.#held.length === 0) return piece;
    this.#held.add(piece);
    return this.#held.release();
  }

  /** @param {Buffer} block */
  #advance(block) {
    const step = this.#unit.next(new Reader(block, this.#blockStart));
    this.#blockStart += block.length;
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
