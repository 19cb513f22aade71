/** One request line to one answer line, by contract 1. No input and no output here. */
import { codecFor, encode, PROTOCOLS, stream } from './codecs.mjs';
import { BadRequest, Refusal, Unsupported } from './errors.mjs';
import { decodeHex, Hex } from './hex.mjs';
import { LONG, parseLong, stringifyLong } from './long.mjs';

/** @typedef {import('./lines.mjs').Line} Line */
/** @typedef {import('./lines.mjs').Answer} Answer */

const IDENTITY = {
  contract: 1,
  name: 'wireproof-reference-js',
  language: 'JavaScript',
  version: '0.1.0',
  reasons: 'classes',
};
const DIRECTIONS = ['c2s', 's2c'];

/** @type {ReadonlyMap<string, (id: number, request: Record<string, any>) => object>} */
const OPERATIONS = new Map([
  ['hello', hello],
  ['decode', answerDecode],
  ['encode', answerEncode],
  ['stream', answerStream],
]);

/**
 * @param {Line} line
 * @returns {Answer} without a line feed
 */
export function answerLine(line) {
  const request = parse(line);
  const id = Number.isSafeInteger(request?.id) ? request.id : null;
  if (id === null) return JSON.stringify(failure(null, 'a request is a JSON object with an integer id'));
  try {
    const reply = answer(id, request);
    return typeof line === 'string' ? JSON.stringify(reply) : stringifyLong(reply);
  } catch (thrown) {
    // A rendering beyond the longest string is the one failure that is nobody's mistake
    return JSON.stringify(failure(id, `no answer can be given: ${thrown?.message ?? thrown}`));
  }
}

/** @param {Line} line @returns {any} */
function parse(line) {
  try {
    return typeof line === 'string' ? JSON.parse(line) : parseLong(line);
  } catch {
    return null;
  }
}

/** @param {number | null} id @param {string} message @returns {object} */
function failure(id, message) {
  return { id, error: { message } };
}

/** @param {number} id @param {Record<string, any>} request @returns {object} */
function answer(id, request) {
  try {
    if (typeof request.op !== 'string') throw new BadRequest('op: a string expected');
    const operation = OPERATIONS.get(request.op);
    if (operation === undefined) throw new Unsupported(`no operation is called ${request.op.slice(0, 40)}`);
    return operation(id, request);
  } catch (thrown) {
    if (thrown instanceof BadRequest) return failure(id, thrown.message);
    if (thrown instanceof Unsupported) return { id, unsupported: { reason: thrown.reason } };
    if (thrown instanceof Refusal) return { id, reject: { error: thrown.error, detail: thrown.detail } };
    throw thrown;
  }
}

/** @param {number} id @returns {object} */
function hello(id) {
  const able = { operations: ['decode', 'encode', 'stream'], profile: 'any' };
  const entry = (protocol) => [protocol, protocol === 'comet' ? { ...able, directions: DIRECTIONS } : able];
  return { id, ok: { ...IDENTITY, protocols: Object.fromEntries(PROTOCOLS.map(entry)) } };
}

/** @param {Record<string, any>} request */
function codecOf({ protocol, direction, profile }) {
  if (typeof protocol !== 'string') throw new BadRequest('protocol: a string expected');
  if (!PROTOCOLS.includes(protocol)) throw new Unsupported(`no protocol is called ${protocol.slice(0, 40)}`);
  if (protocol !== 'comet') return codecFor(protocol, profile);
  if (!DIRECTIONS.includes(direction)) throw new BadRequest('direction: comet needs "c2s" or "s2c"');
  return codecFor(protocol, profile, direction);
}

/** @param {unknown} digits a string, or what `parseLong` made of it @param {string} path @returns {Buffer} */
function bytesOf(digits, path) {
  if (typeof digits === 'string' && digits.length % 2 === 0) {
    const bytes = Buffer.allocUnsafe(digits.length / 2);
    if (decodeHex(digits, bytes, 0)) return bytes;
  }
  if (digits instanceof Buffer) return digits;
  throw new BadRequest(`${path}: lower-case hex of even length expected`);
}

/** @param {number} id @param {Record<string, any>} request @returns {object} */
function answerDecode(id, request) {
  const codec = codecOf(request);
  const { messages, consumed, rejection } = stream(codec, [bytesOf(request.hex, 'hex')]);
  if (rejection === null) return { id, ok: { messages, consumed } };
  const { error, offset, detail } = rejection;
  return { id, reject: { error, offset, detail, messages } };
}

/** @param {number} id @param {Record<string, any>} request @returns {object} */
function answerEncode(id, request) {
  const codec = codecOf(request);
  if (!Object.hasOwn(request, 'value')) throw new BadRequest('value: missing');
  return { id, ok: { hex: new Hex(encode(codec, request.value)) } };
}

/** @param {number} id @param {Record<string, any>} request @returns {object} */
function answerStream(id, request) {
  const codec = codecOf(request);
  const { chunks, eof = true } = request;
  if (!Array.isArray(chunks)) throw new BadRequest('chunks: a list of hex strings expected');
  if (typeof eof !== 'boolean') throw new BadRequest('eof: true or false expected');
  const pieces = chunks.map((chunk, index) => bytesOf(chunk, `chunks[${index}]`));
  const { messages, consumed, after, rejection, idle } = stream(codec, pieces, eof);
  if (rejection !== null) {
    const { error, offset, detail } = rejection;
    return { id, reject: { error, offset, detail, messages, after } };
  }
  const content = { messages, consumed, after };
  return idle ? { id, ok: content } : { id, incomplete: content };
}
