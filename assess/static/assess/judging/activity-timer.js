/** Measures how long a document was worked on and how long its assessor was away (page hidden, or no activity). */

const IDLE_MS = 60_000; // without key, pointer or scrolling; time beyond it counts as away

export class ActivityTimer {
  #active = 0;
  #away = 0;
  #since;
  #hidden = false;

  /** @param {() => number} [now] */
  constructor(now = () => performance.now()) {
    this.now = now;
    this.#since = now();
  }

  /**
   * Start timing a document. The arguments are the times spent on it earlier.
   *
   * @param {{active?: number, away?: number}} [spent]
   */
  start({ active = 0, away = 0 } = {}) {
    this.#active = active;
    this.#away = away;
    this.#since = this.now();
  }

  /** Record that the assessor is active. */
  touch() {
    const elapsed = this.now() - this.#since;
    const worked = this.#hidden ? 0 : Math.min(elapsed, IDLE_MS);
    this.#active += worked;
    this.#away += elapsed - worked;
    this.#since = this.now();
  }

  /** @param {boolean} hidden */
  setHidden(hidden) {
    this.touch();
    this.#hidden = hidden;
  }

  /** Times in ms: active and away. */
  read() {
    this.touch();
    return { active: Math.round(this.#active), away: Math.round(this.#away) };
  }
}

/**
 * Call `onActivity` at every sign of activity on the page, and tell the timer when the page is hidden.
 *
 * @param {ActivityTimer} timer
 * @param {() => void} onActivity
 */
export function watchActivity(timer, onActivity) {
  for (const name of ["keydown", "pointerdown", "pointermove", "wheel", "touchmove", "scroll"]) {
    document.addEventListener(name, onActivity, { capture: true, passive: true });
  }
  document.addEventListener("visibilitychange", () => timer.setHidden(document.hidden));
  timer.setHidden(document.hidden);
}
