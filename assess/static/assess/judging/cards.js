/**
 * The documents on this page: the current one, and the next ones, which are fetched ahead.
 *
 * Long texts are fetched separately from their cards; those of the next two documents are fetched ahead.
 */

/**
 * @typedef {import("./types.js").Addresses} Addresses
 * @typedef {import("./types.js").Card} Card
 * @typedef {import("./types.js").ListedDocument} ListedDocument
 * @typedef {import("./types.js").Wait} Wait
 * @typedef {import("./outbox.js").Outbox} Outbox
 * @typedef {import("./server.js").Server} Server
 * @typedef {{text: string, format: string}} DocumentText
 */

// The current document and nine more: enough for a fetch of seconds. It brings as many as were judged since the last
// one, because the server claims new documents for those that wait in the outbox.
const REFILL_BELOW = 10;
const TEXTS_AHEAD = 2;
const RETRY_MS = 2000;
const MOST_KNOWN = 100; // topics that a refill request names
const MAX_UNSENT = 60; // with more entries waiting, the address of a refill request would be too long

export class Cards {
  isExhausted;
  /** @type {number} the topic of the last document on the page */
  topic;
  /** @type {Set<string>} */
  #setAside = new Set(); // tasks that were postponed again after they had returned
  #fetching = false;
  /** @type {Map<string, Promise<DocumentText | null>>} */
  #texts = new Map(); // by task: texts that are fetched separately
  /** @type {Set<string>} */
  #touched = new Set(); // tasks that were judged or undone while cards were being fetched
  /** @type {Set<string>} */
  #refused = new Set(); // tasks that nobody may judge any more
  #isStale = false; // the running request was sent before it was known that claims had expired

  /**
   * @param {object} options
   * @param {Card[]} options.cards
   * @param {Addresses} options.addresses
   * @param {number} options.topic
   * @param {(topic: string) => boolean} options.isOfPage whether a topic's documents are on this page
   * @param {boolean} options.isAlone one document is judged again: no others are fetched
   * @param {string} options.nowhere placeholder for the task in an address
   * @param {Server} options.server
   * @param {Outbox} options.outbox
   * @param {() => void} options.onArrival called when the first cards arrive, or the end is known, on an empty page
   * @param {(listed: any) => void} options.onListed called with the relevant documents of the cards' topics
   * @param {() => string[]} options.listedTopics the topics whose relevant documents the page has already
   * @param {(wait: Wait | "") => void} options.onWait called when nothing can be fetched now, and with "" afterwards
   */
  constructor({ cards, addresses, topic, isOfPage, isAlone, nowhere, server, outbox, onArrival, ...options }) {
    this.topic = topic;
    this.isOfPage = isOfPage;
    this.isAlone = isAlone;
    this.list = cards;
    this.isExhausted = cards.length === 0;
    this.addresses = addresses;
    this.nowhere = nowhere;
    this.server = server;
    this.outbox = outbox;
    this.onArrival = onArrival;
    this.onListed = options.onListed;
    this.listedTopics = options.listedTopics;
    this.onWait = options.onWait;
  }

  /** @returns {Card | undefined} */
  get current() {
    return this.list[0];
  }

  /**
   * Make a card the current one.
   *
   * @param {Card} card
   */
  putFirst(card) {
    this.list = [card, ...this.list.filter((other) => other.task !== card.task)];
    this.#setAside.delete(card.task);
    this.isExhausted = false;
  }

  /** @param {string} task */
  drop(task) {
    this.list = this.list.filter((card) => card.task !== task);
    this.#touched.add(task);
    this.isExhausted = false;
  }

  /**
   * Leave a document alone that was postponed again: otherwise the postponed ones would follow each other without end.
   *
   * @param {string} task
   */
  setAside(task) {
    this.#setAside.add(task);
  }

  /**
   * Drop a task that nobody may judge any more. Claims made at the same time may have expired too: fetch again.
   *
   * @param {string} task
   */
  dropRefused(task) {
    this.#refused.add(task);
    this.drop(task);
    this.fetchAgain();
  }

  /** Fetch all cards after the current one again, except those with an unsaved comment. */
  fetchAgain() {
    this.list = this.list.filter((card, index) => index === 0 || card.hasDraft);
    this.isExhausted = false;
    this.#isStale = this.#fetching;
    this.refill();
  }

  /** @param {string} task */
  recordAddress(task) {
    return this.addresses.record.replace(this.nowhere, task);
  }

  /** @param {number} topic */
  nextAddress(topic) {
    return this.addresses.next.replace("/judge/0/", `/judge/${topic}/`);
  }

  /** @param {number} topic */
  pageAddress(topic) {
    return this.addresses.topic.replace("/judge/0/", `/judge/${topic}/`);
  }

  /**
   * Find relevant documents of a topic that are not on the page; null without a connection.
   *
   * @param {string} topic
   * @param {string} words
   * @returns {Promise<ListedDocument[] | null>}
   */
  async findRelevant(topic, words) {
    const address = this.addresses.relevant.replace("/judge/0/", `/judge/${topic}/`);
    const { data } = await this.server.get(`${address}?${new URLSearchParams({ q: words })}`);
    return data?.documents ?? null;
  }

  /** Fetch cards if there are few left. */
  refill() {
    if (!this.isAlone && !this.isExhausted && this.list.length < REFILL_BELOW) this.fetchMore();
  }

  /**
   * Fetch cards, also if there are many left: where documents are claimed, the request renews the claims on this page.
   *
   * The request names the tasks that this page already has. Tasks that are judged before the answer arrives are ignored
   * in it, because the answer may be older.
   */
  async fetchMore() {
    if (this.#fetching) return;
    if (this.outbox.waiting.length > MAX_UNSENT) return;
    this.#fetching = true;
    this.#touched = new Set();
    const existing = new Set([...[...this.list, ...this.outbox.waiting].map(({ task }) => task), ...this.#setAside]);
    const query = new URLSearchParams([...existing].map((task) => ["besides", task]));
    query.append("unsent", String(this.#unsent()));
    for (const topic of this.listedTopics().slice(-MOST_KNOWN)) query.append("known", topic);
    const { data, wait, retryAfterMs } = await this.server.get(`${this.nextAddress(this.topic)}?${query}`);
    this.#fetching = false;
    if (this.#isStale) return this.fetchAgain();
    this.onWait(wait ?? "");
    if (data?.marginal) this.onListed(data.marginal);
    if (data) this.#add(data.cards, existing);
    else this.#retryLater(retryAfterMs);
  }

  /** How many documents of the topic are judged here, while the server still counts them as claims in hand. */
  #unsent() {
    const address = this.nextAddress(this.topic);
    const onPage = new Set(this.list.map(({ task }) => task));
    const unsent = this.outbox.waiting.filter(({ topic, task }) => topic === address && !onPage.has(task));
    return new Set(unsent.map(({ task }) => task)).size;
  }

  /**
   * @param {Card[]} fetched
   * @param {Set<string>} existing
   */
  #add(fetched, existing) {
    const cards = fetched.filter(({ task }) => !this.#refused.has(task) && !this.#setAside.has(task));
    const known = new Set([...existing, ...this.list.map(({ task }) => task), ...this.#touched]);
    const wasEmpty = this.list.length === 0;
    this.list.push(...cards.filter(({ task }) => !known.has(task)));
    const isUnsent = this.outbox.holds(this.isOfPage);
    this.isExhausted = cards.length === 0 && this.#touched.size === 0 && !isUnsent;
    if (wasEmpty) this.onArrival();
    if (wasEmpty && !this.list.length && !this.isExhausted && !isUnsent) this.refill();
    this.fetchAhead();
  }

  #retryLater(retryAfterMs = 0) {
    if (!this.list.length) setTimeout(() => this.refill(), Math.max(RETRY_MS, retryAfterMs));
  }

  /** Fetch the texts of the next documents. */
  fetchAhead() {
    const next = this.list.slice(0, TEXTS_AHEAD + 1);
    for (const task of this.#texts.keys()) if (!next.some((card) => card.task === task)) this.#texts.delete(task);
    for (const card of next.slice(1)) if (card.apart && card.snippet === null) this.fetchText(card);
  }

  /**
   * The full text of a document, or null if it cannot be fetched now.
   *
   * @param {Card} card
   * @returns {Promise<DocumentText | null>}
   */
  fetchText({ task }) {
    const text = this.#texts.get(task) ?? this.#requestText(task);
    this.#texts.set(task, text);
    return text;
  }

  /** @param {string} task */
  async #requestText(task) {
    const { data, wait } = await this.server.get(this.addresses.document.replace(this.nowhere, task), true);
    if (!data) this.#texts.delete(task);
    if (wait) this.onWait(wait);
    return data ?? null;
  }
}
