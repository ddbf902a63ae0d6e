/** How long a document was worked on, and how long its assessor was away: page hidden, or nothing touched. */

const IDLE_MS = 60_000; // without key, pointer or scrolling; what is beyond counts as away

export class Stopwatch {
  #active = 0;
  #away = 0;
  #since;
  #hidden = false;

  constructor(now = () => performance.now()) {
    this.now = now;
    this.#since = now();
  }

  /** A document came up, or came back with what was spent on it before. */
  start({ active = 0, away = 0 } = {}) {
    this.#active = active;
    this.#away = away;
    this.#since = this.now();
  }

  /** A sign of life. */
  touch() {
    const passed = this.now() - this.#since;
    const worked = this.#hidden ? 0 : Math.min(passed, IDLE_MS);
    this.#active += worked;
    this.#away += passed - worked;
    this.#since = this.now();
  }

  hide(hidden) {
    this.touch();
    this.#hidden = hidden;
  }

  read() {
    this.touch();
    return { active: Math.round(this.#active), away: Math.round(this.#away) };
  }
}

/** Lets a page's signs of life reach whoever counts them, and the stopwatch know when it is hidden. */
export function watch(stopwatch, onLife) {
  for (const name of ["keydown", "pointerdown", "pointermove", "wheel", "touchmove", "scroll"]) {
    document.addEventListener(name, onLife, { capture: true, passive: true });
  }
  document.addEventListener("visibilitychange", () => stopwatch.hide(document.hidden));
  stopwatch.hide(document.hidden);
}
