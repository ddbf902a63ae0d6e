/** Text without what a reader does not type: upper case, diacritics, and the sigma that only ends a word. */

// Latin, Greek and Cyrillic accents, Hebrew points, Arabic vowels and the Arabic stretching stroke.
const DIACRITICS = /[\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u064b-\u065f\u0670\u0640]/g;
const ASCII = /^[\0-\x7f]*$/;
const STRETCH = 1 << 15;

export function fold(text) {
  const lower = text.toLowerCase();
  return ASCII.test(lower) ? lower : lower.normalize("NFD").replace(DIACRITICS, "").replaceAll("ς", "σ").normalize("NFC");
}

/** Cuts a text so that a letter stays with its accents. */
const CLUSTERS = /[\s\S][\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u064b-\u065f\u0670\u0640\udc00-\udfff]*/g;

/**
 * A long text folded, and where each of its characters came from: `folded.text` and `folded.origin(offset)`.
 * A generator for `slowly`, because a text may have millions of characters.
 */
export function* foldLong(text) {
  const parts = [];
  const origins = [];
  let plain = true;
  for (let at = 0; at < text.length; at += STRETCH) {
    const stretch = text.slice(at, at + STRETCH);
    const [part, origin] = ASCII.test(stretch) ? [stretch.toLowerCase(), null] : foldStretch(stretch, at);
    plain &&= origin === null;
    parts.push(part);
    origins.push(origin ?? at);
    yield;
  }
  const folded = parts.join("");
  return { text: folded, origin: plain ? (offset) => offset : originOf(parts, origins, text.length) };
}

function foldStretch(stretch, at) {
  const known = new Map();
  const pieces = [];
  const origin = [];
  for (const { 0: cluster, index } of stretch.matchAll(CLUSTERS)) {
    let piece = known.get(cluster);
    if (piece === undefined) known.set(cluster, (piece = fold(cluster)));
    for (let n = 0; n < piece.length; n += 1) origin.push(at + index);
    pieces.push(piece);
  }
  return [pieces.join(""), origin];
}

function originOf(parts, origins, end) {
  const starts = [];
  let total = 0;
  for (const part of parts) {
    starts.push(total);
    total += part.length;
  }
  return (offset) => {
    if (offset >= total) return end;
    let place = starts.length - 1;
    while (starts[place] > offset) place -= 1;
    const origin = origins[place];
    return typeof origin === "number" ? origin + offset - starts[place] : origin[offset - starts[place]];
  };
}
