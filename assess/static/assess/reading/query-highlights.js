/** Highlights the query's words in the document, counts them, and goes from one to the next. */

import { CAN_HIGHLIGHT } from "./highlight-layers.js";
import { MatchList } from "./match-list.js";
import { findTerms, parseQuery } from "./query-terms.js";
import { runInSlices } from "./run-in-slices.js";

/** @typedef {import("./reader.js").Display} Display */

const MAX_MATCHES = 5_000;
const FIRST_SEARCH = 20_000; // characters at the beginning of a long text that are searched first

export class QueryHighlights {
  #terms;
  #count;
  /** @type {Display | null} */
  #display = null;
  #matches = new MatchList("query");

  /**
   * @param {string} query
   * @param {boolean} isOn
   * @param {HTMLElement} count shows the number of highlights
   */
  constructor(query, isOn, count) {
    this.#terms = parseQuery(query);
    this.isOn = isOn && CAN_HIGHLIGHT;
    this.#count = count;
  }

  /** @param {string} query */
  setQuery(query) {
    this.#terms = parseQuery(query);
  }

  /** @param {Display} display */
  async show(display) {
    this.#display = display;
    if (this.isOn) await this.#searchAll(display);
    this.#showCount();
  }

  clear() {
    this.#matches.clear();
    this.#display = null;
    this.#count.textContent = "";
  }

  toggle() {
    this.isOn = CAN_HIGHLIGHT && !this.isOn;
    this.#matches.clear();
    this.#showCount();
    if (this.#display) this.show(this.#display);
  }

  /** @param {boolean} backwards */
  step(backwards) {
    if (!this.isOn) this.toggle();
    this.#matches.step(backwards);
    this.#showCount();
  }

  /** @param {Display} display */
  async #searchAll(display) {
    const { text } = display.text;
    if (text.length > FIRST_SEARCH * 2) await this.#search(display, text.slice(0, FIRST_SEARCH));
    await this.#search(display, text);
  }

  /**
   * @param {Display} display
   * @param {string} text
   */
  async #search(display, text) {
    /** @type {[number, number][]} */
    const found = [];
    const isFinished = await runInSlices(findTerms(text, this.#terms, found, MAX_MATCHES), display.signal);
    if (isFinished && this.isOn && this.#matches.index < 0) this.#matches.set(display, found);
  }

  #showCount() {
    this.#count.textContent = this.#describe();
  }

  #describe() {
    if (!CAN_HIGHLIGHT) return "This browser cannot show highlights.";
    if (!this.isOn) return "highlights off";
    const { ranges, index } = this.#matches;
    const n = ranges.length;
    const all =
      n >= MAX_MATCHES ? `first ${MAX_MATCHES.toLocaleString("en")} highlights` : `${n} highlight${n === 1 ? "" : "s"}`;
    return index < 0 ? all : `${index + 1} of ${all}`;
  }
}
