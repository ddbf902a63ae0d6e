/**
 * Sends what waits in the store, one after the other and in order, until the server has it.
 *
 * All tabs of a browser share the store. Whoever holds the lock sends for all of them and tells the others what was
 * answered; where a browser has no locks, two tabs may send the same entry, and its client id makes that harmless.
 */

const RETRY_MS = 2000;
const LONGEST_RETRY_MS = 15_000;
const PAUSED_RETRY_MS = 30_000; // a pause is ended by a person

export class Outbox {
  waiting = []; // entries that this page knows of and that are not acknowledged, oldest first
  trouble = ""; // why they cannot be sent now, as Server.post says it
  #sending = false;
  #wanted = false;
  #timer = 0;
  #retry = RETRY_MS;
  #unwritten = new Set();

  /**
   * `onReceipt(entry, receipt, isNews)` and `onRefusal(entry, refusal)` come once for each entry, `onChange` after
   * anything. Of news this page knew nothing: it was said in another tab.
   */
  constructor({ store, server, user, onReceipt, onRefusal, onChange }) {
    Object.assign(this, { store, server, user, onReceipt, onRefusal, onChange });
    this.others = "BroadcastChannel" in window ? new BroadcastChannel(`assay ${user}`) : null;
    this.others?.addEventListener("message", ({ data }) => this.#settle(data.entry, data.answer));
    window.addEventListener("online", () => this.send());
    document.addEventListener("visibilitychange", () => document.hidden || !this.trouble || this.send());
  }

  /** What was left here by an earlier page, or is on its way from another tab. */
  async load() {
    this.waiting = await this.store.all(this.user);
    return this.waiting;
  }

  /** Something of this topic waits. What waits of another may do so through a pause there. */
  holds(topic) {
    return this.waiting.some((entry) => entry.topic === topic);
  }

  /** Nothing would be lost if the page were closed now. */
  get isKept() {
    return this.waiting.length === 0 || (this.store.lasting && this.#unwritten.size === 0);
  }

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
    this.#wanted = true; // an entry may arrive just when the round before has seen none
    if (this.#sending) return;
    this.#sending = true;
    clearTimeout(this.#timer);
    while (this.#wanted) {
      this.#wanted = false;
      await this.#alone(() => this.#sendAll());
    }
    this.#sending = false;
    if (this.trouble) this.#tryLater();
    this.onChange();
  }

  #alone(deed) {
    return navigator.locks ? navigator.locks.request(`assay ${this.user}`, deed) : deed();
  }

  async #sendAll() {
    const paused = new Set(); // topics that are not judged now; what waits of others need not wait with it
    for (let entry = await this.#first(paused); entry; entry = await this.#first(paused)) {
      const answer = await this.server.post(entry);
      if (answer.wait === "paused") {
        paused.add(entry.topic);
        continue;
      }
      this.trouble = answer.wait ?? "";
      if (answer.wait) return;
      await this.#shiftVersions(entry, answer.receipt);
      await this.store.remove(entry);
      this.others?.postMessage({ entry, answer });
      this.#settle(entry, answer);
    }
    this.trouble = paused.size ? "paused" : "";
    this.#retry = RETRY_MS;
  }

  /** The oldest entry, but for those of these topics. */
  async #first(paused) {
    return (await this.store.all(this.user)).find(({ topic }) => !paused.has(topic));
  }

  /** Entries behind one that met a newer version did not see that version less than it did: they are not stale too. */
  async #shiftVersions(entry, receipt) {
    const ahead = receipt ? receipt.version - entry.fields.seen_version - 1 : 0;
    if (!ahead) return;
    for (const later of await this.store.all(this.user)) {
      if (later.id === entry.id || later.address !== entry.address) continue;
      later.fields.seen_version += ahead;
      await this.store.replace(later);
    }
  }

  #settle(entry, answer) {
    const before = this.waiting.length;
    this.waiting = this.waiting.filter((other) => other.fields.client_id !== entry.fields.client_id);
    if (answer.receipt) this.onReceipt(entry, answer.receipt, this.waiting.length === before);
    else this.onRefusal(entry, answer.refusal);
    this.onChange();
  }

  #tryLater() {
    if (this.trouble === "paused") return void (this.#timer = setTimeout(() => this.send(), PAUSED_RETRY_MS));
    this.#timer = setTimeout(() => this.send(), this.#retry);
    this.#retry = Math.min(this.#retry * 1.5, LONGEST_RETRY_MS);
  }
}
