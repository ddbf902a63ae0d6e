/** Matches in the text, coloured on one layer, and the current match. */

import { clearLayer, paint } from "./highlight-layers.js";

/**
 * @typedef {import("./displayed-text.js").Range} Offsets
 * @typedef {import("./reader.js").Display} Display
 */

export class MatchList {
  #layer;
  /** @type {Display | null} */
  #display = null;

  /** @param {string} layer */
  constructor(layer) {
    this.#layer = layer;
    /** @type {Offsets[]} */
    this.ranges = [];
    this.index = -1; // of the current match
  }

  /**
   * @param {Display} display
   * @param {Offsets[]} ranges
   */
  set(display, ranges) {
    this.clear();
    this.#display = display;
    this.ranges = ranges;
    const painted = ranges.map(([start, end]) => display.text.staticRange(start, end));
    paint(this.#layer, display.view, painted);
  }

  /**
   * Go to the next or the previous match, in a cycle.
   *
   * @param {boolean} backwards
   */
  step(backwards) {
    const n = this.ranges.length;
    if (!n || !this.#display) return;
    if (this.index < 0) this.index = backwards ? n - 1 : 0;
    else this.index = (this.index + (backwards ? n - 1 : 1)) % n;
    const range = this.#display.text.range(...this.ranges[this.index]);
    paint("current", this.#display.view, [range]);
    this.#display.scrollTo(range);
  }

  clear() {
    if (this.#display) clearLayer(this.#layer, this.#display.view);
    if (this.#display && this.index >= 0) clearLayer("current", this.#display.view);
    this.ranges = [];
    this.index = -1;
  }
}
