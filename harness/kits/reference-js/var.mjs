/** Var, the self-describing value of both ESNP revisions (ESNPF-3.25, ESNPL-2.25). */
import { Refusal, Rejection } from './errors.mjs';
import { bool, byte, lenBytes, lenString, withoutDuplicates } from './esnp-types.mjs';
import { exactly } from './fields.mjs';
import * as shape from './shape.mjs';
import { nonNegative, readVarint, varint, writeVarint } from './varint.mjs';

/** @typedef {import('./fields.mjs').FieldType} FieldType */
/** @typedef {import('./reader.mjs').Reader} Reader */
/** @typedef {import('./writer.mjs').Writer} Writer */

/**
 * @typedef {object} VarRules
 * @property {32 | 64} intBits width of Int and Uint, so of lengths and counts
 * @property {FieldType} int8 the revisions differ here (ESNPF-3.4, ESNPL-2.5)
 * @property {'zigzag' | 'uvarint'} counts
 * @property {'strict' | 'bytes'} utf8
 * @property {'keep' | 'first' | 'last'} dup_keys
 * @property {number} max_depth
 */

const MAP = 21;
const LIST = 23;

/** One object for all nulls: a frame of them is 16 million. */
const NULL = Object.freeze({ t: 'null' });

/** For types that depend on no other field. */
const ALONE = Object.freeze({});

/** @param {number} size @returns {FieldType} */
const float = (size) => ({ ...exactly(size), check: shape.hexOf(2 * size) });

/**
 * @param {VarRules} rules
 * @returns {[number, string, FieldType | null][]} null: no bytes, or a container
 */
function tags({ intBits, int8, utf8 }) {
  return [
    [0, 'null', null],
    [1, 'bool', bool],
    [2, 'int', varint(intBits, true)],
    [3, 'int8', int8],
    [4, 'int16', varint(16, true)],
    [5, 'int32', varint(32, true)],
    [6, 'int64', varint(64, true)],
    [7, 'uint', varint(intBits, false)],
    [8, 'uint8', byte],
    [9, 'uint16', varint(16, false)],
    [10, 'uint32', varint(32, false)],
    [11, 'uint64', varint(64, false)],
    [13, 'float32', float(4)],
    [14, 'float64', float(8)],
    [17, 'bytes', lenBytes(intBits)],
    [MAP, 'map', null],
    [LIST, 'list', null],
    [24, 'string', lenString(intBits, utf8)],
  ];
}

/** Key that holds the content of a scalar. @param {string} t */
const contentKey = (t) => (t.startsWith('float') ? 'bits' : 'v');

/**
 * Depth counts the maps and lists that are open, so recursion is bounded by
 * `max_depth` in all three directions.
 * @param {VarRules} rules
 * @returns {FieldType}
 */
export function varType(rules) {
  const entries = tags(rules).map(([code, t, type]) => ({ code, t, type, content: contentKey(t) }));
  /** @type {(typeof entries[number] | undefined)[]} */
  const byCode = [];
  for (const entry of entries) byCode[entry.code] = entry;
  const byTag = new Map(entries.map((entry) => [entry.t, entry]));
  const key = lenString(rules.intBits, rules.utf8);
  const signedCounts = rules.counts === 'zigzag';

  /** A count is never compared with the bytes left (§3). @param {Reader} reader */
  function readCount(reader) {
    const at = reader.offset;
    return nonNegative(readVarint(reader, rules.intBits, signedCounts), at);
  }

  /** @param {Reader} reader @param {number} depth */
  function read(reader, depth) {
    const at = reader.offset;
    const code = reader.byte('a Var type');
    const entry = byCode[code];
    if (entry === undefined) throw new Rejection('unknown-type', at, `Var type ${code} is not assigned`);
    const { t, type, content } = entry;
    if (type !== null) {
      const scalar = type.read(reader, ALONE);
      return content === 'v' ? { t, v: scalar } : { t, bits: scalar };
    }
    if (t === 'null') return NULL;
    if (depth === rules.max_depth) {
      throw new Rejection('limit-exceeded', at, `more than ${rules.max_depth} maps and lists open`);
    }
    return { t, v: t === 'map' ? readMap(reader, depth + 1) : readList(reader, depth + 1) };
  }

  /** @param {Reader} reader @param {number} depth */
  function readMap(reader, depth) {
    const count = readCount(reader);
    const pairs = [];
    while (pairs.length < count) pairs.push([key.read(reader, ALONE), read(reader, depth)]);
    return withoutDuplicates(pairs, rules.dup_keys);
  }

  /** @param {Reader} reader @param {number} depth */
  function readList(reader, depth) {
    const count = readCount(reader);
    const items = [];
    while (items.length < count) items.push(read(reader, depth));
    return items;
  }

  /** @param {Writer} writer @param {any} value @param {number} depth */
  function write(writer, value, depth) {
    const entry = byTag.get(value.t);
    if (entry === undefined) throw new Refusal('unknown-type', `no Var type is called ${value.t.slice(0, 40)}`);
    const container = entry.code === MAP || entry.code === LIST;
    if (container && depth === rules.max_depth) {
      throw new Refusal('limit-exceeded', `more than ${rules.max_depth} maps and lists open`);
    }
    writer.byte(entry.code);
    if (entry.type !== null) entry.type.write(writer, value[entry.content], value);
    if (container) writeItems(writer, value, depth + 1);
  }

  /** @param {Writer} writer @param {any} value a map or a list @param {number} depth */
  function writeItems(writer, { t, v }, depth) {
    writeVarint(writer, BigInt(v.length), signedCounts);
    for (const item of v) {
      if (t === 'map') key.write(writer, item[0], ALONE);
      write(writer, t === 'map' ? item[1] : item, depth);
    }
  }

  /** What lies deeper than `max_depth` is refused unseen. */
  function check(value, path, depth) {
    shape.object(value, path);
    shape.string(value.t, `${path}.t`);
    const entry = byTag.get(value.t);
    if (entry === undefined) return;
    if (entry.code === 0) return shape.keys(value, path, ['t']);
    shape.keys(value, path, ['t', entry.content], entry.content === 'bits' ? ['v'] : []);
    if (entry.type !== null) return entry.type.check(value[entry.content], `${path}.${entry.content}`);
    if (depth === rules.max_depth) return;
    const item = entry.code === MAP ? checkPair : check;
    shape.listOf((each, where) => item(each, where, depth + 1))(value.v, `${path}.v`);
  }

  function checkPair(pair, path, depth) {
    shape.pair(pair, path);
    key.check(pair[0], `${path}[0]`);
    check(pair[1], `${path}[1]`, depth);
  }

  return {
    check: (value, path) => check(value, path, 0),
    read: (reader) => read(reader, 0),
    write: (writer, value) => write(writer, value, 0),
  };
}
