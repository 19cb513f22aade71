/** comet commands: a length that counts type and body, the type, the body (COMET-2.4). */
import { cometTypes } from './comet-types.mjs';
import { BadRequest, Refusal, Rejection } from './errors.mjs';
import { checkFields, readFields, writeFields } from './fields.mjs';
import * as shape from './shape.mjs';
import { Writer } from './writer.mjs';

/** @typedef {import('./fields.mjs').Layout} Layout */
/** @typedef {{name: string, layout: Layout}} Command */

/**
 * The type numbers of the two directions overlap (COMET-S10).
 * @param {ReturnType<typeof cometTypes>} types
 * @returns {Record<'c2s' | 's2c', Command[]>} by type number
 */
function commands(types) {
  const command = (name, ...layout) => ({ name, layout });
  return {
    c2s: [
      command('auth', ['client_id', types.string], ['token', types.string]),
      command('exchange_key', ['secret_key', types.bytes]),
      command('get_topic_list'),
      command('subscribe', ['topics', types.topics]),
      command('unsubscribe', ['topics', types.topics]),
      command('get_message_list'),
      command('heartbeat'),
      command('message_ack', ['msg_ids', types.strings]),
      command(
        'report_environ',
        ['network_type', types.byte],
        ['isp', types.byte],
        ['phone_type', types.string],
        ['extra', types.extra],
      ),
    ],
    s2c: [
      command('ok'),
      command('error', ['error_code', types.byte], ['reason', types.string]),
      command('auth_success', ['encrypt_key', types.bytes]),
      command('topic_list', ['topics', types.topics]),
      command('message_list', ['notifications', types.notifications]),
      command('message', ['notification', types.notification]),
    ],
  };
}

/**
 * @param {Readonly<Record<string, any>>} profile
 * @param {'c2s' | 's2c'} dir
 * @returns {import('./codecs.mjs').Codec}
 */
export function compile(profile, dir) {
  const types = cometTypes(profile);
  const table = commands(types)[dir];

  function* unit() {
    const head = yield 2;
    const at = head.offset;
    const length = types.commandLength.read(head);
    if (length === 0) throw new Rejection('length-mismatch', at, 'the length counts the type, so it is at least 1');
    const block = yield length;
    const typeAt = block.offset;
    const type = block.byte();
    const command = table[type];
    if (command === undefined) throw new Rejection('unknown-type', typeAt, `${dir} type ${type} is not assigned`);
    const value = readFields(command.layout, block, { dir, type, name: command.name });
    block.finish();
    return { command: value };
  }

  /** A type that is not assigned has no fields to check; encoding refuses it. */
  function check(value) {
    const command = shape.only(value, 'command');
    shape.object(command, 'command');
    shape.integer(command.type, 'command.type');
    if (command.dir !== dir) throw new BadRequest(`command.dir: "${dir}" expected, as the request says`);
    const layout = table[command.type]?.layout;
    if (layout !== undefined) checkFields(layout, command, 'command', ['dir', 'type'], ['name']);
  }

  function encode({ command }) {
    const content = new Writer();
    types.byte.write(content, command.type, command);
    const known = table[command.type];
    if (known === undefined) throw new Refusal('unknown-type', `${dir} type ${command.type} is not assigned`);
    writeFields(known.layout, content, command);
    const writer = new Writer();
    types.commandLength.write(writer, content.length);
    writer.bytes(content.result());
    return writer.result();
  }

  return { unit, check, encode };
}
