/** ESNP, frame revision: its table of frame types (ESNPF-4). */
import { esnpCodec } from './esnp.mjs';
import { byte, fixUint64, lenString } from './esnp-types.mjs';
import { rest } from './fields.mjs';
import { varType } from './var.mjs';
import { varint } from './varint.mjs';

/** @typedef {import('./esnp.mjs').UnitType} UnitType */

const OPAQUE = [['body', rest]];

/** Local to a process, without an encoding (ESNPF-4.3). */
const CLOSE_CHANNEL = { rejected: 'forbidden-type', refused: 'forbidden-type' };

/**
 * @param {Readonly<Record<string, any>>} profile
 * @returns {import('./codecs.mjs').Codec}
 */
export function compile(profile) {
  const types = frameTypes(profile);
  const unknown = {
    layout: OPAQUE,
    rejected: profile.unknown_frames === 'reject' ? 'unknown-type' : undefined,
    skipped: profile.unknown_frames === 'skip',
  };
  return esnpCodec({
    list: 'frames',
    unitType: (code) => types[code] ?? unknown,
    sizeOrder: profile.size_order,
    maxFrame: profile.max_frame,
    maxMessage: profile.max_message,
  });
}

/** @param {Readonly<Record<string, any>>} profile @returns {Record<number, UnitType>} */
function frameTypes(profile) {
  const int = varint(profile.int_bits, true);
  const string = lenString(profile.int_bits, profile.utf8);
  const variable = varType({ ...profile, intBits: profile.int_bits, int8: varint(8, true) });
  const keyValue = [['key', string], ['value', variable]];
  const address = [['address_type', int], ['value', string]];
  const once = profile.duplicates === 'reject';
  return {
    0x09: CLOSE_CHANNEL,
    0x10: { name: 'SESSION_INFO', layout: keyValue },
    0x11: { name: 'MESSAGE_ID', layout: [['id', fixUint64]], size: 8, once },
    0x12: { name: 'MESSAGE_KIND', layout: [['kind', byte]], size: 1, once },
    0x13: { name: 'HEADER', layout: keyValue },
    ...undefinedBodies(profile.bodies, {
      0x14: { name: 'DATA', layout: keyValue },
      0x15: { name: 'PAYLOAD', layout: OPAQUE },
      0x16: { name: 'ADDRESS', layout: address },
      0x17: { name: 'SOURCE_ADDRESS', layout: address },
      0x18: { name: 'SOURCE_MESSAGE_ID', layout: [['id', fixUint64]], size: 8 },
      0x19: { name: 'TRACE', layout: [], size: 0 },
      0x1a: { name: 'TRACE_RESP', layout: [], size: 0 },
      0x1b: { name: 'SEQ_NO', layout: [['current', int], ['max', int]] },
      0x1c: { name: 'XDATA', layout: [['id', int], ['body', rest]] },
    }),
  };
}

/**
 * The document names these nine and gives no body (ESNPF-4.19 to 4.27);
 * `bodies` says whether the deployed ones are read.
 * @param {'structured' | 'opaque'} bodies
 * @param {Record<number, UnitType>} types
 * @returns {Record<number, UnitType>}
 */
function undefinedBodies(bodies, types) {
  if (bodies === 'structured') return types;
  const opaque = ([code, { name }]) => [code, { name, layout: OPAQUE }];
  return Object.fromEntries(Object.entries(types).map(opaque));
}
