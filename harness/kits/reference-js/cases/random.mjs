/** A seeded source of choices: a failing case can be run again from its seed. */
export class Random {
  #state;

  /** @param {number} seed */
  constructor(seed) {
    this.#state = seed >>> 0;
  }

  /** Mulberry32. @returns {number} in [0, 1) */
  next() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** @param {number} limit @returns {number} in 0 .. limit - 1 */
  below(limit) {
    return Math.floor(this.next() * limit);
  }

  /** @template T @param {readonly T[]} items @returns {T} */
  pick(items) {
    return items[this.below(items.length)];
  }

  /** @param {number} limit @returns {Buffer} of fewer than `limit` bytes */
  bytes(limit) {
    return Buffer.from(Array.from({ length: this.below(limit) }, () => this.below(256)));
  }

  /** @param {number} limit @returns {string} */
  hex(limit) {
    return this.bytes(limit).toString('hex');
  }

  /**
   * Of any magnitude, so that every varint length occurs.
   * @param {number} bits
   * @param {boolean} signed
   * @returns {bigint}
   */
  integer(bits, signed) {
    const wide = BigInt(this.below(2 ** 32)) * 2n ** 32n + BigInt(this.below(2 ** 32));
    const some = BigInt.asUintN(this.below(bits) + 1, wide);
    if (!signed) return some;
    return BigInt.asIntN(bits, this.below(2) ? some : -some);
  }

  /** @param {number} bits @param {boolean} signed @returns {number | string} as the value model shows it */
  number(bits, signed) {
    const value = this.integer(bits, signed);
    return bits === 64 ? String(value) : Number(value);
  }

  /** @returns {string} */
  text() {
    const alphabet = ['a', 'Z', '@', '\u0000', '\ufeff', 'é', '坏', '😀', '/'];
    return Array.from({ length: this.below(6) }, () => this.pick(alphabet)).join('');
  }

  /** Pieces of any size, empty ones too. @param {Buffer} bytes @returns {Buffer[]} */
  chunks(bytes) {
    const chunks = [];
    for (let at = 0; at < bytes.length;) {
      const end = Math.min(bytes.length, at + this.below(9));
      chunks.push(bytes.subarray(at, end));
      at = end;
    }
    return chunks;
  }

  /** A few changed, lost or doubled bytes. @param {Buffer} bytes @returns {Buffer} */
  mutate(bytes) {
    let changed = Buffer.from(bytes);
    for (let times = 1 + this.below(3); times > 0; times--) {
      const at = this.below(changed.length + 1);
      const kind = this.below(4);
      if (kind === 0) changed = changed.subarray(0, at);
      else if (kind === 1) changed = Buffer.concat([changed.subarray(0, at), this.bytes(3), changed.subarray(at)]);
      else if (at < changed.length) changed[at] = kind === 2 ? changed[at] ^ (1 << this.below(8)) : this.pick([0, 1, 0x7f, 0x80, 0xff]);
    }
    return Buffer.from(changed);
  }
}
