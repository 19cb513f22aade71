/** `standard`, every alternative of every parameter alone, and mixtures of them. */
import { PARAMETERS } from '../profile.mjs';

/** Alternatives of parameters whose values cannot be listed. */
const OTHERS = {
  max_depth: [1, 256], 'magic.control': [0], 'magic.data': [255], version: [9], random_len: [4], pubkey_len: [1],
  app_category: [{ 254: 'body' }],
};

/** @param {string} protocol @returns {[string, unknown[]][]} */
function alternatives(protocol) {
  return Object.entries(PARAMETERS[protocol])
    .map(([name, { values }]) => [name, values?.slice(1) ?? OTHERS[name] ?? []])
    .filter(([, values]) => values.length > 0);
}

/**
 * @param {string} protocol
 * @param {import('./random.mjs').Random} random
 * @param {number} mixtures
 * @returns {Record<string, unknown>[]}
 */
export function profilesOf(protocol, random, mixtures) {
  const all = alternatives(protocol);
  const single = all.flatMap(([name, values]) => values.map((value) => ({ [name]: value })));
  const mixed = Array.from({ length: mixtures }, () => {
    const chosen = all.filter(() => random.below(2) === 1);
    return Object.fromEntries(chosen.map(([name, values]) => [name, random.pick(values)]));
  });
  return [{}, ...single, ...mixed];
}
