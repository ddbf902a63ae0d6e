/** The topic next to the document. On small screens only its title is visible, until it is opened over the document. */

import { byId } from "../dom.js";

/** @typedef {import("./types.js").CardTopic} CardTopic */

const CLOSED_LABEL = "Details";
const OPEN_LABEL = "Close";

export class TopicPanel {
  #pk;
  #panel = byId("topic");
  #button = byId("topic-toggle");

  /** @param {number} pk the topic that the page shows */
  constructor(pk) {
    this.#pk = pk;
    this.#button.hidden = false;
    this.#button.addEventListener("click", () => this.#setOpen(!this.#isOpen));
  }

  /**
   * Show the topic of the next document, and close the panel. Return whether the topic has changed.
   *
   * @param {CardTopic | null | undefined} topic null where the page has one topic only
   */
  show(topic) {
    this.close();
    const hasChanged = Boolean(topic) && topic?.pk !== this.#pk;
    this.#panel.classList.toggle("changed", hasChanged);
    if (!topic || !hasChanged) return false;
    this.#pk = topic.pk;
    byId("topic-id").textContent = `Topic ${topic.query_id}`;
    byId("topic-title").textContent = topic.title;
    for (const [id, text] of [
      ["topic-description", topic.description],
      ["topic-narrative", topic.narrative],
    ]) {
      byId(id).textContent = text;
      byId(id).hidden = !text;
    }
    this.#panel.scrollTop = 0;
    return true;
  }

  /** Open the panel if it hides the guidelines or the list of keys, which a key is about to open. */
  open() {
    if (this.#isCollapsible) this.#setOpen(true);
  }

  close() {
    if (this.#isOpen) this.#setOpen(false);
  }

  get #isOpen() {
    return this.#panel.classList.contains("open");
  }

  get #isCollapsible() {
    return getComputedStyle(this.#button).display !== "none";
  }

  /** @param {boolean} isOpen */
  #setOpen(isOpen) {
    this.#panel.classList.toggle("open", isOpen);
    this.#button.ariaExpanded = String(isOpen);
    this.#button.textContent = isOpen ? OPEN_LABEL : CLOSED_LABEL;
  }
}
