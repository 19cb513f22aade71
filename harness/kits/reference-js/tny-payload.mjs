/** The PayLoad of a tny message packet, and the Message inside it (TNY-2, TNY-3). */
import { crc32 } from './crc32.mjs';
import { Refusal, Rejection } from './errors.mjs';
import { checkFields, readFields, writeFields } from './fields.mjs';
import { toWrite } from './numbers.mjs';
import * as shape from './shape.mjs';
import { nonNegative, tnyVarint } from './varint.mjs';
import { Writer } from './writer.mjs';

/** @typedef {import('./fields.mjs').FieldType} FieldType */
/** @typedef {import('./reader.mjs').Reader} Reader */

const CHECK_SIZE = 4;
const BITS = { var32: 32, var64: 64 };

/**
 * @param {Readonly<Record<string, any>>} profile
 * @returns {FieldType} whose third party is the packet with its flags
 */
export function payloadType(profile) {
  const start = [
    ['access_id', tnyVarint(profile.varint, BITS[profile.access_id])],
    ['number', tnyVarint(profile.varint, BITS[profile.number])],
  ];
  const message = messageType(profile.varint);
  return {
    check: (value, path) => {
      shape.object(value, path);
      checkFields(start, value, path, ['message'], ['check']);
      message.check(value.message, `${path}.message`);
    },
    read: (reader, { verify }) => {
      const payload = readFields(start, reader, {});
      const check = verify ? verifyCheck(reader, profile.order) : undefined;
      const container = reader.window(reader.left - (verify ? CHECK_SIZE : 0));
      payload.message = message.read(container, payload);
      container.finish();
      if (verify) payload.check = check;
      return payload;
    },
    write: (writer, value, { verify }) => {
      writeFields(start, writer, value);
      const bytes = new Writer();
      message.write(bytes, value.message, value);
      writer.bytes(bytes.result());
      if (verify) writer.integer(crc32(bytes.result()), CHECK_SIZE, profile.order);
    },
  };
}

/**
 * Integrity comes before content (§3, exception a): room for the check, then
 * its value, before any field of Message. The caller's reader stays in place.
 * @param {Reader} reader at the first byte of Message
 * @param {'big' | 'little'} order
 * @returns {string} the check as its wire bytes
 */
function verifyCheck(reader, order) {
  const look = reader.copy();
  if (look.left < CHECK_SIZE) throw new Rejection('overrun', look.offset, 'no room for the CheckCode');
  const expected = crc32(look.run(look.left - CHECK_SIZE));
  const at = look.offset;
  const wire = look.copy().rest();
  const found = look.integer(CHECK_SIZE, order);
  if (found !== expected) throw new Rejection('checksum-mismatch', at, 'the CheckCode is not that of Message');
  return wire;
}

/** @param {'plain' | 'zigzag' | 'protobuf'} form @returns {FieldType} */
function messageType(form) {
  const var32 = tnyVarint(form, 32);
  const var64 = tnyVarint(form, 64);
  const id = [['message_id', var64]];
  const middle = [['protocol_id', var32], ['result_code', var32], ['to_message', var64], ['time', var64]];
  const run = counted(var32);
  const shaped = [...id, ['mode', { check: shape.integer }], ['line', { check: shape.integer }], ...middle];
  return {
    check: (value, path) => {
      shape.object(value, path);
      checkFields(shaped, value, path, [], ['forward_header', 'body']);
      for (const key of ['forward_header', 'body']) {
        if (Object.hasOwn(value, key)) shape.hex(value[key], `${path}.${key}`);
      }
    },
    read: (reader) => {
      const message = readFields(id, reader, {});
      const option = readOption(reader);
      message.mode = option.mode;
      message.line = option.line;
      readFields(middle, reader, message);
      if (option.header) message.forward_header = run.read(reader, message);
      if (option.body) message.body = run.read(reader, message);
      return message;
    },
    write: (writer, value) => {
      writeFields(id, writer, value);
      writer.byte(optionOf(value));
      writeFields(middle, writer, value);
      if (value.forward_header !== undefined) run.write(writer, value.forward_header, value);
      if (value.body !== undefined) run.write(writer, value.body, value);
    },
  };
}

/** Bit 7 zero, 6 forward header, 5-3 line, 2 body, 1-0 mode (TNY-3.4). @param {Reader} reader */
function readOption(reader) {
  const at = reader.offset;
  const option = reader.byte('Option');
  if (option > 0x7f) throw new Rejection('reserved-bits', at, 'the high bit of Option is 0');
  const mode = option & 3;
  if (mode === 3) throw new Rejection('unknown-enum', at, 'mode 3 is not assigned');
  return { mode, line: (option >> 3) & 7, body: (option & 4) !== 0, header: (option & 64) !== 0 };
}

/** Both widths are asked before the meaning: they share a byte. @returns {number} */
function optionOf({ mode, line, forward_header: header, body }) {
  toWrite(line, 3, false);
  toWrite(mode, 2, false);
  if (mode === 3) throw new Refusal('unknown-enum', 'mode 3 is not assigned');
  return (header === undefined ? 0 : 64) | (line << 3) | (body === undefined ? 0 : 4) | mode;
}

/** A VarInt32 length and that many bytes (TNY-3.2). @param {FieldType} length @returns {FieldType} */
function counted(length) {
  return {
    check: shape.hex,
    read: (reader, before) => {
      const at = reader.offset;
      return reader.hex(nonNegative(length.read(reader, before), at));
    },
    write: (writer, value, whole) => {
      length.write(writer, value.length / 2, whole);
      writer.hex(value);
    },
  };
}
