/** Renews claims, which expire after some minutes, while the assessor works: also during one long document. */

const REQUESTS_PER_CLAIM = 4; // the server renews a claim in its second half, and one request may be lost

export class ClaimKeeper {
  #renewedAt;

  /**
   * @param {object} options
   * @param {number | null} options.minutes null where documents are not claimed
   * @param {(mayHaveExpired: boolean) => void} options.renew
   * @param {() => number} [options.now]
   */
  constructor({ minutes, renew, now = () => performance.now() }) {
    this.ms = minutes ? minutes * 60_000 : 0;
    this.renew = renew;
    this.now = now;
    this.#renewedAt = now();
  }

  /** Record that the assessor is active. */
  touch() {
    const elapsed = this.now() - this.#renewedAt;
    if (!this.ms || elapsed < this.ms / REQUESTS_PER_CLAIM) return;
    this.#renewedAt = this.now();
    this.renew(elapsed >= this.ms);
  }
}
