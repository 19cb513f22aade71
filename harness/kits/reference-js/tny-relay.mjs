/** RelayPack: "rpk", PacketLength, PackId, Option, Time, arguments (RPK-1.2). */
import { Refusal, Rejection } from './errors.mjs';
import { checkFields, fixed, rest } from './fields.mjs';
import { expectMagic } from './magic.mjs';
import { toWrite } from './numbers.mjs';
import * as shape from './shape.mjs';
import { Writer } from './writer.mjs';

/** @typedef {import('./reader.mjs').Reader} Reader */

const MAGIC = 'rpk';
/** PackId, Option and Time, which every packet has. */
const FIXED = 13;

/** PacketLength of a packet without arguments, for each reading of RPK-1.4. */
const EMPTY_LENGTH = { after: FIXED, total: FIXED + 7, args: 0 };

/**
 * @param {Readonly<Record<string, any>>} profile
 * @returns {import('./codecs.mjs').Codec}
 */
export function compile(profile) {
  const { order, max_packet: limit } = profile;
  const empty = EMPTY_LENGTH[profile.relay_length];
  const packId = fixed(4, order);
  const time = fixed(8, order, true);
  const bits = { check: shape.integer };
  const shaped = [['pack_id', packId], ['mark', bits], ['sub_id', bits], ['time', time], ['args', rest]];

  function* unit() {
    const start = yield* expectMagic(MAGIC);
    const length = (yield 4).integer(4, order);
    if (length < empty) throw new Rejection('length-mismatch', start + 3, `PacketLength is at least ${empty}`);
    if (length > limit) throw new Rejection('limit-exceeded', start + 3, `PacketLength ${length}, at most ${limit}`);
    const block = yield FIXED + length - empty;
    const relay = { pack_id: packId.read(block, {}), ...readOption(block) };
    relay.time = time.read(block, relay);
    relay.args = block.rest();
    return { relay };
  }

  function encode({ relay }) {
    const writer = new Writer();
    packId.write(writer, relay.pack_id, relay);
    writer.byte(optionOf(relay));
    time.write(writer, relay.time, relay);
    writer.hex(relay.args);
    const length = empty + writer.length - FIXED;
    if (length > limit) throw new Refusal('limit-exceeded', `PacketLength ${length}, at most ${limit}`);
    const packet = new Writer();
    packet.bytes(Buffer.from(MAGIC));
    packet.integer(length, 4, order);
    packet.bytes(writer.result());
    return packet.result();
  }

  function check(value) {
    const relay = shape.only(value, 'relay');
    shape.object(relay, 'relay');
    checkFields(shaped, relay, 'relay');
  }

  return { unit, check, encode };
}

/** Bits 7-5 zero, 4 mark, 3-0 subId (RPK-1.6). @param {Reader} reader */
function readOption(reader) {
  const at = reader.offset;
  const option = reader.byte();
  if (option > 0x1f) throw new Rejection('reserved-bits', at, 'the three high bits of Option are 0');
  return { mark: option >> 4, sub_id: option & 15 };
}

/** @returns {number} */
function optionOf({ mark, sub_id: subId }) {
  return (Number(toWrite(mark, 1, false)) << 4) | Number(toWrite(subId, 4, false));
}
