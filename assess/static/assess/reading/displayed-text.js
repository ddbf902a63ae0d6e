/**
 * The text of the displayed document: its text nodes in order, and conversion between nodes and offsets.
 *
 * Offsets on the page are JavaScript's (UTF-16 units). Offsets sent to the server count characters (Unicode code
 * points), as Python does; `toCharacters` and `fromCharacters` convert between them.
 */

/** @typedef {[number, number]} Range [start, end) */

export class DisplayedText {
  #starts;
  #indexes; // the index of each text node
  /** @type {number[] | null} offsets of the characters that take two UTF-16 units */
  #pairs = null;

  /**
   * @param {Text[]} nodes
   * @param {string} [text] the text of all nodes, if it is known
   */
  constructor(nodes, text = nodes.map((node) => node.data).join("")) {
    this.nodes = nodes;
    this.text = text;
    this.#indexes = new Map(nodes.map((node, index) => [/** @type {Node} */ (node), index]));
    let end = 0;
    this.#starts = nodes.map((node) => {
      const start = end;
      end += node.length;
      return start;
    });
  }

  /** @param {HTMLElement} root */
  static within(root) {
    const walker = root.ownerDocument.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const nodes = [];
    while (walker.nextNode()) nodes.push(/** @type {Text} */ (walker.currentNode));
    return new DisplayedText(nodes);
  }

  /**
   * A static range, which is cheap to keep: the nodes do not change while they are displayed.
   *
   * @param {number} start
   * @param {number} end
   */
  staticRange(start, end) {
    const [startContainer, startOffset] = this.#locate(start);
    const [endContainer, endOffset] = this.#locate(end, true);
    const { StaticRange } = startContainer.ownerDocument.defaultView ?? window;
    return new StaticRange({ startContainer, startOffset, endContainer, endOffset });
  }

  /**
   * @param {number} start
   * @param {number} end
   */
  range(start, end) {
    const [startContainer, startOffset] = this.#locate(start);
    const [endContainer, endOffset] = this.#locate(end, true);
    const range = startContainer.ownerDocument.createRange();
    range.setStart(startContainer, startOffset);
    range.setEnd(endContainer, endOffset);
    return range;
  }

  /**
   * [start, end) of a selected range, cut to this text.
   *
   * @param {globalThis.Range} range
   * @returns {Range}
   */
  offsets(range) {
    return [this.#offset(range.startContainer, range.startOffset), this.#offset(range.endContainer, range.endOffset)];
  }

  /** @param {number} offset */
  toCharacters(offset) {
    return offset - lowerBound(this.#surrogatePairs(), (pair) => pair >= offset);
  }

  /** @param {number} character */
  fromCharacters(character) {
    const pairs = this.#surrogatePairs();
    // The n-th pair is character pairs[n] - n: each pair before it takes one unit more.
    let low = 0;
    let high = pairs.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pairs[middle] - middle < character) low = middle + 1;
      else high = middle;
    }
    return Math.min(character + low, this.text.length);
  }

  #surrogatePairs() {
    this.#pairs ??= [...this.text.matchAll(/[\ud800-\udbff][\udc00-\udfff]/g)].map(({ index }) => index);
    return this.#pairs;
  }

  /**
   * The node at an offset, and the offset in it. Between two nodes, an end belongs to the first and a start to the
   * second.
   *
   * @param {number} offset
   * @returns {[Text, number]}
   */
  #locate(offset, isEnd = false) {
    const after = lowerBound(this.#starts, isEnd ? (start) => start >= offset : (start) => start > offset);
    const index = Math.max(after - 1, 0);
    return [this.nodes[index], Math.min(offset - this.#starts[index], this.nodes[index].length)];
  }

  /**
   * @param {Node} container
   * @param {number} offset
   */
  #offset(container, offset) {
    const index = this.#indexes.get(container);
    if (index !== undefined) return this.#starts[index] + offset;
    const boundary = /** @type {Document} */ (container.ownerDocument).createRange();
    boundary.setStart(container, offset);
    const first = lowerBound(this.nodes, (node) => boundary.comparePoint(node, 0) >= 0);
    return first < this.nodes.length ? this.#starts[first] : this.text.length;
  }
}

/**
 * The index of the first item of a sorted array for which `isReached` is true.
 *
 * @template T
 * @param {T[]} sorted
 * @param {(item: T) => boolean} isReached
 */
function lowerBound(sorted, isReached) {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isReached(sorted[middle])) high = middle;
    else low = middle + 1;
  }
  return low;
}
