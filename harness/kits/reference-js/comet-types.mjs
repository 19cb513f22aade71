/** Basic types of comet under a profile (COMET-2). */
import { Refusal, Rejection } from './errors.mjs';
import { checkFields, fixed, readFields, rest, writeFields } from './fields.mjs';
import * as shape from './shape.mjs';
import { readText, toBytes } from './text.mjs';
import { nonNegative } from './varint.mjs';

/** @typedef {import('./fields.mjs').FieldType} FieldType */
/** @typedef {import('./fields.mjs').Layout} Layout */
/** @typedef {import('./reader.mjs').Reader} Reader */
/** @typedef {import('./writer.mjs').Writer} Writer */

/**
 * @typedef {object} Measure a length or a count
 * @property {(reader: Reader) => number} read
 * @property {(writer: Writer, value: number) => void} write
 */

/**
 * @param {1 | 2 | 4} size
 * @param {'big' | 'little'} order
 * @param {boolean} signed
 * @returns {Measure}
 */
function measure(size, order, signed) {
  const limit = 2 ** (8 * size - (signed ? 1 : 0)) - 1;
  return {
    read: (reader) => {
      const at = reader.offset;
      return nonNegative(reader.integer(size, order, signed), at);
    },
    write: (writer, value) => {
      if (value > limit) throw new Refusal('limit-exceeded', `a length or count of ${value}, at most ${limit}`);
      writer.integer(value, size, order);
    },
  };
}

/**
 * @param {Measure} length
 * @param {'strict' | 'bytes'} utf8
 * @param {(text: import('./text.mjs').Text) => string | null} [fault] what a text breaks, beyond its encoding
 * @returns {FieldType}
 */
function stringType(length, utf8, fault = () => null) {
  return {
    check: shape.text,
    read: (reader) => {
      const size = length.read(reader);
      const at = reader.offset;
      const text = readText(reader, size, utf8);
      const found = fault(text);
      if (found !== null) throw new Rejection('invalid-value', at, found);
      return text;
    },
    write: (writer, value) => {
      const run = toBytes(value, utf8);
      length.write(writer, run.length);
      const found = fault(value);
      if (found !== null) throw new Refusal('invalid-value', found);
      writer.bytes(run);
    },
  };
}

/** COMET-1.21. @param {import('./text.mjs').Text} text */
function topicFault(text) {
  const begins = typeof text === 'string' ? text.startsWith('@') : text.hex.startsWith('40');
  return begins ? null : 'a topic name begins with @';
}

/** @param {Measure} count @param {FieldType} item @returns {FieldType} */
function countedList(count, item) {
  return {
    check: shape.listOf(item.check),
    read: (reader) => {
      const items = [];
      for (let left = count.read(reader); left > 0; left--) items.push(item.read(reader, {}));
      return items;
    },
    write: (writer, value) => {
      count.write(writer, value.length);
      for (const each of value) item.write(writer, each, {});
    },
  };
}

/** Until the container is used up. @param {FieldType} item @returns {FieldType} */
function openList(item) {
  return {
    check: shape.listOf(item.check),
    read: (reader) => {
      const items = [];
      while (reader.left > 0) items.push(item.read(reader, {}));
      return items;
    },
    write: (writer, value) => {
      for (const each of value) item.write(writer, each, {});
    },
  };
}

/** @param {Measure} length @returns {FieldType} */
function bytesType(length) {
  return {
    check: shape.hex,
    read: (reader) => reader.hex(length.read(reader)),
    write: (writer, value) => {
      length.write(writer, value.length / 2);
      writer.hex(value);
    },
  };
}

/** @param {Layout} layout @returns {FieldType} */
function struct(layout) {
  return {
    check: (value, path) => {
      shape.object(value, path);
      checkFields(layout, value, path);
    },
    read: (reader) => readFields(layout, reader, {}),
    write: (writer, value) => writeFields(layout, writer, value),
  };
}

/** @param {Readonly<Record<string, any>>} profile */
export function cometTypes({ order, utf8, ...profile }) {
  const short = measure(2, order, profile.short === 'signed');
  const count = measure(1, order, profile.byte === 'signed');
  const byte = fixed(1, order, profile.byte === 'signed');
  const string = stringType(short, utf8);
  const notification = struct([
    ['msg_type', byte],
    ['msg_id', string],
    ['content', string],
    ['ts', fixed(8, order, profile.ts === 'signed')],
  ]);
  return {
    commandLength: short,
    byte,
    string,
    notification,
    strings: countedList(count, string),
    topics: countedList(count, stringType(short, utf8, topicFault)),
    notifications: countedList(count, notification),
    bytes: { short: bytesType(short), int: bytesType(measure(4, order, false)), rest }[profile.bytes],
    extra: {
      byte: countedList(count, string),
      short: countedList(short, string),
      rest: openList(string),
    }[profile.extra],
  };
}
