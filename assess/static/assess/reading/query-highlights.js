/** The query's words in the document: coloured, counted, and visited one after the other. */

import { CAN_PAINT } from "./paint.js";
import { slowly } from "./slowly.js";
import { Spots } from "./spots.js";
import { matches, termsOf } from "./terms.js";

const MOST = 5_000;
const FIRST_LOOK = 20_000; // characters of a long text that are coloured before the rest is searched

export class QueryHighlights {
  #terms;
  #count;
  #screen = null;
  #spots = new Spots("query");

  constructor(query, on, count) {
    this.#terms = termsOf(query);
    this.on = on && CAN_PAINT;
    this.#count = count;
  }

  async show(screen) {
    this.#screen = screen;
    if (this.on) await this.#look();
    this.#tell();
  }

  clear() {
    this.#spots.clear();
    this.#screen = null;
    this.#count.textContent = "";
  }

  toggle() {
    this.on = CAN_PAINT && !this.on;
    this.#spots.clear();
    this.#tell();
    if (this.#screen) this.show(this.#screen);
  }

  step(backwards) {
    if (!this.on) this.toggle();
    this.#spots.step(backwards);
    this.#tell();
  }

  async #look() {
    const screen = this.#screen;
    const { text } = screen.shown;
    if (text.length > FIRST_LOOK * 2) await this.#search(screen, text.slice(0, FIRST_LOOK));
    await this.#search(screen, text);
  }

  async #search(screen, text) {
    const found = [];
    const finished = await slowly(matches(text, this.#terms, found, MOST), screen.signal);
    if (finished && this.on && this.#spots.at < 0) this.#spots.set(screen, found);
  }

  #tell() {
    this.#count.textContent = this.#words();
  }

  #words() {
    if (!CAN_PAINT) return "This browser cannot show highlights.";
    if (!this.on) return "highlights off";
    const n = this.#spots.spans.length;
    const all = n >= MOST ? `first ${MOST.toLocaleString("en")} highlights` : `${n} highlight${n === 1 ? "" : "s"}`;
    return this.#spots.at < 0 ? all : `${this.#spots.at + 1} of ${all}`;
  }
}
