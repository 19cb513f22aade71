import { Rejection } from './errors.mjs';

/**
 * A textual magic. Each byte is a block by itself, so a wrong one is reported
 * before the next has arrived (§2).
 * @param {string} magic
 * @returns {Generator<number, number, import('./reader.mjs').Reader>} offset of its first byte
 */
export function* expectMagic(magic) {
  let start;
  for (const expected of Buffer.from(magic)) {
    const block = yield 1;
    const at = block.offset;
    start ??= at;
    if (block.byte() !== expected) throw new Rejection('bad-magic', at, `"${magic}" differs here`);
  }
  return start;
}
