/** Places in the text on one layer of colour, and the current one among them. */

import { paint, wipe } from "./paint.js";

export class Spots {
  #layer;
  #screen = null;

  constructor(layer) {
    this.#layer = layer;
    this.spans = [];
    this.at = -1; // which is the current one
  }

  set(screen, spans) {
    this.clear();
    this.#screen = screen;
    this.spans = spans;
    paint(this.#layer, screen.view, spans.map(([start, end]) => screen.shown.staticRange(start, end)));
  }

  /** Go to the next one or the one before, round and round. */
  step(backwards) {
    const n = this.spans.length;
    if (!n) return;
    if (this.at < 0) this.at = backwards ? n - 1 : 0;
    else this.at = (this.at + (backwards ? n - 1 : 1)) % n;
    const range = this.#screen.shown.range(...this.spans[this.at]);
    paint("current", this.#screen.view, [range]);
    this.#screen.reveal(range);
  }

  clear() {
    if (this.#screen) wipe(this.#layer, this.#screen.view);
    if (this.at >= 0) wipe("current", this.#screen.view);
    this.spans = [];
    this.at = -1;
  }
}
