/**
 * Shapes of §10. A value that fails here was never a value: the answer is
 * the contract's `error`. Whether a well-shaped value can be written is asked
 * later, field by field (§8).
 */
import { BadRequest } from './errors.mjs';
import { bytesOfRun } from './run.mjs';

/** @typedef {(value: unknown, path: string) => void} Shape */

/** @param {string} path @param {string} wanted @returns {never} */
function wrong(path, wanted) {
  throw new BadRequest(`${path}: ${wanted} expected`);
}

/**
 * An integer literal beyond a double's range parses as infinity; it is still
 * an integer, only one that no field can hold.
 * @type {Shape}
 */
export function integer(value, path) {
  if (typeof value !== 'number' || (!Number.isInteger(value) && Math.abs(value) !== Infinity)) {
    wrong(path, 'a JSON integer');
  }
}

/**
 * Written without a quantified pattern: one over megabytes of digits can
 * exhaust the matcher's stack.
 * @type {Shape}
 */
export function decimal(value, path) {
  if (typeof value !== 'string') wrong(path, 'a decimal string');
  const negative = value.startsWith('-');
  const digits = negative ? value.slice(1) : value;
  const zeroFirst = digits.startsWith('0');
  if (digits === '' || /[^0-9]/.test(digits) || (zeroFirst && (negative || digits.length > 1))) {
    wrong(path, 'a decimal string without padding');
  }
}

/** @param {unknown} value @returns {value is string} */
export function isHex(value) {
  if (typeof value !== 'string') return false;
  return bytesOfRun(value) !== null || (value.length % 2 === 0 && !/[^0-9a-f]/.test(value));
}

/** @type {Shape} */
export function hex(value, path) {
  if (!isHex(value)) wrong(path, 'lower-case hex of even length');
}

/** @param {number} digits @returns {Shape} */
export function hexOf(digits) {
  return (value, path) => {
    if (!isHex(value) || value.length !== digits) wrong(path, `${digits} hex digits`);
  };
}

/** @type {Shape} */
export function bool(value, path) {
  if (typeof value !== 'boolean') wrong(path, 'true or false');
}

/** @type {Shape} */
export function string(value, path) {
  if (typeof value !== 'string') wrong(path, 'a string');
}

/** A JSON string, or `{"hex"}` in its place. @type {Shape} */
export function text(value, path) {
  if (typeof value === 'string') return;
  object(value, path);
  keys(value, path, ['hex']);
  hex(value.hex, `${path}.hex`);
}

/** @param {unknown} value @param {string} path @returns {asserts value is Record<string, any>} */
export function object(value, path) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) wrong(path, 'an object');
}

/** @param {Shape} item @returns {Shape} */
export function listOf(item) {
  return (value, path) => {
    if (!Array.isArray(value)) wrong(path, 'a list');
    for (let i = 0; i < value.length; i++) item(value[i], `${path}[${i}]`);
  };
}

/** @type {Shape} */
export function pair(value, path) {
  if (!Array.isArray(value) || value.length !== 2) wrong(path, 'a list of two');
}

/**
 * Every required key is there, and no key beyond the required and optional.
 * @param {Record<string, unknown>} value
 * @param {string} path
 * @param {readonly string[]} required
 * @param {readonly string[]} [optional]
 */
export function keys(value, path, required, optional = []) {
  for (const key of required) {
    if (!Object.hasOwn(value, key)) throw new BadRequest(`${path}: key ${key} is missing`);
  }
  for (const key of Object.keys(value)) {
    if (!required.includes(key) && !optional.includes(key)) {
      throw new BadRequest(`${path}: unknown key ${key.slice(0, 40)}`);
    }
  }
}

/**
 * An object with one key, as every message is.
 * @param {unknown} value
 * @param {string} key
 * @returns {any} what the key holds
 */
export function only(value, key) {
  object(value, 'value');
  keys(value, 'value', [key]);
  return value[key];
}
