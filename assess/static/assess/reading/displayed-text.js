/**
 * The text of a document as it is shown: its text nodes, one after the other, and what stands where among them.
 *
 * Offsets within are JavaScript's (UTF-16). Those that leave the page count characters (Unicode code points) instead,
 * as Python does; `toCharacters` and `fromCharacters` go from one to the other.
 */

export class ShownText {
  #starts;
  #places; // text node -> its place
  #pairs = null; // offsets of the characters that take two UTF-16 units

  /** `text` may be given where it is known, and then is what the nodes hold together. */
  constructor(nodes, text = nodes.map((node) => node.data).join("")) {
    this.nodes = nodes;
    this.text = text;
    this.#places = new Map(nodes.map((node, place) => [node, place]));
    let start = 0;
    this.#starts = nodes.map((node) => (start += node.length) - node.length);
  }

  static within(root) {
    const walker = root.ownerDocument.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const nodes = [];
    while (walker.nextNode()) nodes.push(walker.currentNode);
    return new ShownText(nodes);
  }

  /** A range that costs nothing to keep: the nodes never change while they are shown. */
  staticRange(start, end) {
    const [startContainer, startOffset] = this.#at(start);
    const [endContainer, endOffset] = this.#at(end, true);
    const { StaticRange } = startContainer.ownerDocument.defaultView;
    return new StaticRange({ startContainer, startOffset, endContainer, endOffset });
  }

  range(start, end) {
    const { startContainer, startOffset, endContainer, endOffset } = this.staticRange(start, end);
    const range = startContainer.ownerDocument.createRange();
    range.setStart(startContainer, startOffset);
    range.setEnd(endContainer, endOffset);
    return range;
  }

  /** [start, end) of a selected range, cut to this text. */
  offsets(range) {
    return [
      this.#offset(range.startContainer, range.startOffset),
      this.#offset(range.endContainer, range.endOffset),
    ];
  }

  toCharacters(offset) {
    return offset - lowerBound(this.#surrogates(), (pair) => pair >= offset);
  }

  fromCharacters(character) {
    const pairs = this.#surrogates();
    // The n-th pair stands at character pairs[n] - n: the pairs before it took one unit more each.
    let low = 0;
    let high = pairs.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pairs[middle] - middle < character) low = middle + 1;
      else high = middle;
    }
    return Math.min(character + low, this.text.length);
  }

  #surrogates() {
    this.#pairs ??= [...this.text.matchAll(/[\ud800-\udbff][\udc00-\udfff]/g)].map(({ index }) => index);
    return this.#pairs;
  }

  /** Node and offset within it; at a border an `end` belongs to the node before, a start to the one behind. */
  #at(offset, end = false) {
    const behind = lowerBound(this.#starts, end ? (start) => start >= offset : (start) => start > offset);
    const place = Math.max(behind - 1, 0);
    return [this.nodes[place], Math.min(offset - this.#starts[place], this.nodes[place].length)];
  }

  #offset(container, offset) {
    const place = this.#places.get(container);
    if (place !== undefined) return this.#starts[place] + offset;
    const boundary = container.ownerDocument.createRange();
    boundary.setStart(container, offset);
    const first = lowerBound(this.nodes, (node) => boundary.comparePoint(node, 0) >= 0);
    return first < this.nodes.length ? this.#starts[first] : this.text.length;
  }
}

/** The first place in a sorted array from which on `reached` is true. */
function lowerBound(sorted, reached) {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (reached(sorted[middle])) high = middle;
    else low = middle + 1;
  }
  return low;
}
