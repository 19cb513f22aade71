/**
 * What the two ESNP revisions have in common: a message is a run of units,
 * each a 4-byte head and a body, closed by END. Their tables of unit types
 * are in esnp-frame.mjs and esnp-line.mjs.
 */
import { Refusal, Rejection } from './errors.mjs';
import { checkFields, readFields, writeFields } from './fields.mjs';
import * as shape from './shape.mjs';
import { Writer } from './writer.mjs';

/** @typedef {import('./fields.mjs').Layout} Layout */

/**
 * @typedef {object} UnitType one row of a revision's table, under one profile
 * @property {string} [name]
 * @property {Layout} [layout] absent when it can be in no value
 * @property {number} [size] of a fixed body (§5)
 * @property {'header' | 'body'} [category] subject to the order rule (ESNPL-1.6)
 * @property {boolean} [once] a second one is a duplicate
 * @property {string} [rejected] class on receipt
 * @property {boolean} [skipped] its body is not read and it is left out
 * @property {string} [refused] class on encoding
 */

/**
 * @typedef {object} Revision
 * @property {'frames' | 'lines'} list key of the message value
 * @property {(code: number) => UnitType} unitType for 1 to 255
 * @property {import('./reader.mjs').Order} sizeOrder
 * @property {number} maxFrame
 * @property {number} maxMessage
 */

const HEAD = 4;

/** ESNPF-4.1, ESNPL-3.1. It cannot be listed: a type 0 in a value is refused. @type {UnitType} */
const END = { size: 0, refused: 'unknown-type' };

/** Running state of one message, the same for reading and writing. */
class MessageState {
  #bodySeen = false;
  #seen = new Set();
  #total = 0;

  /** @param {UnitType} type @returns {boolean} whether it may stand here */
  inOrder({ category }) {
    if (category === 'body') this.#bodySeen = true;
    return !(category === 'header' && this.#bodySeen);
  }

  /** @param {number} code @returns {boolean} whether it is the first of its type */
  first(code) {
    const fresh = !this.#seen.has(code);
    this.#seen.add(code);
    return fresh;
  }

  /** @param {number} size of a body @returns {number} bytes of the message with that unit */
  grow(size) {
    this.#total += HEAD + size;
    return this.#total;
  }
}

/**
 * @param {Revision} revision
 * @returns {import('./codecs.mjs').Codec}
 */
export function esnpCodec(revision) {
  const types = Array.from({ length: 256 }, (_, code) => (code === 0 ? END : revision.unitType(code)));
  return {
    unit: () => readMessage(revision, types),
    check: (value) => checkMessage(revision, types, value),
    encode: (value) => writeMessage(revision, types, value),
  };
}

/** @param {Revision} revision @param {UnitType[]} types */
function* readMessage(revision, types) {
  const units = [];
  const state = new MessageState();
  for (;;) {
    const head = yield HEAD;
    const at = head.offset;
    const code = head.byte();
    const size = head.integer(3, revision.sizeOrder);
    const type = types[code];
    checkType(type, code, at, state);
    checkSize(revision, type, size, at + 1, state);
    if (type === END) return { [revision.list]: units };
    const body = yield size;
    if (!type.skipped) units.push(readUnit(type, code, body));
  }
}

/** @param {UnitType} type @param {number} code @param {import('./reader.mjs').Reader} body */
function readUnit(type, code, body) {
  const unit = readFields(type.layout, body, type.name ? { type: code, name: type.name } : { type: code });
  body.finish();
  return unit;
}

/** @param {UnitType} type @param {number} code @param {number} at @param {MessageState} state */
function checkType(type, code, at, state) {
  if (type.rejected) throw new Rejection(type.rejected, at, `type ${code} is not admitted`);
  if (!state.inOrder(type)) throw new Rejection('bad-order', at, `header line ${code} after a body line`);
  if (type.once && !state.first(code)) throw new Rejection('duplicate', at, `a second unit of type ${code}`);
}

/**
 * @param {Revision} revision
 * @param {UnitType} type
 * @param {number} size
 * @param {number} at
 * @param {MessageState} state
 */
function checkSize(revision, type, size, at, state) {
  if (type.size !== undefined && size !== type.size) {
    throw new Rejection('length-mismatch', at, `the body has ${type.size} bytes, the head says ${size}`);
  }
  const excess = excessOf(revision, size, state);
  if (excess !== null) throw new Rejection('limit-exceeded', at, excess);
}

/**
 * The frame limit, then the message limit, END and heads included (§6).
 * @param {Revision} revision
 * @param {number} size
 * @param {MessageState} state
 * @returns {string | null} what goes beyond a limit
 */
function excessOf({ maxFrame, maxMessage }, size, state) {
  if (size > maxFrame) return `a body of ${size} bytes, at most ${maxFrame}`;
  const total = state.grow(size);
  return total > maxMessage ? `a message of ${total} bytes, at most ${maxMessage}` : null;
}

/** @param {Revision} revision @param {UnitType[]} types @param {unknown} value */
function checkMessage({ list }, types, value) {
  shape.listOf((unit, path) => checkUnit(types, unit, path))(shape.only(value, list), list);
}

/** A type that can be in no value has no shape beyond its number; encoding refuses it. */
function checkUnit(types, unit, path) {
  shape.object(unit, path);
  shape.integer(unit.type, `${path}.type`);
  const layout = types[unit.type]?.layout;
  if (layout !== undefined) checkFields(layout, unit, path, ['type'], ['name']);
}

/** @param {Revision} revision @param {UnitType[]} types @param {Record<string, any[]>} value @returns {Buffer} */
function writeMessage(revision, types, value) {
  const writer = new Writer();
  const state = new MessageState();
  for (const unit of value[revision.list]) {
    const type = types[unit.type];
    checkWritable(type, unit.type, state);
    const head = writer.skip(HEAD);
    writeFields(type.layout, writer, unit);
    writeHead(revision, writer, head, unit.type, state);
  }
  writeHead(revision, writer, writer.skip(HEAD), 0, state);
  return writer.result();
}

/** @param {UnitType | undefined} type @param {number} code @param {MessageState} state */
function checkWritable(type, code, state) {
  if (type === undefined) throw new Refusal('out-of-range', `type ${code} does not fit a byte`);
  if (type.refused) throw new Refusal(type.refused, `type ${code} is never sent`);
  if (!state.inOrder(type)) throw new Refusal('bad-order', `header line ${code} after a body line`);
}

/**
 * Once the body is there: what is refused inside it comes first.
 * @param {Revision} revision
 * @param {Writer} writer
 * @param {number} at the room left for it in front of the body
 * @param {number} code
 * @param {MessageState} state
 */
function writeHead(revision, writer, at, code, state) {
  const size = writer.length - at - HEAD;
  const excess = excessOf(revision, size, state);
  if (excess !== null) throw new Refusal('limit-exceeded', excess);
  writer.integerAt(at, code, 1, revision.sizeOrder);
  writer.integerAt(at + 1, size, 3, revision.sizeOrder);
}
