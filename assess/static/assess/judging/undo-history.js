/**
 * The judgements that undo goes back to, oldest first: those of this page, and before them those from the server. Those
 * that were undone can be made again until another judgement follows.
 */

/** @typedef {import("./types.js").Card} Card */

export class UndoHistory {
  /** @type {Card[]} */
  #cards;
  /** @type {Card[]} */
  #undone = [];
  #pendingUndos = 0; // undo requests made before the server has named the judgement they undo

  /** @param {Card | null} last */
  constructor(last) {
    this.#cards = last ? [last] : [];
  }

  get isEmpty() {
    return this.#cards.length === 0;
  }

  /** @returns {Card | undefined} the last judgement */
  get last() {
    return this.#cards.at(-1);
  }

  [Symbol.iterator]() {
    return this.#cards.values();
  }

  /** @param {Card} card */
  add(card) {
    this.remove(card.task);
    this.#cards.push(card);
    this.#pendingUndos = 0;
    if (this.#undone.at(-1)?.task === card.task) this.#undone.pop();
    else this.#undone = [];
  }

  /** @param {string} task */
  remove(task) {
    this.#cards = this.#cards.filter((card) => card.task !== task);
  }

  /** Remove the last judgement and return it. */
  pop() {
    const card = this.#cards.pop();
    if (card) this.#undone.push({ ...card });
    return card;
  }

  /**
   * The judgement of this document that was undone last, and that can be made again.
   *
   * @param {Card | undefined} card
   */
  redoable(card) {
    const undone = this.#undone.at(-1);
    return card && undone?.task === card.task ? undone : undefined;
  }

  /** Remember an undo request until the server names the judgement it undoes. */
  addPendingUndo() {
    this.#pendingUndos += 1;
  }

  /**
   * Add the judgement that the server names as the last one before this page's, if there is one. Return whether an undo
   * request was waiting for it.
   *
   * @param {Card | null} last
   */
  addFromServer(last) {
    const wasPending = last !== null && this.#pendingUndos > 0;
    this.#pendingUndos = wasPending ? this.#pendingUndos - 1 : 0;
    if (last) this.#cards.push(last);
    return wasPending;
  }
}
