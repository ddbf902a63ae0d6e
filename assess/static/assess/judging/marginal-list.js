/**
 * The list below the question what a document adds: the latest relevant documents, a field that filters them by words,
 * and the documents that the assessor chose, which stay on the list whatever the words are.
 */

import { byId } from "../dom.js";

/** @typedef {import("./types.js").ListedDocument} ListedDocument */

const MOST = 100; // documents on the list at a time
const MOST_UNFILTERED = 20; // a longer list has the field
const WAIT_MS = 250; // after a keystroke, before older documents are asked for

export class RelevantList {
  /** @type {ListedDocument[]} */
  #known = []; // the latest first
  /** @type {ListedDocument[]} */
  #older = []; // those that the server found for the words in the field
  /** @type {Map<string, ListedDocument>} */
  #chosen = new Map();
  /** @type {((words: string) => Promise<ListedDocument[] | null>) | null} */
  #find = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  constructor() {
    this.field = /** @type {HTMLInputElement} */ (byId("marginal-words"));
    this.field.addEventListener("input", () => this.#filter());
    byId("marginal-list").addEventListener("change", (event) => {
      if (event.target instanceof HTMLInputElement) this.#choose(event.target);
    });
  }

  /**
   * @param {ListedDocument[]} known the first judged first
   * @param {((words: string) => Promise<ListedDocument[] | null>) | null} find how to find older documents; null if
   *   there are none
   */
  open(known, find) {
    this.#known = known.toReversed();
    this.#find = find;
    const [only, another] = known;
    if (only && !another && !find) this.#chosen.set(only.task, only);
    byId("marginal-filter").hidden = known.length <= MOST_UNFILTERED && !find;
    this.#show();
  }

  close() {
    clearTimeout(this.#timer);
    this.#known = [];
    this.#older = [];
    this.#chosen.clear();
    this.#find = null;
    this.field.value = "";
    byId("marginal-list").replaceChildren();
  }

  get boxes() {
    return [...byId("marginal-list").querySelectorAll("input")];
  }

  /** The tasks of the chosen documents. */
  get chosen() {
    return [...this.#chosen.keys()];
  }

  get #words() {
    return this.field.value.toLowerCase().split(/\s+/).filter(Boolean);
  }

  /** @param {HTMLInputElement} box */
  #choose(box) {
    const chosen = [...this.#known, ...this.#older].find(({ task }) => task === box.value);
    if (box.checked && chosen) this.#chosen.set(box.value, chosen);
    else this.#chosen.delete(box.value);
  }

  #filter() {
    clearTimeout(this.#timer);
    this.#older = [];
    this.#show();
    const words = this.field.value.trim();
    if (this.#find && words) this.#timer = setTimeout(() => this.#findOlder(words), WAIT_MS);
  }

  /** @param {string} words */
  async #findOlder(words) {
    const found = await this.#find?.(words);
    if (words !== this.field.value.trim()) return; // the field has changed, or the list was closed
    const known = new Set(this.#known.map(({ document }) => document));
    this.#older = (found ?? []).filter(({ document }) => !known.has(document)).toReversed();
    this.#show();
    if (!found) byId("marginal-count").textContent = "Older documents can only be found with a connection.";
  }

  #show() {
    const words = this.#words;
    const matching = [...this.#known.filter((each) => contains(each, words)), ...this.#older];
    const others = matching.filter(({ task }) => !this.#chosen.has(task));
    const shown = others.slice(0, MOST);
    const items = [...this.#chosen.values(), ...shown].map((each) => item(each, this.#chosen.has(each.task)));
    byId("marginal-list").replaceChildren(...items);
    byId("marginal-count").textContent = this.#describe(matching.length, shown.length < others.length);
  }

  /**
   * @param {number} count of matching documents
   * @param {boolean} isCut
   */
  #describe(count, isCut) {
    if (isCut || (this.#find && !this.#words.length)) return "The latest are listed; find others by their words.";
    if (!this.#words.length) return "";
    return count ? `Documents with these words: ${count}.` : "No listed document has these words.";
  }
}

/**
 * @param {ListedDocument} listed
 * @param {string[]} words in lower case
 */
function contains({ title, beginning }, words) {
  const text = `${title} ${beginning}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

/**
 * @param {ListedDocument} listed
 * @param {boolean} checked
 */
function item({ task, title, beginning }, checked) {
  const box = Object.assign(document.createElement("input"), { type: "checkbox", value: task, checked });
  const label = document.createElement("label");
  const name = Object.assign(document.createElement("b"), { dir: "auto", textContent: title || "Untitled document" });
  const text = Object.assign(document.createElement("span"), { dir: "auto", textContent: beginning });
  label.append(box, " ", name, " ", text);
  const element = document.createElement("li");
  element.append(label);
  return element;
}
