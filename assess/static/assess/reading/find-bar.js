/** The bar for finding words in the document, with a count and buttons for the next and the previous match. */

import { byId } from "../dom.js";
import { MatchList } from "./match-list.js";
import { normalise, normaliseLong } from "./normalise-text.js";
import { runInSlices } from "./run-in-slices.js";

/**
 * @typedef {import("./normalise-text.js").NormalisedText} NormalisedText
 * @typedef {import("./reader.js").Display} Display
 */

const MAX_MATCHES = 5_000;
const TYPING_PAUSE_MS = 120;

export class FindBar {
  /** @type {Display | null} */
  #display = null;
  /** @type {Promise<{value: NormalisedText} | null> | null} the document's text, normalised at the first search */
  #normalised = null;
  /** @type {string | null} the phrase that the matches belong to */
  #searched = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #matches = new MatchList("found");
  #bar = byId("find-bar");
  #field = /** @type {HTMLInputElement} */ (byId("find-phrase"));
  #count = byId("find-count");

  constructor() {
    this.#bar.addEventListener("submit", (event) => event.preventDefault());
    this.#field.addEventListener("input", () => this.#searchSoon());
    this.#field.addEventListener("keydown", (event) => this.#handleKey(event));
    byId("find-next").addEventListener("click", () => this.step(false));
    byId("find-previous").addEventListener("click", () => this.step(true));
    byId("find-close").addEventListener("click", () => this.close());
  }

  get isOpen() {
    return !this.#bar.hidden;
  }

  /** @param {Display} display */
  show(display) {
    this.#display = display;
    if (this.isOpen) this.#searchSoon();
  }

  clear() {
    clearTimeout(this.#timer);
    this.#matches.clear();
    this.#display = this.#normalised = this.#searched = null;
    this.#count.textContent = "";
  }

  open() {
    this.#bar.hidden = false;
    this.#field.focus();
    this.#field.select();
    if (this.#field.value) this.#searchSoon();
  }

  close() {
    if (!this.isOpen) return;
    this.#bar.hidden = true;
    clearTimeout(this.#timer);
    this.#matches.clear();
    this.#searched = null;
    this.#count.textContent = "";
    byId("document").focus({ preventScroll: true });
  }

  /**
   * Go to the next or the previous match, or to the first match of a new phrase.
   *
   * @param {boolean} backwards
   */
  async step(backwards) {
    clearTimeout(this.#timer);
    if (this.#field.value !== this.#searched) await this.#search();
    else this.#matches.step(backwards);
    this.#showCount();
  }

  /** @param {KeyboardEvent} event */
  #handleKey(event) {
    if (event.key === "Escape") this.close();
    else if (event.key === "Enter" && !event.isComposing) this.step(event.shiftKey);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #searchSoon() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#search(), TYPING_PAUSE_MS);
  }

  async #search() {
    const display = this.#display;
    const phrase = this.#field.value;
    this.#searched = phrase;
    if (!display) return;
    this.#normalised ??= runInSlices(normaliseLong(display.text.text), display.signal);
    const normalised = await this.#normalised;
    if (!normalised || phrase !== this.#field.value || !this.isOpen) return;
    this.#matches.set(display, findPhrase(normalised.value, normalise(phrase.trim())));
    this.#matches.step(false);
    this.#showCount();
  }

  #showCount() {
    const n = this.#matches.ranges.length;
    const all = n >= MAX_MATCHES ? `the first ${MAX_MATCHES.toLocaleString("en")}` : n;
    const text = n ? `${this.#matches.index + 1} of ${all}` : "not found";
    this.#count.textContent = this.#field.value.trim() ? text : "";
  }
}

/**
 * [start, end) of each occurrence of the phrase in the text. Any white space matches any other.
 *
 * @param {NormalisedText} normalised
 * @param {string} phrase
 */
function findPhrase({ text, origin }, phrase) {
  /** @type {[number, number][]} */
  const found = [];
  if (!phrase) return found;
  const pattern = phrase.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/\s+/g, "\\s+");
  for (const { 0: match, index } of text.matchAll(new RegExp(pattern, "g"))) {
    found.push([origin(index), origin(index + match.length)]);
    if (found.length >= MAX_MATCHES) break;
  }
  return found;
}
