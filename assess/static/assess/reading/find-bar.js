/** Finding words in the document: a line above it, with counts, next and previous. */

import { fold, foldLong } from "./fold.js";
import { slowly } from "./slowly.js";
import { Spots } from "./spots.js";

const MOST = 5_000;
const PAUSE_MS = 120; // after the last letter typed
const find = (id) => document.getElementById(id);

export class FindBar {
  #screen = null;
  #folded = null; // of the document on the screen, made at the first search
  #searched = null; // the phrase that the spots belong to
  #timer = 0;
  #spots = new Spots("found");

  constructor() {
    find("find-bar").addEventListener("submit", (event) => event.preventDefault());
    find("find-phrase").addEventListener("input", () => this.#soon());
    find("find-phrase").addEventListener("keydown", (event) => this.#key(event));
    find("find-next").addEventListener("click", () => this.step(false));
    find("find-previous").addEventListener("click", () => this.step(true));
    find("find-close").addEventListener("click", () => this.close());
  }

  get isOpen() {
    return !find("find-bar").hidden;
  }

  show(screen) {
    this.#screen = screen;
    if (this.isOpen) this.#soon();
  }

  clear() {
    clearTimeout(this.#timer);
    this.#spots.clear();
    this.#screen = this.#folded = this.#searched = null;
    find("find-count").textContent = "";
  }

  open() {
    find("find-bar").hidden = false;
    find("find-phrase").focus();
    find("find-phrase").select();
    if (find("find-phrase").value) this.#soon();
  }

  close() {
    if (!this.isOpen) return;
    find("find-bar").hidden = true;
    clearTimeout(this.#timer);
    this.#spots.clear();
    this.#searched = null;
    find("find-count").textContent = "";
    find("document").focus({ preventScroll: true });
  }

  /** To the next place; where the phrase was just typed, to the first. */
  async step(backwards) {
    clearTimeout(this.#timer);
    if (find("find-phrase").value !== this.#searched) await this.#look();
    else this.#spots.step(backwards);
    this.#tell();
  }

  #key(event) {
    if (event.key === "Escape") this.close();
    else if (event.key === "Enter" && !event.isComposing) this.step(event.shiftKey);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #soon() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#look(), PAUSE_MS);
  }

  async #look() {
    const screen = this.#screen;
    const phrase = find("find-phrase").value;
    this.#searched = phrase;
    if (!screen) return;
    this.#folded ??= slowly(foldLong(screen.shown.text), screen.signal);
    const folded = await this.#folded;
    if (!folded || phrase !== find("find-phrase").value || !this.isOpen) return;
    this.#spots.set(screen, places(folded.value, fold(phrase.trim())));
    this.#spots.step(false);
    this.#tell();
  }

  #tell() {
    const n = this.#spots.spans.length;
    const all = n >= MOST ? `the first ${MOST.toLocaleString("en")}` : n;
    find("find-count").textContent = !find("find-phrase").value.trim() ? "" : n ? `${this.#spots.at + 1} of ${all}` : "not found";
  }
}

/** [start, end) of the phrase in the text; any white space stands for any other. */
function places({ text, origin }, phrase) {
  if (!phrase) return [];
  const pattern = phrase.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/\s+/g, "\\s+");
  const found = [];
  for (const { 0: match, index } of text.matchAll(new RegExp(pattern, "g"))) {
    found.push([origin(index), origin(index + match.length)]);
    if (found.length >= MOST) break;
  }
  return found;
}
