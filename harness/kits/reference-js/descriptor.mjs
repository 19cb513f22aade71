/** Blocking input and output: with one peer there is nothing else to do, and an event costs many times a call. */
import { readSync, writeSync } from 'node:fs';

const MILLISECOND = 1;
const NEVER = new Int32Array(new SharedArrayBuffer(4));

/**
 * A descriptor may come non-blocking from whoever started the process; then it is asked again after a while.
 * @param {() => number} call
 * @returns {number}
 */
function waiting(call) {
  for (;;) {
    try {
      return call();
    } catch (thrown) {
      if (thrown.code !== 'EAGAIN') throw thrown;
      Atomics.wait(NEVER, 0, 0, MILLISECOND);
    }
  }
}

/**
 * @param {number} descriptor
 * @param {Buffer} buffer
 * @param {number} at where there is room
 * @returns {number} bytes read, 0 at the end of the input
 */
export function read(descriptor, buffer, at) {
  return waiting(() => readSync(descriptor, buffer, at, buffer.length - at, null));
}

/**
 * @param {number} descriptor
 * @param {Buffer} buffer
 * @param {number} length bytes of it to be written, every one
 */
export function write(descriptor, buffer, length) {
  for (let at = 0; at < length; ) at += waiting(() => writeSync(descriptor, buffer, at, length - at));
}
