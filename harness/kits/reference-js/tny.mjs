/** tny packets: "tny.", Option, PayloadLength, PayLoad (TNY-1.2). */
import { Refusal, Rejection } from './errors.mjs';
import { rest } from './fields.mjs';
import { expectMagic } from './magic.mjs';
import { toWrite } from './numbers.mjs';
import * as shape from './shape.mjs';
import { payloadType } from './tny-payload.mjs';
import { Writer } from './writer.mjs';

/** @typedef {import('./reader.mjs').Reader} Reader */

const MAGIC = 'tny.';
const MESSAGE = 0;
const FLAGS = ['type', 'waste', 'encrypt', 'verify'];

/**
 * @param {Readonly<Record<string, any>>} profile
 * @returns {import('./codecs.mjs').Codec}
 */
export function compile(profile) {
  const payload = payloadType(profile);
  return {
    unit: () => readPacket(profile, payload),
    check: (value) => checkPacket(payload, shape.only(value, 'packet')),
    encode: (value) => writePacket(profile, payload, value.packet),
  };
}

/** Without a length field under `ping=bare`. */
const isBare = (profile, type) => profile.ping === 'bare' && type !== MESSAGE;

function* readPacket(profile, payload) {
  const start = yield* expectMagic(MAGIC);
  let head = yield profile.ping === 'bare' ? 1 : 5;
  const packet = readOption(head);
  let length = 0;
  if (!isBare(profile, packet.type)) {
    if (profile.ping === 'bare') head = yield 4;
    length = readPayloadLength(profile, head, start + 5);
  }
  const block = yield length;
  if (packet.type === MESSAGE) packet.payload = payload.read(block, packet);
  else packet.payload_raw = block.rest();
  return { packet };
}

/** Bits 7-5 zero, 4 waste, 3 encrypt, 2 verify, 1-0 type (TNY-1.4). @param {Reader} head */
function readOption(head) {
  const at = head.offset;
  const option = head.byte();
  const isSet = (bit) => (option & (1 << bit)) !== 0;
  const packet = { type: option & 3, waste: isSet(4), encrypt: isSet(3), verify: isSet(2) };
  if (option > 0x1f) throw new Rejection('reserved-bits', at, 'the three high bits of Option are 0');
  if (packet.type === 3) throw new Rejection('unknown-type', at, 'packet type 3 is not assigned');
  if (packet.type === MESSAGE && (packet.waste || packet.encrypt)) {
    throw new Rejection('unsupported', at, 'no layout is declared for waste bytes or encryption');
  }
  return packet;
}

/** 2^31 and more is beyond the limit, never negative (§6). */
function readPayloadLength({ order, max_payload: limit }, head, at) {
  const length = head.integer(4, order);
  if (length > limit) throw new Rejection('limit-exceeded', at, `a payload of ${length} bytes, at most ${limit}`);
  return length;
}

/** Which payload a packet has depends on its type; one of no type is refused whatever it has. */
function checkPacket(payload, packet) {
  shape.object(packet, 'packet');
  shape.integer(packet.type, 'packet.type');
  const content = packet.type === MESSAGE ? 'payload' : 'payload_raw';
  const listed = packet.type >= 0 && packet.type <= 2;
  shape.keys(packet, 'packet', listed ? [...FLAGS, content] : FLAGS, listed ? [] : Object.keys(packet));
  for (const flag of FLAGS.slice(1)) shape.bool(packet[flag], `packet.${flag}`);
  if (listed) (packet.type === MESSAGE ? payload : rest).check(packet[content], `packet.${content}`);
}

/** @returns {Buffer} */
function writePacket(profile, payload, packet) {
  const writer = new Writer();
  writer.bytes(Buffer.from(MAGIC));
  writer.byte(optionOf(packet));
  const content = new Writer();
  if (packet.type === MESSAGE) payload.write(content, packet.payload, packet);
  else content.hex(packet.payload_raw);
  if (isBare(profile, packet.type)) {
    if (content.length > 0) throw new Refusal('length-mismatch', 'a bare Ping or Pong has no payload');
    return writer.result();
  }
  if (content.length > profile.max_payload) {
    throw new Refusal('limit-exceeded', `a payload of ${content.length} bytes, at most ${profile.max_payload}`);
  }
  writer.integer(content.length, 4, profile.order);
  writer.bytes(content.result());
  return writer.result();
}

/** @returns {number} */
function optionOf({ type, waste, encrypt, verify }) {
  toWrite(type, 2, false);
  if (type === 3) throw new Refusal('unknown-type', 'packet type 3 is not assigned');
  if (type === MESSAGE && (waste || encrypt)) {
    throw new Refusal('unsupported', 'no layout is declared for waste bytes or encryption');
  }
  return type | (verify ? 4 : 0) | (encrypt ? 8 : 0) | (waste ? 16 : 0);
}
