/** The passages that decided a judgement: marked, listed, taken off again. Overlapping ones are one. */

import { paint } from "./paint.js";

const MOST = 200; // the server keeps no more
const LONGEST_LABEL = 60;

export class Passages {
  #screen = null;
  #spans = []; // in order, offsets as in ShownText

  #how;

  /** `section` holds the list; it is null where the collection asks for no passages. `key` marks, if keys are on. */
  constructor(section, key) {
    this.section = section;
    this.#how = `Select the passage with the mouse, or with Shift and the arrow keys, then press ${key || "Mark"}.`;
  }

  /** `characters` are the passages as the server knows them. */
  show(screen, characters) {
    this.#screen = screen;
    const spans = characters.map((span) => span.map((character) => screen.shown.fromCharacters(character)));
    this.#set(spans.filter(([start, end]) => start < end));
  }

  clear() {
    this.#screen = null;
    this.#spans = [];
    this.#list();
  }

  get characters() {
    return this.#spans.map((span) => span.map((offset) => this.#screen.shown.toCharacters(offset)));
  }

  /** Mark what is selected, or take off the mark that the selection lies in. Returns why not, or "". */
  toggle() {
    if (!this.section) return "This collection does not ask for passages.";
    if (!this.#screen) return "There is no full text on the screen to mark a passage in.";
    const selected = this.#selected();
    if (!selected) return this.#how;
    const [start, end] = selected;
    const around = this.#spans.findIndex((span) => span[0] <= start && end <= span[1]);
    if (around >= 0) return this.#remove(around);
    if (start === end) return this.#how;
    return this.#add(start, end);
  }

  /**
   * [start, end) of the selection within the text, without the white space around it. A triple click or "select all"
   * goes beyond the text, which then ends it.
   */
  #selected() {
    const { shown, view, root } = this.#screen;
    const selection = view.getSelection();
    if (!selection?.rangeCount || !selection.getRangeAt(0).intersectsNode(root)) return null;
    const range = selection.getRangeAt(0);
    let [start, end] = shown.offsets(range);
    if (start === end && !root.contains(range.commonAncestorContainer)) return null;
    while (start < end && /\s/.test(shown.text[start])) start += 1;
    while (start < end && /\s/.test(shown.text[end - 1])) end -= 1;
    return [start, end];
  }

  #add(start, end) {
    const apart = this.#spans.filter((span) => span[1] < start || end < span[0]);
    if (apart.length >= MOST) return `At most ${MOST} passages are kept with a judgement.`;
    const merged = this.#spans.filter((span) => !apart.includes(span)).flat();
    this.#set([...apart, [Math.min(start, ...merged), Math.max(end, ...merged)]].sort(([a], [b]) => a - b));
    return "";
  }

  #remove(place) {
    this.#set(this.#spans.toSpliced(place, 1));
    return "";
  }

  #set(spans) {
    this.#spans = spans;
    paint("passage", this.#screen.view, spans.map(([start, end]) => this.#screen.shown.staticRange(start, end)));
    this.#list();
  }

  #list() {
    if (!this.section) return;
    this.section.hidden = !this.#spans.length;
    this.section.querySelector("ol").replaceChildren(...this.#spans.map((span, place) => this.#chip(span, place)));
  }

  #chip([start, end], place) {
    const words = this.#screen.shown.text.slice(start, Math.min(end, start + LONGEST_LABEL)).replace(/\s+/g, " ");
    const go = button(end - start > LONGEST_LABEL ? `${words}…` : words, () => {
      this.#screen.reveal(this.#screen.shown.range(start, end));
    });
    go.dir = "auto";
    const off = button("×", () => {
      this.#remove(place);
      document.getElementById("document").focus({ preventScroll: true }); // the button is gone
    });
    off.ariaLabel = `Take the mark off passage ${place + 1}`;
    const chip = document.createElement("li");
    chip.append(go, off);
    return chip;
  }
}

function button(words, deed) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = words;
  made.addEventListener("click", deed);
  return made;
}
