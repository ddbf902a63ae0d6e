/**
 * The current document: its text, the highlighted words of the query, the find bar, and the marked passages. This
 * module knows nothing about judging.
 *
 * Passages are [start, end) offsets in characters (Unicode code points, as Python counts them) of the displayed text:
 * plain text as it is stored, or, for HTML, the text nodes of the body in order.
 */

import { byId } from "../dom.js";
import { FindBar } from "./find-bar.js";
import { clearAllLayers } from "./highlight-layers.js";
import { contentOf, listenTo, scrollByKey, showHtml } from "./html-frame.js";
import { showMetadata } from "./metadata.js";
import { Passages } from "./passages.js";
import { showPlainText } from "./plain-text.js";
import { QueryHighlights } from "./query-highlights.js";
import { runInSlices } from "./run-in-slices.js";
import { scrollToRange } from "./scroll-to-range.js";

/**
 * @typedef {import("../judging/types.js").Card} Card
 * @typedef {import("./displayed-text.js").DisplayedText} DisplayedText
 *
 * @typedef {object} Display What highlights, find bar and passages need once the text is complete.
 * @property {DisplayedText} text
 * @property {import("./highlight-layers.js").View} view the page's or the frame's window
 * @property {HTMLElement} root the element that contains the text
 * @property {AbortSignal} signal aborted when another document is shown
 * @property {(range: Range) => void} scrollTo
 *
 * @typedef {{text: string, format: string}} DocumentText
 */

const SLOW_MS = 200; // "Loading" is not shown for shorter waits

export class Reader {
  /** @type {Card | null} */
  #card = null;
  #controller = new AbortController(); // aborted when something else is shown
  /** @type {HTMLIFrameElement | null} */
  #frame = null;
  /** @type {Display | null} */
  #display = null;
  #isFullText = false;
  #highlights;
  #findBar = new FindBar();
  #passages = new Passages(
    document.getElementById("marks"),
    document.getElementById("mark")?.querySelector("kbd")?.textContent,
  );

  /**
   * @param {object} options
   * @param {string} options.query
   * @param {boolean} options.highlightsOn
   * @param {(card: Card) => Promise<DocumentText | null>} options.fetchText fetches the text of a card without one
   * @param {(event: KeyboardEvent) => void} options.onKey called for keys pressed in an HTML document's frame
   * @param {() => void} options.onActivity called for other activity in that frame
   * @param {() => void} options.onFull called when the user asks for the full text; should call `showFull`
   */
  constructor({ query, highlightsOn, fetchText, onKey, onActivity, onFull }) {
    this.fetchText = fetchText;
    this.onKey = onKey;
    this.onActivity = onActivity;
    this.onFull = onFull;
    this.#highlights = new QueryHighlights(query, highlightsOn, byId("highlight-count"));
    this.#addListeners();
  }

  /**
   * Show a card's document from its top. Resolve with true when its first screen is in the page, or with false if
   * something else was shown before that. If the text cannot be fetched, ask again until it can be.
   *
   * @param {Card} card
   */
  async show(card) {
    this.clear();
    this.#card = card;
    showMetadata(card);
    byId("doc-missing").hidden = !card.lacking;
    byId("doc-empty").hidden = !card.empty;
    if (card.lacking || card.empty) return true;
    if (card.snippet !== null && card.snippet !== undefined) return this.#showSnippet(card.snippet);
    return this.#showText(card);
  }

  /** Show the full text where only its snippet is shown. */
  async showFull() {
    if (!this.#card || this.#isFullText || this.#card.lacking || byId("doc-full").hidden) return;
    this.#reset();
    await this.#showText(this.#card);
  }

  clear() {
    this.#reset();
    this.#card = null;
    showMetadata(null);
    byId("doc-missing").hidden = byId("doc-empty").hidden = true;
  }

  // ---- highlights, find bar, passages

  /** @param {string} query whose words are highlighted from the next document on */
  setQuery(query) {
    this.#highlights.setQuery(query);
  }

  get highlightsOn() {
    return this.#highlights.isOn;
  }

  toggleHighlights() {
    this.#highlights.toggle();
    this.#showHighlightsState();
  }

  nextHighlight(backwards = false) {
    this.#highlights.step(backwards);
    this.#showHighlightsState();
  }

  get isFinding() {
    return this.#findBar.isOpen;
  }

  openFind() {
    this.#findBar.open();
  }

  closeFind() {
    this.#findBar.close();
  }

  get passages() {
    return this.#display && this.#isFullText ? this.#passages.characters(this.#display) : (this.#card?.passages ?? []);
  }

  /** Mark the selected passage, or remove its mark. Return an error message, or "". */
  toggleMark() {
    return this.#passages.toggle();
  }

  // ---- showing the text

  #reset() {
    this.#controller.abort();
    this.#controller = new AbortController();
    this.#findBar.close();
    for (const part of [this.#findBar, this.#highlights, this.#passages]) part.clear();
    clearAllLayers(window);
    this.#display = this.#frame = null;
    this.#isFullText = false;
    for (const id of ["doc-full", "doc-loading", "doc-failed"]) byId(id).hidden = true;
    byId("doc-notice").textContent = "";
    byId("doc-body").replaceChildren();
    byId("card").classList.remove("framed");
    scrollToTop(byId("document"));
  }

  /** @param {string} snippet */
  #showSnippet(snippet) {
    byId("doc-full").hidden = false;
    const { text } = showPlainText(byId("doc-body"), snippet);
    this.#complete(text, this.#controller.signal);
    return true;
  }

  /** @param {Card} card */
  async #showText(card) {
    const { signal } = this.#controller;
    const { text, format } = card.text === null ? await this.#fetch(card, signal) : card;
    if (signal.aborted || text === null) return false;
    if (format === "html") await this.#showHtml(text, signal);
    else this.#showPlain(text, signal);
    if (signal.aborted) return false;
    this.#isFullText = true;
    return true;
  }

  /**
   * @param {string} plain
   * @param {AbortSignal} signal
   */
  async #showPlain(plain, signal) {
    const { text, rest } = showPlainText(byId("doc-body"), plain);
    if (await runInSlices(rest, signal)) this.#complete(text, signal);
  }

  /**
   * @param {string} html
   * @param {AbortSignal} signal
   */
  async #showHtml(html, signal) {
    byId("card").classList.add("framed");
    const { frame, text } = await showHtml(byId("doc-body"), html, signal);
    if (signal.aborted) return;
    this.#frame = frame;
    listenTo(frame, this);
    text.then((complete) => signal.aborted || this.#complete(complete, signal));
  }

  /**
   * The text is complete: it can be searched and marked now.
   *
   * @param {DisplayedText} text
   * @param {AbortSignal} signal
   */
  #complete(text, signal) {
    const frame = this.#frame;
    const view = /** @type {import("./highlight-layers.js").View} */ (frame?.contentWindow ?? window);
    const root = frame ? contentOf(frame).body : byId("doc-body");
    this.#display = { text, view, root, signal, scrollTo: (range) => scrollToRange(range, frame) };
    this.#highlights.show(this.#display);
    this.#findBar.show(this.#display);
    if (byId("doc-full").hidden) this.#passages.show(this.#display, this.#card?.passages ?? []);
  }

  /**
   * @param {Card} card
   * @param {AbortSignal} signal
   * @returns {Promise<DocumentText | {text: null, format: string}>}
   */
  async #fetch(card, signal) {
    while (!signal.aborted) {
      const slow = setTimeout(() => {
        byId("doc-loading").hidden = signal.aborted;
      }, SLOW_MS);
      const result = await this.fetchText(card).catch(() => null);
      clearTimeout(slow);
      if (signal.aborted) break;
      byId("doc-loading").hidden = true;
      if (result) return result;
      await this.#waitForRetry(signal);
    }
    return { text: null, format: "" };
  }

  /** @param {AbortSignal} signal */
  #waitForRetry(signal) {
    byId("doc-failed").hidden = false;
    return /** @type {Promise<void>} */ (
      new Promise((resolve) => {
        const retry = () => {
          byId("doc-failed").hidden = true;
          resolve();
        };
        byId("doc-retry").addEventListener("click", retry, { signal, once: true });
        window.addEventListener("online", retry, { signal, once: true });
        signal.addEventListener("abort", () => resolve(), { once: true });
      })
    );
  }

  // ---- buttons, and keys that scroll

  #addListeners() {
    /** @type {Record<string, () => void>} */
    const actions = {
      "highlight-toggle": () => this.toggleHighlights(),
      "highlight-next": () => this.nextHighlight(),
      "highlight-previous": () => this.nextHighlight(true),
      "find-open": () => this.openFind(),
      "doc-full": () => this.onFull(),
    };
    for (const [id, action] of Object.entries(actions)) byId(id).addEventListener("click", action);
    const mark = document.getElementById("mark"); // only if the collection asks for passages
    mark?.addEventListener("click", () => {
      byId("doc-notice").textContent = this.toggleMark();
    });
    mark?.addEventListener("pointerdown", (event) => event.preventDefault()); // keeps the selection
    byId("document").addEventListener("keydown", (event) => this.#scroll(event));
    byId("doc-tools").hidden = false;
    this.#showHighlightsState();
  }

  #showHighlightsState() {
    byId("highlight-toggle").ariaPressed = String(this.highlightsOn);
  }

  /** @param {KeyboardEvent} event */
  #scroll(event) {
    if (event.target !== byId("document") || !this.#frame || event.ctrlKey || event.altKey || event.metaKey) return;
    if (scrollByKey(this.#frame, event)) event.preventDefault();
  }
}

/**
 * With large text the page scrolls too: make the beginning of the next document visible.
 *
 * @param {HTMLElement} article
 */
function scrollToTop(article) {
  article.scrollTop = 0;
  if (article.getBoundingClientRect().top < 0) article.scrollIntoView();
}
