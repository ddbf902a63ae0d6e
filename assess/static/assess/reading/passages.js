/** The passages that decided a judgement: marked, listed and removed. Overlapping passages are merged. */

import { byId, query } from "../dom.js";
import { paint } from "./highlight-layers.js";

/**
 * @typedef {import("./displayed-text.js").Range} Offsets
 * @typedef {import("./reader.js").Display} Display
 */

const MAX_PASSAGES = 200; // as on the server
const MAX_LABEL_LENGTH = 60;

export class Passages {
  /** @type {Display | null} */
  #display = null;
  /** @type {Offsets[]} in order */
  #ranges = [];
  #help;

  /**
   * @param {HTMLElement | null} section contains the list; null if the collection does not ask for passages
   * @param {string | null | undefined} key the key that marks, if keys are on
   */
  constructor(section, key) {
    this.section = section;
    this.#help = `Select the passage with the mouse, or with Shift and the arrow keys, then press ${key || "Mark"}.`;
  }

  /**
   * @param {Display} display
   * @param {Offsets[]} characters the passages as the server stores them
   */
  show(display, characters) {
    this.#display = display;
    const ranges = characters.map(([start, end]) => {
      return /** @type {Offsets} */ ([display.text.fromCharacters(start), display.text.fromCharacters(end)]);
    });
    this.#set(
      display,
      ranges.filter(([start, end]) => start < end),
    );
  }

  clear() {
    this.#display = null;
    this.#ranges = [];
    if (!this.section) return;
    this.section.hidden = true;
    query(this.section, "ol", HTMLOListElement).replaceChildren();
  }

  /**
   * The passages as the server stores them.
   *
   * @param {Display} display
   * @returns {Offsets[]}
   */
  characters({ text }) {
    return this.#ranges.map(([start, end]) => [text.toCharacters(start), text.toCharacters(end)]);
  }

  /** Mark the selected passage, or remove the mark that contains the selection. Return an error message, or "". */
  toggle() {
    if (!this.section) return "This collection does not ask for passages.";
    if (!this.#display) return "Passages can be marked only in the full text.";
    const selected = selectedRange(this.#display);
    if (!selected) return this.#help;
    const [start, end] = selected;
    const around = this.#ranges.findIndex((range) => range[0] <= start && end <= range[1]);
    if (around >= 0) return this.#remove(this.#display, around);
    if (start === end) return this.#help;
    return this.#add(this.#display, start, end);
  }

  /**
   * @param {Display} display
   * @param {number} start
   * @param {number} end
   */
  #add(display, start, end) {
    const separate = this.#ranges.filter((range) => range[1] < start || end < range[0]);
    if (separate.length >= MAX_PASSAGES) return `A judgement can have at most ${MAX_PASSAGES} passages.`;
    const merged = this.#ranges.filter((range) => !separate.includes(range)).flat();
    /** @type {Offsets} */
    const added = [Math.min(start, ...merged), Math.max(end, ...merged)];
    this.#set(
      display,
      [...separate, added].sort(([a], [b]) => a - b),
    );
    return "";
  }

  /**
   * @param {Display} display
   * @param {number} index
   */
  #remove(display, index) {
    this.#set(display, this.#ranges.toSpliced(index, 1));
    return "";
  }

  /**
   * @param {Display} display
   * @param {Offsets[]} ranges
   */
  #set(display, ranges) {
    this.#ranges = ranges;
    const painted = ranges.map(([start, end]) => display.text.staticRange(start, end));
    paint("passage", display.view, painted);
    if (!this.section) return;
    this.section.hidden = !ranges.length;
    const items = ranges.map((range, index) => this.#createItem(display, range, index));
    query(this.section, "ol", HTMLOListElement).replaceChildren(...items);
  }

  /**
   * @param {Display} display
   * @param {Offsets} range
   * @param {number} index
   */
  #createItem(display, [start, end], index) {
    const label = display.text.text.slice(start, Math.min(end, start + MAX_LABEL_LENGTH)).replace(/\s+/g, " ");
    const go = createButton(end - start > MAX_LABEL_LENGTH ? `${label}…` : label, () => {
      display.scrollTo(display.text.range(start, end));
    });
    go.dir = "auto";
    const remove = createButton("×", () => {
      this.#remove(display, index);
      byId("document").focus({ preventScroll: true }); // the focused button is gone
    });
    remove.ariaLabel = `Remove passage ${index + 1}`;
    const item = document.createElement("li");
    item.append(go, remove);
    return item;
  }
}

/**
 * [start, end) of the selection in the text, without surrounding white space. A triple click or "select all" selects
 * more than the text; that part is cut off.
 *
 * @param {Display} display
 * @returns {Offsets | null}
 */
function selectedRange({ text, view, root }) {
  const selection = view.getSelection();
  if (!selection?.rangeCount || !selection.getRangeAt(0).intersectsNode(root)) return null;
  const range = selection.getRangeAt(0);
  let [start, end] = text.offsets(range);
  if (start === end && !root.contains(range.commonAncestorContainer)) return null;
  while (start < end && /\s/.test(text.text[start])) start += 1;
  while (start < end && /\s/.test(text.text[end - 1])) end -= 1;
  return [start, end];
}

/**
 * @param {string} label
 * @param {() => void} action
 */
function createButton(label, action) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = label;
  button.addEventListener("click", action);
  return button;
}
