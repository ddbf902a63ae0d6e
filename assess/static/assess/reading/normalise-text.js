/**
 * Normalises text for searching: lower case, no diacritics, and σ instead of ς (sigma at the end of a word).
 */

// Latin, Greek and Cyrillic accents, Hebrew points, Arabic vowels and the Arabic tatweel.
const DIACRITICS = /[\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u064b-\u065f\u0670\u0640]/g;
const ASCII = /^[\0-\x7f]*$/;
const CHUNK_LENGTH = 1 << 15;

/**
 * @typedef {{text: string, origin: (offset: number) => number}} NormalisedText
 *   `origin` converts an offset in `text` to an offset in the original text
 */

/** @param {string} text */
export function normalise(text) {
  const lower = text.toLowerCase();
  return ASCII.test(lower)
    ? lower
    : lower.normalize("NFD").replace(DIACRITICS, "").replaceAll("ς", "σ").normalize("NFC");
}

/** Splits a text so that each letter stays with its accents. */
const CLUSTERS = /[\s\S][\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u064b-\u065f\u0670\u0640\udc00-\udfff]*/g;

/**
 * Normalise a long text. This is a generator for `runInSlices`, because a text may have millions of characters.
 *
 * @param {string} text
 * @returns {Generator<undefined, NormalisedText>}
 */
export function* normaliseLong(text) {
  const parts = [];
  const origins = [];
  let isAscii = true;
  for (let start = 0; start < text.length; start += CHUNK_LENGTH) {
    const chunk = text.slice(start, start + CHUNK_LENGTH);
    if (ASCII.test(chunk)) {
      parts.push(chunk.toLowerCase());
      origins.push(start);
    } else {
      const [part, origin] = normaliseChunk(chunk, start);
      parts.push(part);
      origins.push(origin);
      isAscii = false;
    }
    yield;
  }
  return { text: parts.join(""), origin: isAscii ? (offset) => offset : originOf(parts, origins, text.length) };
}

/**
 * The normalised chunk, and the original offset of each of its characters.
 *
 * @param {string} chunk
 * @param {number} start
 * @returns {[string, number[]]}
 */
function normaliseChunk(chunk, start) {
  const known = new Map();
  const pieces = [];
  const origin = [];
  for (const { 0: cluster, index } of chunk.matchAll(CLUSTERS)) {
    const piece = known.get(cluster) ?? normalise(cluster);
    known.set(cluster, piece);
    for (let n = 0; n < piece.length; n += 1) origin.push(start + index);
    pieces.push(piece);
  }
  return [pieces.join(""), origin];
}

/**
 * @param {string[]} parts
 * @param {(number | number[])[]} origins of each part: the offset of its start, or of each of its characters
 * @param {number} end the length of the original text
 * @returns {(offset: number) => number}
 */
function originOf(parts, origins, end) {
  /** @type {number[]} */
  const starts = [];
  let total = 0;
  for (const part of parts) {
    starts.push(total);
    total += part.length;
  }
  return (offset) => {
    if (offset >= total) return end;
    let index = starts.length - 1;
    while (starts[index] > offset) index -= 1;
    const origin = origins[index];
    return typeof origin === "number" ? origin + offset - starts[index] : origin[offset - starts[index]];
  };
}
