/**
 * A field's wire type is one object that knows its shape, how it is read and
 * how it is written; a layout is a list of named types, in wire order.
 */
import { Refusal } from './errors.mjs';
import { shown, toWrite } from './numbers.mjs';
import * as shape from './shape.mjs';

/** @typedef {import('./reader.mjs').Reader} Reader */
/** @typedef {import('./reader.mjs').Order} Order */
/** @typedef {import('./writer.mjs').Writer} Writer */

/**
 * @typedef {object} FieldType
 * @property {shape.Shape} check
 * @property {(reader: Reader, before: Record<string, any>) => any} read `before`: the fields already read
 * @property {(writer: Writer, value: any, whole: Record<string, any>) => void} write
 */

/** @typedef {readonly (readonly [string, FieldType])[]} Layout */

/**
 * @template {Record<string, any>} T
 * @param {Layout} layout
 * @param {Reader} reader
 * @param {T} into
 * @returns {T}
 */
export function readFields(layout, reader, into) {
  for (const [key, type] of layout) into[key] = type.read(reader, into);
  return into;
}

/** @param {Layout} layout @param {Writer} writer @param {Record<string, any>} value */
export function writeFields(layout, writer, value) {
  for (const [key, type] of layout) type.write(writer, value[key], value);
}

/**
 * @param {Layout} layout
 * @param {Record<string, any>} value
 * @param {string} path
 * @param {readonly string[]} [besides] keys of the object checked elsewhere
 * @param {readonly string[]} [ignored]
 */
export function checkFields(layout, value, path, besides = [], ignored = []) {
  shape.keys(value, path, [...besides, ...layout.map(([key]) => key)], ignored);
  for (const [key, type] of layout) type.check(value[key], `${path}.${key}`);
}

/**
 * A fixed-width integer, two's complement when signed (§5).
 * @param {1 | 2 | 4 | 8} size
 * @param {Order} order
 * @param {boolean} [signed]
 * @returns {FieldType}
 */
export function fixed(size, order, signed = false) {
  const bits = 8 * size;
  if (size === 8) {
    return {
      check: shape.decimal,
      read: (reader) => shown(reader.integer64(order, signed), bits),
      write: (writer, value) => writer.integer64(toWrite(value, bits, signed), order),
    };
  }
  return {
    check: shape.integer,
    read: (reader) => reader.integer(size, order, signed),
    write: (writer, value) => writer.integer(Number(toWrite(value, bits, signed)), size, order),
  };
}

/**
 * A run whose size is fixed by the layout.
 * @param {number} size
 * @returns {FieldType}
 */
export function exactly(size) {
  return {
    check: shape.hex,
    read: (reader) => reader.hex(size),
    write: (writer, value) => {
      if (value.length !== 2 * size) {
        throw new Refusal('length-mismatch', `${value.length / 2} bytes given, the field has ${size}`);
      }
      writer.hex(value);
    },
  };
}

/** Whatever is left of the container, opaque. @type {FieldType} */
export const rest = {
  check: shape.hex,
  read: (reader) => reader.rest(),
  write: (writer, value) => writer.hex(value),
};
