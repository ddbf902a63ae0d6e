/**
 * The documents at hand: the one on the screen, and those behind it, so that the next one is there at once.
 *
 * Long texts travel apart from their cards; those of the next two documents are fetched before they are wanted.
 */

const REFILL_BELOW = 7; // the document on the screen, and six behind it
const TEXTS_AHEAD = 2;
const RETRY_MS = 2000;
const MOST_UNSENT = 60; // with more of them waiting, the address of a refill would grow too long

export class Cards {
  isExhausted;
  #fetching = false;
  #texts = new Map(); // task -> promise of a text that travels apart
  #touched = new Set(); // tasks that were said something of while cards were on their way
  #refused = new Set(); // tasks that are not to be judged here any more
  #isStale = false; // what is on its way was asked for before it was known that claims had lapsed

  /** `onArrival` comes when there is something, or finally nothing, where there had been nothing to show. */
  constructor({ cards, addresses, nowhere, server, outbox, onArrival, onWait }) {
    this.list = cards;
    this.isExhausted = cards.length === 0;
    Object.assign(this, { addresses, nowhere, server, outbox, onArrival, onWait });
  }

  get current() {
    return this.list[0];
  }

  /** Put a card on the screen, before the one that is there. */
  putFirst(card) {
    this.list = [card, ...this.list.filter((other) => other.task !== card.task)];
    this.isExhausted = false;
  }

  drop(task) {
    this.list = this.list.filter((card) => card.task !== task);
    this.#touched.add(task);
    this.isExhausted = false;
  }

  /** Nobody is to judge this task any more, here or elsewhere: what was given together with it may have gone too. */
  lose(task) {
    this.#refused.add(task);
    this.drop(task);
    this.askAnew();
  }

  /** Ask again for all behind the document on the screen, but for those that something was begun on. */
  askAnew() {
    this.list = this.list.filter((card, place) => place === 0 || card.isUnsaid);
    this.isExhausted = false;
    this.#isStale = this.#fetching;
    this.refill();
  }

  recordAddress(task) {
    return this.addresses.record.replace(this.nowhere, task);
  }

  /**
   * Keeps the next documents ready. What is on the page or on its way is not asked for again, and what was said
   * something of in the meantime is not taken from the answer: the answer may be older.
   */
  refill() {
    if (!this.isExhausted && this.list.length < REFILL_BELOW) this.renew();
  }

  /** The same however many there are: where documents are claimed, asking for more also holds those on the page. */
  async renew() {
    if (this.#fetching) return;
    if (this.outbox.waiting.length > MOST_UNSENT) return;
    this.#fetching = true;
    this.#touched = new Set();
    const here = new Set([...this.list, ...this.outbox.waiting].map(({ task }) => task));
    const query = new URLSearchParams([...here].map((task) => ["besides", task]));
    const { data, wait } = await this.server.get(`${this.addresses.next}?${query}`);
    this.#fetching = false;
    if (this.#isStale) return this.askAnew();
    if (data) this.#take(data.cards, here);
    else this.#tryLater(wait);
  }

  #take(given, here) {
    const found = given.filter(({ task }) => !this.#refused.has(task));
    const known = new Set([...here, ...this.list.map(({ task }) => task), ...this.#touched]);
    const wasEmpty = this.list.length === 0;
    this.list.push(...found.filter(({ task }) => !known.has(task)));
    this.isExhausted = found.length === 0 && this.#touched.size === 0 && !this.outbox.holds(this.addresses.next);
    if (wasEmpty) this.onArrival();
    if (wasEmpty && !this.list.length && !this.isExhausted && !this.outbox.holds(this.addresses.next)) this.refill();
    this.fetchAhead();
  }

  #tryLater(wait) {
    if (wait) this.onWait(wait);
    if (!this.list.length) setTimeout(() => this.refill(), RETRY_MS);
  }

  fetchAhead() {
    const near = this.list.slice(0, TEXTS_AHEAD + 1);
    for (const task of this.#texts.keys()) if (!near.some((card) => card.task === task)) this.#texts.delete(task);
    for (const card of near.slice(1)) if (card.apart && card.snippet === null) this.fetchText(card);
  }

  /** The whole text of a document, `{text, format}`, or null where it cannot be had now. */
  fetchText(card) {
    if (!this.#texts.has(card.task)) this.#texts.set(card.task, this.#ask(card.task));
    return this.#texts.get(card.task);
  }

  async #ask(task) {
    const { data, wait } = await this.server.get(this.addresses.document.replace(this.nowhere, task), true);
    if (!data) this.#texts.delete(task);
    if (wait) this.onWait(wait);
    return data ?? null;
  }
}
