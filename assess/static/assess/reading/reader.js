/**
 * The document on the screen: its text, the query's words in it, what is searched for, and the passages marked.
 * Knows nothing of judging.
 *
 * `fetchText(card)` brings the text of a card that came without it as { text, format }, or null. `onKey(event)` hears
 * the keys that are pressed within an HTML document's frame, `onActivity()` whatever else is done there, and `onFull()`
 * that the full text is wanted, which `showFull` brings.
 *
 * Passages are [start, end) offsets in characters (Unicode code points, as Python counts them) of the text as it is
 * shown: plain text as it came, of HTML all text within its body, one text node after the other.
 */

import { describe } from "./description.js";
import { FindBar } from "./find_bar.js";
import { listenTo, scrollByKey, showFramed } from "./framed.js";
import { wipeAll } from "./paint.js";
import { Passages } from "./passages.js";
import { showPlain } from "./plain.js";
import { QueryHighlights } from "./query_highlights.js";
import { reveal } from "./reveal.js";
import { slowly } from "./slowly.js";

const SLOW_MS = 200; // nothing is said of a shorter wait
const find = (id) => document.getElementById(id);

/** Where the letters are large the page scrolls too: then the next document begins where it can be seen. */
function toTop(article) {
  article.scrollTop = 0;
  if (article.getBoundingClientRect().top < 0) article.scrollIntoView();
}

export class Reader {
  #card = null;
  #showing = new AbortController(); // aborted as soon as something else is shown
  #frame = null;
  #screen = null; // what highlights, search and marks work on, once the text is there to its end
  #whole = false;
  #highlights;
  #findBar = new FindBar();
  #passages = new Passages(find("marks"), find("mark")?.querySelector("kbd")?.textContent);

  constructor({ query, highlightsOn, fetchText, onKey, onActivity, onFull }) {
    Object.assign(this, { fetchText, onKey, onActivity, onFull });
    this.#highlights = new QueryHighlights(query, highlightsOn, find("highlight-count"));
    this.#wire();
  }

  /**
   * Show a card's document, from its top. Resolves with true once its first screenful is in the page, and with false
   * if something else was shown before that. A text that cannot be had is asked for again, and resolves when it is had.
   */
  async show(card) {
    this.clear();
    this.#card = card;
    describe(card);
    find("doc-lacking").hidden = !card.lacking;
    if (card.lacking) return true;
    if (card.snippet !== null && card.snippet !== undefined) return this.#showSnippet(card);
    return this.#showText(card, card.text === null ? null : card);
  }

  /** Show the full text where only its snippet is shown. */
  async showFull() {
    if (!this.#card || this.#whole || this.#card.lacking || find("doc-full").hidden) return;
    const card = this.#card;
    this.#leave();
    await this.#showText(card, card.text === null ? null : card);
  }

  clear() {
    this.#leave();
    this.#card = null;
    describe(null);
    find("doc-lacking").hidden = true;
  }

  /** Whether the full text is on the screen, and not only the snippet or a part of the way to it. */
  get whole() {
    return this.#whole;
  }

  // ---- highlights, search, passages

  get highlightsOn() {
    return this.#highlights.on;
  }

  toggleHighlights() {
    this.#highlights.toggle();
    this.#press();
  }

  nextHighlight(backwards = false) {
    this.#highlights.step(backwards);
    this.#press();
  }

  get finding() {
    return this.#findBar.isOpen;
  }

  openFind() {
    this.#findBar.open();
  }

  closeFind() {
    this.#findBar.close();
  }

  get passages() {
    return this.#screen && this.#whole ? this.#passages.characters : (this.#card?.passages ?? []);
  }

  /** Mark the selected passage, or take its mark off. Returns one sentence on what is in the way, or "". */
  toggleMark() {
    return this.#passages.toggle();
  }

  // ---- bringing the text into the page

  #leave() {
    this.#showing.abort();
    this.#showing = new AbortController();
    this.#findBar.close();
    for (const part of [this.#findBar, this.#highlights, this.#passages]) part.clear();
    wipeAll(window);
    this.#screen = this.#frame = null;
    this.#whole = false;
    for (const id of ["doc-full", "doc-loading", "doc-failed"]) find(id).hidden = true;
    find("doc-notice").textContent = "";
    find("doc-body").replaceChildren();
    find("card").classList.remove("framed");
    toTop(find("document"));
  }

  #showSnippet(card) {
    find("doc-full").hidden = false;
    const { shown } = showPlain(find("doc-body"), card.snippet);
    this.#ready(shown, this.#showing.signal);
    return true;
  }

  async #showText(card, there) {
    const { signal } = this.#showing;
    const { text, format } = there ?? (await this.#fetch(card, signal)) ?? {};
    if (signal.aborted) return false;
    if (format === "html") await this.#showHtml(text, signal);
    else this.#showPlain(text, signal);
    if (signal.aborted) return false;
    this.#whole = true;
    return true;
  }

  async #showPlain(text, signal) {
    const { shown, rest } = showPlain(find("doc-body"), text);
    if (await slowly(rest, signal)) this.#ready(shown, signal);
  }

  async #showHtml(html, signal) {
    find("card").classList.add("framed");
    const { frame, loaded } = await showFramed(find("doc-body"), html, signal);
    if (signal.aborted) return;
    this.#frame = frame;
    listenTo(frame, this);
    loaded.then((shown) => signal.aborted || this.#ready(shown, signal));
  }

  /** The text is there to its end: now it may be searched and marked. */
  #ready(shown, signal) {
    const view = this.#frame?.contentWindow ?? window;
    const root = this.#frame?.contentDocument.body ?? find("doc-body");
    this.#screen = { shown, view, root, signal, reveal: (range) => reveal(range, this.#frame) };
    this.#highlights.show(this.#screen);
    this.#findBar.show(this.#screen);
    if (find("doc-full").hidden) this.#passages.show(this.#screen, this.#card.passages ?? []);
  }

  async #fetch(card, signal) {
    while (!signal.aborted) {
      const slow = setTimeout(() => (find("doc-loading").hidden = signal.aborted), SLOW_MS);
      const got = await this.fetchText(card).catch(() => null);
      clearTimeout(slow);
      if (signal.aborted) return null;
      find("doc-loading").hidden = true;
      if (got) return got;
      await this.#askedAgain(signal);
    }
    return null;
  }

  #askedAgain(signal) {
    find("doc-failed").hidden = false;
    return new Promise((resolve) => {
      const again = () => {
        find("doc-failed").hidden = true;
        resolve();
      };
      find("doc-again").addEventListener("click", again, { signal, once: true });
      window.addEventListener("online", again, { signal, once: true });
      signal.addEventListener("abort", resolve, { once: true });
    });
  }

  // ---- buttons, and keys that scroll

  #wire() {
    const deeds = {
      "highlight-toggle": () => this.toggleHighlights(),
      "highlight-next": () => this.nextHighlight(),
      "highlight-previous": () => this.nextHighlight(true),
      "find-open": () => this.openFind(),
      "doc-full": () => this.onFull(),
      mark: () => (find("doc-notice").textContent = this.toggleMark()),
    };
    for (const [id, deed] of Object.entries(deeds)) find(id)?.addEventListener("click", deed);
    find("mark")?.addEventListener("pointerdown", (event) => event.preventDefault()); // keeps what is selected
    find("document").addEventListener("keydown", (event) => this.#scroll(event));
    find("doc-tools").hidden = false;
    this.#press();
  }

  #press() {
    find("highlight-toggle").ariaPressed = String(this.highlightsOn);
  }

  #scroll(event) {
    if (event.target !== find("document") || !this.#frame || event.ctrlKey || event.altKey || event.metaKey) return;
    if (scrollByKey(this.#frame, event)) event.preventDefault();
  }
}
