/**
 * Where documents are claimed, they are held for some minutes: while somebody is at work here, the page renews them in
 * time, also within one long document.
 */

const ASKED_PER_CLAIM = 4; // the server renews in the second half; one request may get lost

export class Holding {
  #asked;

  /** `minutes` is null where nothing is claimed. `renew(haveLapsed)`: whether others may have them by now. */
  constructor({ minutes, renew, now = () => performance.now() }) {
    Object.assign(this, { ms: minutes && minutes * 60_000, renew, now });
    this.#asked = now();
  }

  /** A sign of life. */
  touch() {
    const passed = this.now() - this.#asked;
    if (!this.ms || passed < this.ms / ASKED_PER_CLAIM) return;
    this.#asked = this.now();
    this.renew(passed >= this.ms);
  }
}
