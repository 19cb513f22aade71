/** The six codecs behind three operations. */
import { BlockStream } from './blocks.mjs';
import * as comet from './comet.mjs';
import * as esnpFrame from './esnp-frame.mjs';
import * as esnpLine from './esnp-line.mjs';
import * as magline from './magline.mjs';
import { resolveProfile } from './profile.mjs';
import * as relay from './tny-relay.mjs';
import * as tny from './tny.mjs';

/**
 * @typedef {object} Codec one protocol under one profile
 * @property {import('./blocks.mjs').Unit} unit
 * @property {(value: unknown) => void} check throws BadRequest on a wrong shape
 * @property {(value: any) => Buffer} encode of a checked value; throws Refusal
 */

/** @type {ReadonlyMap<string, {compile: (profile: Readonly<Record<string, any>>, direction?: any) => Codec}>} */
const CODECS = new Map([
  ['esnp-frame', esnpFrame],
  ['esnp-line', esnpLine],
  ['tny', tny],
  ['tny-relay', relay],
  ['magline', magline],
  ['comet', comet],
]);

export const PROTOCOLS = [...CODECS.keys()];

/** @type {Map<string, Codec>} */
const compiled = new Map();
const COMPILED_MAX = 256;

/**
 * Compiled once per profile: a run asks many questions under few profiles.
 * @param {string} protocol one of PROTOCOLS
 * @param {unknown} [profile] what differs from `standard`
 * @param {'c2s' | 's2c'} [direction] of comet
 * @returns {Codec}
 */
export function codecFor(protocol, profile, direction) {
  const key = profile === undefined ? (direction ?? protocol) : `${protocol} ${direction} ${JSON.stringify(profile)}`;
  const known = compiled.get(key);
  if (known !== undefined) return known;
  const codec = CODECS.get(protocol).compile(resolveProfile(protocol, profile), direction);
  if (compiled.size === COMPILED_MAX) compiled.clear();
  compiled.set(key, codec);
  return codec;
}

/**
 * @param {Codec} codec
 * @param {Buffer[]} chunks
 * @param {boolean} [ended]
 * @returns {BlockStream}
 */
export function stream(codec, chunks, ended = true) {
  const blocks = new BlockStream(codec.unit);
  for (const chunk of chunks) blocks.feed(chunk);
  if (ended) blocks.end();
  return blocks;
}

/**
 * @param {Codec} codec
 * @param {unknown} value one message
 * @returns {Buffer}
 */
export function encode(codec, value) {
  codec.check(value);
  return codec.encode(value);
}
