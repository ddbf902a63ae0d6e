/** What is on the screen, and whether it has been there long enough to be judged. */

import { AFTER_POINTER_MS } from "./double.js";
import { painted } from "./screen.js";

export class Sight {
  judgeable = null; // the card that may be judged now
  #turn = 0; // counts what came up, so that nothing late is taken for what is there now

  constructor(article, paintedMs) {
    Object.assign(this, { article, paintedMs });
  }

  /** Nothing may be judged while it comes up, nor before it has been there for a moment. */
  async bringUp(card, coming, afterPointer = false) {
    const mine = ++this.#turn;
    const least = mine > 1 && afterPointer ? AFTER_POINTER_MS : 0;
    this.#set(null);
    if (!card) return;
    await coming();
    await painted();
    setTimeout(() => mine === this.#turn && this.#set(card), Math.max(this.paintedMs, least));
  }

  #set(card) {
    this.judgeable = card;
    this.article.toggleAttribute("data-judgeable", Boolean(card));
  }
}
