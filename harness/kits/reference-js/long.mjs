/**
 * Long requests and answers. Nearly all of one is a single run of hex, and to parse or escape that run takes most of
 * the time there is: so it is passed by, and only what stands around it is parsed or escaped.
 */
import { Hex } from './hex.mjs';
import { decodeRun, textOfRun } from './run.mjs';
import { isHex } from './shape.mjs';
import { decodeUtf8 } from './text.mjs';

/** Bytes of a line, digits of a run. */
export const LONG = 1 << 14;

const QUOTE = 0x22;
/** Without escapes, every quote begins or ends a string. */
const NOT_PLAIN = /[^ !-[\]-~]/;
/** A string in front of these is a value, never a key. */
const AFTER_VALUE = [...',]}'].map((character) => character.charCodeAt(0));
/** Strings that are looked at in search of the run. */
const STRINGS = 100;
/** Takes the place of the run. */
const STAND_IN = 'run of hex';
/** Containers of more items are left to JSON.stringify, which is faster item by item. */
const FEW = 100;

/**
 * As JSON.parse, but for a long run in `hex` or `chunks`: that may be the bytes it stands for, valid until the next.
 * @param {Buffer} line
 * @returns {any}
 */
export function parseLong(line) {
  return parseAroundRun(line) ?? JSON.parse(decodeUtf8(line, 0, line.length) ?? '');
}

/** @param {Buffer} line @returns {any} undefined if it takes more than this to tell */
function parseAroundRun(line) {
  const found = findString(line);
  if (found === null) return undefined;
  const [start, end] = found;
  const around = [line.toString('latin1', 0, start), line.toString('latin1', end)];
  if (around.some((text) => NOT_PLAIN.test(text) || text.includes(STAND_IN))) return undefined;
  const digits = line.subarray(start, end);
  const bytes = decodeRun(digits);
  if (bytes === null) return undefined;
  try {
    return putBack(around.join(STAND_IN), digits, bytes);
  } catch {
    return undefined;
  }
}

/** @param {Buffer} line @returns {[number, number] | null} bounds of the first long string, if it is a value */
function findString(line) {
  let end = -1;
  for (let i = 0; i < STRINGS; i++) {
    const start = line.indexOf(QUOTE, end + 1) + 1;
    end = line.indexOf(QUOTE, start);
    if (start === 0 || end < 0) break;
    if (end - start >= LONG) return AFTER_VALUE.includes(line[end + 1]) ? [start, end] : null;
  }
  return null;
}

/** @param {string} json @param {Buffer} digits @param {Buffer} bytes @returns {any} */
function putBack(json, digits, bytes) {
  const request = JSON.parse(json);
  if (request.hex === STAND_IN) return { ...request, hex: bytes };
  const { chunks } = request;
  if (Array.isArray(chunks) && chunks.includes(STAND_IN)) {
    return { ...request, chunks: chunks.map((chunk) => (chunk === STAND_IN ? bytes : chunk)) };
  }
  const text = textOfRun(digits);
  return JSON.parse(json, (_, value) => (value === STAND_IN ? text : value));
}

/**
 * As JSON.stringify, in parts.
 * @param {any} value
 * @returns {(string | Buffer)[]}
 */
export function stringifyLong(value) {
  const parts = [];
  addParts(value, parts);
  return parts;
}

/** @param {any} value @param {(string | Buffer)[]} parts */
function addParts(value, parts) {
  if (typeof value === 'string' && value.length >= LONG && isHex(value)) {
    parts.push('"', value, '"');
  } else if (value instanceof Hex) {
    parts.push('"', value.bytes, '"');
  } else if (Array.isArray(value) && value.length <= FEW) {
    addItems('[', value, parts, (item) => addParts(item, parts), ']');
  } else if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    addItems('{', Object.keys(value), parts, (key) => {
      parts.push(`${JSON.stringify(key)}:`);
      addParts(value[key], parts);
    }, '}');
  } else {
    parts.push(JSON.stringify(value));
  }
}

function addItems(open, items, parts, add, close) {
  parts.push(open);
  items.forEach((item, index) => {
    if (index > 0) parts.push(',');
    add(item);
  });
  parts.push(close);
}
