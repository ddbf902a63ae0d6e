/** What undo goes back to, newest last: what was said on this page, and before that what the server tells of. */
export class History {
  #cards;
  #wishes = 0; // undos that were asked for before the server had told what they take back

  constructor(last) {
    this.#cards = last ? [last] : [];
  }

  get isEmpty() {
    return this.#cards.length === 0;
  }

  [Symbol.iterator]() {
    return this.#cards.values();
  }

  add(card) {
    this.remove(card.task);
    this.#cards.push(card);
    this.#wishes = 0;
  }

  remove(task) {
    this.#cards = this.#cards.filter((card) => card.task !== task);
  }

  pop() {
    return this.#cards.pop();
  }

  wish() {
    this.#wishes += 1;
  }

  /** The server tells what was said before all that is known here, or null; whether an undo had waited for it. */
  hear(last) {
    const wished = last !== null && this.#wishes > 0;
    this.#wishes = wished ? this.#wishes - 1 : 0;
    if (last) this.#cards.push(last);
    return wished;
  }
}
