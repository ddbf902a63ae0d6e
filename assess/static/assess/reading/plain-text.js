/** Shows plain text in blocks. The browser lays out only the visible ones, so that 5 MB of text scroll smoothly. */

import { DisplayedText } from "./displayed-text.js";

const BLOCK_LENGTH = 12_000; // characters; a block ends at the last end of a line before
const BLOCKS_AT_ONCE = 4; // blocks added before the first paint
const LINE_LENGTH = 75; // characters, to estimate a block's height

/**
 * Show the text in `body`. The first blocks are added at once; `rest` is a generator for `runInSlices` that adds the
 * others.
 *
 * @param {HTMLElement} body
 * @param {string} text
 */
export function showPlainText(body, text) {
  const parts = split(text);
  const nodes = parts.map((part) => document.createTextNode(part));
  const blocks = nodes.map(createBlock);
  body.replaceChildren(...blocks.slice(0, BLOCKS_AT_ONCE));
  return { text: new DisplayedText(nodes, text), rest: addRest(body, blocks) };
}

/**
 * @param {HTMLElement} body
 * @param {HTMLElement[]} blocks
 */
function* addRest(body, blocks) {
  for (let index = BLOCKS_AT_ONCE; index < blocks.length; index += BLOCKS_AT_ONCE) {
    yield;
    body.append(...blocks.slice(index, index + BLOCKS_AT_ONCE));
  }
}

/** @param {Text} node */
function createBlock(node) {
  const block = document.createElement("div");
  block.className = "block";
  block.append(node);
  const lines = node.length / LINE_LENGTH + node.data.split("\n").length / 2;
  block.style.containIntrinsicBlockSize = `auto ${Math.ceil(lines * 1.65)}em`;
  return block;
}

/** @param {string} text */
function split(text) {
  const parts = [];
  for (let start = 0; start < text.length; ) {
    const isLast = text.length - start <= BLOCK_LENGTH * 1.5;
    const end = isLast ? text.length : blockEnd(text, start, start + BLOCK_LENGTH);
    parts.push(text.slice(start, end));
    start = end;
  }
  return parts.length ? parts : [""];
}

/**
 * The end of a block: after a line or else after a word, and never inside a character.
 *
 * @param {string} text
 * @param {number} from
 * @param {number} to
 */
function blockEnd(text, from, to) {
  for (const separator of ["\n", " "]) {
    const index = text.lastIndexOf(separator, to - 1);
    if (index > from) return index + 1;
  }
  return /[\udc00-\udfff]/.test(text[to]) ? to + 1 : to;
}
