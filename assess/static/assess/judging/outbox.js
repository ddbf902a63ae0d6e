/**
 * Sends the stored judgements to the server in order, one at a time, until the server has saved them.
 *
 * All tabs of a browser share the store. The tab that holds the lock sends for all of them and broadcasts the answers.
 * Without browser support for locks, two tabs may send the same entry; the server ignores a repeated client id.
 */

/**
 * @typedef {import("./server.js").Answer} Answer
 * @typedef {import("./server.js").Server} Server
 * @typedef {import("./store.js").Store} Store
 * @typedef {import("./types.js").Entry} Entry
 * @typedef {import("./types.js").Receipt} Receipt
 * @typedef {import("./types.js").Refusal} Refusal
 * @typedef {import("./types.js").Wait} Wait
 */

const RETRY_MS = 2000;
const MAX_RETRY_MS = 4000; // judgements are sent soon after a proxy or a server works again, which no event reports
const PAUSED_RETRY_MS = 4000; // likewise after a pause

export class Outbox {
  /** @type {Entry[]} entries that this page knows and that are not acknowledged, oldest first */
  waiting = [];
  /** @type {Wait | ""} why they cannot be sent now */
  trouble = "";
  #sending = false;
  #sendAgain = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #retryMs = RETRY_MS;
  #retryAfterMs = 0; // the server asks to wait at least as long
  /** @type {Set<string>} client ids of entries that are not written to the store yet */
  #unwritten = new Set();

  /**
   * `onReceipt` or `onRefusal` is called once for each entry. `isFromOtherTab` is true if this page did not know the
   * entry.
   *
   * @param {object} options
   * @param {Store} options.store
   * @param {Server} options.server
   * @param {number} options.user
   * @param {(entry: Entry, receipt: Receipt, isFromOtherTab: boolean) => void} options.onReceipt
   * @param {(entry: Entry, refusal: Refusal) => void} options.onRefusal
   * @param {() => void} options.onChange called after every change
   */
  constructor({ store, server, user, onReceipt, onRefusal, onChange }) {
    this.store = store;
    this.server = server;
    this.user = user;
    this.onReceipt = onReceipt;
    this.onRefusal = onRefusal;
    this.onChange = onChange;
    this.channel = "BroadcastChannel" in window ? new BroadcastChannel(`assay ${user}`) : null;
    this.channel?.addEventListener("message", ({ data }) => this.#settle(data.entry, data.answer));
    window.addEventListener("online", () => this.#sendAtOnce());
    document.addEventListener("visibilitychange", () => document.hidden || this.#sendAtOnce());
  }

  /** Read the entries that an earlier page left or another tab is sending. */
  async load() {
    this.waiting = await this.store.all(this.user);
    return this.waiting;
  }

  /**
   * Whether an entry of these topics waits. Entries of other topics may wait because judging is paused there.
   *
   * @param {(topic: string) => boolean} isOfPage
   */
  holds(isOfPage) {
    return this.waiting.some(({ topic }) => isOfPage(topic));
  }

  /** Whether nothing would be lost if the page were closed now. */
  get isSafe() {
    return this.waiting.length === 0 || (this.store.isDurable && this.#unwritten.size === 0);
  }

  /** @param {Omit<Entry, "user">} fresh */
  async add(fresh) {
    const entry = { ...fresh, user: this.user };
    const id = entry.fields.client_id;
    this.waiting.push(entry);
    this.#unwritten.add(id);
    this.onChange();
    await this.store.add(entry);
    this.#unwritten.delete(id);
    await this.send();
  }

  async send() {
    this.#sendAgain = true; // an entry may be added just after the running round has read the store
    if (this.#sending) return;
    this.#sending = true;
    clearTimeout(this.#timer);
    while (this.#sendAgain) {
      this.#sendAgain = false;
      await this.#withLock(() => this.#sendAll());
    }
    this.#sending = false;
    if (this.trouble) this.#retryLater();
    this.onChange();
  }

  /** Do not wait for a request that the lost connection may have left hanging, nor for the next attempt. */
  #sendAtOnce() {
    if (!this.trouble && !this.#sending) return;
    this.#retryMs = RETRY_MS;
    this.server.abortPosts();
    this.send();
  }

  /** @param {() => Promise<void>} action */
  #withLock(action) {
    return navigator.locks ? navigator.locks.request(`assay ${this.user}`, action) : action();
  }

  async #sendAll() {
    /** @type {Map<string, Wait>} */
    const paused = new Map(); // topics that are paused or closed; entries of other topics do not wait for them
    for (let entry = await this.#first(paused); entry; entry = await this.#first(paused)) {
      const answer = await this.server.post(entry);
      if (answer.wait === "paused" || answer.wait === "closed") {
        paused.set(entry.topic, answer.wait);
        continue;
      }
      this.trouble = answer.wait ?? "";
      this.#retryAfterMs = answer.retryAfterMs ?? 0;
      if (answer.wait) return;
      await this.#shiftVersions(entry, answer.receipt);
      await this.store.remove(entry);
      this.channel?.postMessage({ entry, answer });
      this.#settle(entry, answer);
    }
    const [wait = ""] = paused.values();
    this.trouble = wait;
    this.#retryMs = RETRY_MS;
  }

  /**
   * The oldest entry that does not belong to one of these topics.
   *
   * @param {Map<string, Wait>} except
   */
  async #first(except) {
    return (await this.store.all(this.user)).find(({ topic }) => !except.has(topic));
  }

  /**
   * If the entry met a newer version of its task, later entries of the same task are not outdated for that reason too:
   * add the difference to the version that they have seen.
   *
   * @param {Entry} entry
   * @param {Receipt} [receipt]
   */
  async #shiftVersions(entry, receipt) {
    const ahead = receipt ? receipt.version - entry.fields.seen_version - 1 : 0;
    if (!ahead) return;
    for (const later of await this.store.all(this.user)) {
      if (later.id === entry.id || later.address !== entry.address) continue;
      later.fields.seen_version += ahead;
      await this.store.replace(later);
    }
  }

  /**
   * @param {Entry} entry
   * @param {Answer} answer
   */
  #settle(entry, answer) {
    const before = this.waiting.length;
    this.waiting = this.waiting.filter((other) => other.fields.client_id !== entry.fields.client_id);
    if (answer.receipt) this.onReceipt(entry, answer.receipt, this.waiting.length === before);
    else if (answer.refusal) this.onRefusal(entry, answer.refusal);
    this.onChange();
  }

  #retryLater() {
    const isPaused = this.trouble === "paused" || this.trouble === "closed";
    const delay = isPaused ? PAUSED_RETRY_MS : Math.max(this.#retryMs, this.#retryAfterMs);
    this.#timer = setTimeout(() => this.send(), delay);
    if (!isPaused) this.#retryMs = Math.min(this.#retryMs * 1.5, MAX_RETRY_MS);
  }
}
