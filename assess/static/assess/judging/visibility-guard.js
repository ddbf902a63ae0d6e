/** Decides when the document on the screen has been visible long enough to be judged. */

import { AFTER_POINTER_MS } from "./double-click.js";
import { painted } from "./status.js";

/** @typedef {import("./types.js").Card} Card */

export class VisibilityGuard {
  /** @type {Card | null} the card that may be judged now */
  judgeable = null;
  #turn = 0; // counts the documents shown, so that a late timer does not release a newer document

  /**
   * @param {HTMLElement} article
   * @param {number} minVisibleMs
   */
  constructor(article, minVisibleMs) {
    this.article = article;
    this.minVisibleMs = minVisibleMs;
  }

  /**
   * Show a card with `render`. It may be judged once it has been painted and visible for a moment. Until then no card
   * may be judged.
   *
   * @param {Card | null} card
   * @param {() => Promise<unknown>} [render]
   * @param {boolean} [afterPointer] the previous document was judged with a pointer
   */
  async show(card, render, afterPointer = false) {
    const turn = ++this.#turn;
    const least = turn > 1 && afterPointer ? AFTER_POINTER_MS : 0;
    this.#setJudgeable(null);
    if (!card) return;
    await render?.();
    await painted();
    setTimeout(() => turn === this.#turn && this.#setJudgeable(card), Math.max(this.minVisibleMs, least));
  }

  /** @param {Card | null} card */
  #setJudgeable(card) {
    this.judgeable = card;
    this.article.toggleAttribute("data-judgeable", Boolean(card));
  }
}
