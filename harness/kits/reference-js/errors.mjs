/**
 * The four ways a request can fail. None extends Error: an Error captures a
 * stack, which costs several times the decode it would report.
 */

/** Bytes outside the language (§3, §4). */
export class Rejection {
  /**
   * @param {string} error class of the shared taxonomy
   * @param {number} offset absolute, from the first byte of the input
   * @param {string} detail text for people
   */
  constructor(error, offset, detail) {
    this.error = error;
    this.offset = offset;
    this.detail = detail;
  }
}

/** A well-shaped value that has no encoding (§8). */
export class Refusal {
  /**
   * @param {string} error class of the shared taxonomy
   * @param {string} detail text for people
   */
  constructor(error, detail) {
    this.error = error;
    this.detail = detail;
  }
}

/** A request, or a value in it, of the wrong shape: the contract's `error`. */
export class BadRequest {
  /** @param {string} message what is wrong and what is wanted */
  constructor(message) {
    this.message = message;
  }
}

/** An operation, protocol, parameter or parameter value not known here. */
export class Unsupported {
  /** @param {string} reason */
  constructor(reason) {
    this.reason = reason;
  }
}
