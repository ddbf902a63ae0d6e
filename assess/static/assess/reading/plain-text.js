/**
 * Plain text on the page, in blocks of which the browser lays out only those in sight: five megabytes scroll smoothly.
 */

import { ShownText } from "./shown_text.js";

const BLOCK = 12_000; // characters, cut behind the last end of a line before
const AT_ONCE = 4; // blocks that are put into the page before the first look
const PER_LINE = 75; // characters, to guess a block's height by

/** Puts the text into `body`; the rest of a long one comes with `plain.rest`, a generator for `slowly`. */
export function showPlain(body, text) {
  const blocks = split(text).map(block);
  body.replaceChildren(...blocks.slice(0, AT_ONCE));
  return { shown: new ShownText(blocks.map(({ firstChild }) => firstChild), text), rest: theRest(body, blocks) };
}

function* theRest(body, blocks) {
  for (let at = AT_ONCE; at < blocks.length; at += AT_ONCE) {
    yield;
    body.append(...blocks.slice(at, at + AT_ONCE));
  }
}

function block(text) {
  const div = document.createElement("div");
  div.className = "block";
  div.append(text);
  const lines = text.length / PER_LINE + text.split("\n").length / 2;
  div.style.containIntrinsicBlockSize = `auto ${Math.ceil(lines * 1.65)}em`;
  return div;
}

function split(text) {
  const parts = [];
  for (let at = 0; at < text.length; ) {
    const end = text.length - at <= BLOCK * 1.5 ? text.length : cut(text, at, at + BLOCK);
    parts.push(text.slice(at, end));
    at = end;
  }
  return parts.length ? parts : [""];
}

/** Where a block ends: behind a line, or else behind a word; never within a character. */
function cut(text, from, to) {
  for (const ending of ["\n", " "]) {
    const found = text.lastIndexOf(ending, to - 1);
    if (found > from) return found + 1;
  }
  return /[\udc00-\udfff]/.test(text[to]) ? to + 1 : to;
}
