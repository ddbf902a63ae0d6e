/**
 * The question after a relevant grade: does the document add to the relevant ones that the assessor has seen in its
 * topic? The answer becomes part of the judgement, so it waits in the outbox with it.
 */

import { byId, formById, query } from "../dom.js";
import { RelevantList } from "./marginal-list.js";
import { focusDocument } from "./panels.js";
import { painted } from "./status.js";

/**
 * @typedef {import("./types.js").Card} Card
 * @typedef {import("./types.js").ListedDocument} ListedDocument
 * @typedef {import("./types.js").RelevantDocuments} RelevantDocuments
 * @typedef {{marginal: string, repeats: string[]}} Answer
 */

const TOO_EARLY = "Too early: this question had only just appeared. Nothing was answered.";
const HINT = "For “Partly new” and “Nothing new”, choose the documents that it repeats.";
const BEGINNING = 120; // characters of a text in the list

export class MarginalQuestion {
  /** @type {((answer: Answer) => void) | null} */
  #onAnswer = null;
  #isReady = false; // the question has been visible long enough for a key to be an answer to it

  /**
   * @param {object} options
   * @param {Record<string, RelevantDocuments> | null} options.listed by topic; null if the question is not asked
   * @param {number} options.topic the topic of cards that name none
   * @param {number} options.lowest the grade that is not relevant
   * @param {number} options.minVisibleMs
   * @param {boolean} options.keysOn
   * @param {(message: string) => void} options.notice
   * @param {(topic: string, words: string) => Promise<ListedDocument[] | null>} options.find
   */
  constructor({ listed, topic, lowest, minVisibleMs, keysOn, notice, find }) {
    this.isOn = listed !== null;
    /** @type {Map<string, RelevantDocuments>} */
    this.listed = new Map(Object.entries(listed ?? {}));
    this.topic = topic;
    this.lowest = lowest;
    this.minVisibleMs = minVisibleMs;
    this.keysOn = keysOn;
    this.notice = notice;
    this.find = find;
    if (this.isOn) this.#connect();
  }

  #connect() {
    this.form = formById("marginal");
    this.list = new RelevantList();
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      const button = event.submitter;
      this.#answer(button instanceof HTMLButtonElement ? button.value : this.#chosen);
    });
    this.form.addEventListener("keydown", (event) => this.#keyPressed(event));
    byId("marginal-cancel").addEventListener("click", () => this.cancel());
  }

  /**
   * Ask about the card, and call `onAnswer` once. Without earlier relevant documents the card is new, and nothing is
   * asked. Return whether the caller must wait for the answer or has received it: false if the card needs none.
   *
   * @param {Card} card
   * @param {{state: string, relevance?: number | null, marginal?: string}} judgement
   * @param {(answer: Answer) => void} onAnswer
   */
  ask(card, { state, relevance, marginal }, onAnswer) {
    this.close();
    const isRelevant = state === "judged" && Number(relevance) > this.lowest;
    if (!this.isOn || marginal || !isRelevant || card.note) return false;
    if (this.#hasOthers(card)) this.#open(card, onAnswer);
    else onAnswer({ marginal: "new", repeats: [] });
    return true;
  }

  /**
   * List a judged card for the documents that follow, if it is relevant.
   *
   * @param {Card} card
   */
  add(card) {
    this.remove(card.task);
    const isRelevant = card.state === "judged" && Number(card.relevance) > this.lowest;
    if (!this.isOn || !isRelevant || card.note) return;
    const { documents } = this.#listOf(card);
    if (documents.some(({ document }) => document === card.document)) return;
    const title = card.title || card.doc_id;
    documents.push({ task: card.task, document: card.document ?? "", title, beginning: beginning(card) });
  }

  /** @param {string} task */
  remove(task) {
    for (const list of this.listed.values()) {
      list.documents = list.documents.filter((each) => each.task !== task);
    }
  }

  /** The topics whose relevant documents the page has. */
  get topics() {
    return [...this.listed.keys()];
  }

  /**
   * Add the topics of cards that were fetched later.
   *
   * @param {Record<string, RelevantDocuments> | undefined} listed
   */
  receive(listed) {
    for (const [topic, list] of Object.entries(listed ?? {})) {
      if (!this.listed.has(topic)) this.listed.set(topic, list);
    }
  }

  close() {
    if (!this.form || this.form.hidden) return;
    this.form.hidden = true;
    this.form.removeAttribute("data-ready");
    this.#isReady = false;
    this.#onAnswer = null;
    this.list?.close();
  }

  /** Close the question without a judgement. */
  cancel() {
    this.close();
    this.notice("The document is not judged.");
    focusDocument();
  }

  /** @param {Card} card */
  #topicOf(card) {
    return String(card.topic?.pk ?? this.topic);
  }

  /** @param {Card} card */
  #listOf(card) {
    const topic = this.#topicOf(card);
    const list = this.listed.get(topic) ?? { documents: [], older: 0 };
    this.listed.set(topic, list);
    return list;
  }

  /** @param {Card} card */
  #hasOthers(card) {
    const { documents, older } = this.#listOf(card);
    return older > 0 || withoutCard(documents, card).length > 0;
  }

  /**
   * @param {Card} card
   * @param {(answer: Answer) => void} onAnswer
   */
  async #open(card, onAnswer) {
    this.#onAnswer = onAnswer;
    byId("marginal-hint").textContent = HINT;
    const { documents, older } = this.#listOf(card);
    this.list?.open(withoutCard(documents, card), older ? (words) => this.#findOthers(card, words) : null);
    const form = /** @type {HTMLFormElement} */ (this.form);
    form.hidden = false;
    form.scrollIntoView({ block: "nearest" });
    query(form, "button", HTMLButtonElement).focus();
    await painted();
    setTimeout(() => {
      this.#isReady = this.#onAnswer === onAnswer;
      form.toggleAttribute("data-ready", this.#isReady);
    }, this.minVisibleMs);
  }

  /**
   * @param {Card} card
   * @param {string} words
   */
  async #findOthers(card, words) {
    const found = await this.find(this.#topicOf(card), words);
    return found && withoutCard(found, card);
  }

  get #boxes() {
    return this.list?.boxes ?? [];
  }

  /** The answer for which documents are being chosen. */
  #chosen = "nothing";

  /** @param {string} marginal */
  #answer(marginal) {
    if (!this.#onAnswer) return;
    if (!this.#isReady) return this.notice(TOO_EARLY);
    const repeats = marginal === "new" ? [] : (this.list?.chosen ?? []);
    if (marginal !== "new" && !repeats.length) return this.#choose(marginal);
    const onAnswer = this.#onAnswer;
    this.close();
    onAnswer({ marginal, repeats });
  }

  /**
   * Ask for the documents that this one repeats; Enter then gives the answer.
   *
   * @param {string} marginal
   */
  #choose(marginal) {
    this.#chosen = marginal;
    const answer = marginal === "partly" ? "Partly new" : "Nothing new";
    byId("marginal-hint").textContent = `${answer}: choose the documents that it repeats, then press Enter.`;
    this.#boxes[0]?.focus();
  }

  /** @param {KeyboardEvent} event */
  #keyPressed(event) {
    if (event.key === "Escape") {
      event.preventDefault();
      return this.cancel();
    }
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
    if (event.target === this.list?.field) return this.#keyPressedInField(event);
    const isBox = event.target instanceof HTMLInputElement;
    if (event.key === "Enter" && (event.repeat || isBox)) {
      event.preventDefault();
      if (!event.repeat) this.#answer(this.#chosen);
    } else if (isBox && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      event.preventDefault();
      const boxes = this.#boxes;
      const index = boxes.indexOf(/** @type {HTMLInputElement} */ (event.target));
      boxes[index + (event.key === "ArrowDown" ? 1 : -1)]?.focus();
    } else if (this.keysOn && !event.repeat) {
      const marginal = { n: "new", p: "partly", o: "nothing" }[event.key.toLowerCase()];
      if (!marginal) return;
      event.preventDefault();
      this.#answer(marginal);
    }
  }

  /** @param {KeyboardEvent} event */
  #keyPressedInField(event) {
    if (event.key !== "Enter" && event.key !== "ArrowDown") return;
    event.preventDefault(); // Enter would send the form
    this.#boxes[0]?.focus();
  }
}

/**
 * @param {ListedDocument[]} documents
 * @param {Card} card
 */
function withoutCard(documents, card) {
  return documents.filter(({ task, document }) => task !== card.task && document !== card.document);
}

/** @param {Card} card */
function beginning({ format, text, snippet }) {
  const shown = text ?? snippet ?? "";
  const isHtml = format === "html" && text !== null;
  const words = isHtml ? new DOMParser().parseFromString(shown, "text/html").body.textContent : shown;
  return (words ?? "")
    .slice(0, 10 * BEGINNING)
    .split(/\s+/)
    .join(" ")
    .trim()
    .slice(0, BEGINNING);
}
