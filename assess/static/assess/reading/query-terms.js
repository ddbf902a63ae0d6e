/**
 * The words of a query, and their occurrences in a text.
 *
 * Two words match if their stems are equal, so that "judging" finds "judge", "judged" and "judgement". Diacritics and
 * case do not matter. In scripts without spaces (Thai to Khmer, kana, Han) a word matches wherever its characters
 * occur. Names with signs (C++, C#, .NET) match as they are, ignoring case.
 */

import { normalise } from "./normalise-text.js";

/**
 * @typedef {object} Terms
 * @property {RegExp} search finds words in a text; if the query has names with signs, they are its first group
 * @property {Set<string>} stems
 * @property {string[]} strings words in scripts without spaces
 */

// The same words as in assess/documents/snippet.py.
export const STOP_WORDS = new Set(
  (
    "a about an and are as at be by did do does for from had has have how i in is it its not of on or that the " +
    "their them they this to was were what when where which who whom why will with"
  ).split(" "),
);

const UNSPACED = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]/;
const WORD = /[\p{L}\p{N}\p{M}]{1,2000}/gu; // a run without spaces is split, which limits the length of a match
const WORDS_AT_ONCE = 200;
// The same pattern as in assess/documents/snippet.py.
const SIGNED = /(?<![\p{L}\p{N}])[\p{L}\p{N}]+[+#]+(?![\p{L}\p{N}+#])|(?<![^\s("'[])\.\p{L}[\p{L}\p{N}]*/gu;

/**
 * Endings that forms of a word differ in. Each ending is removed or replaced once, in this order, if at least this many
 * letters are left and one of them is a vowel. This is good enough for highlighting; it is not a linguistic stemmer.
 *
 * @type {[RegExp, string, number][]}
 */
const ENDINGS = [
  [/(?:ies|ied)$/, "y", 3],
  [/(?<=ss|x|z|ch|sh)es$/, "", 3],
  [/(?<![sui])s$/, "", 3],
  [/ness$/, "", 3],
  [/ly$/, "", 3],
  [/al$/, "", 5],
  [/ment$/, "", 3],
  [/is(?=ation$|e$|ed$|ing$|er$)/, "iz", 6], // British spelling
  [/(?:ation|ator|ated|ating|ate)$/, "", 4],
  [/ion$/, "", 4],
  [/ive$/, "", 4],
  [/(?:[ae]nce|[ae]ncy|[ae]nt)$/, "", 5],
  [/[ai]ble$/, "", 4],
  [/ity$/, "", 5],
  [/(?<=[rt]ee)d$/, "", 5], // agreed
  [/(?:ing|(?<!e)ed)$/, "", 3],
  [/(?<!tt)[eo]r$/, "", 4],
  [/e$/, "", 3],
  [/y$/, "i", 3],
  [/([bdfgklmnprtz])\1$/, "$1", 3], // planned
];
const VOWEL = /[aeiouy]/;

/**
 * The part of a normalised word that its forms have in common.
 *
 * @param {string} word
 */
export function stem(word) {
  if (!/^[a-z]+$/.test(word)) return word;
  return ENDINGS.reduce((rest, [ending, replacement, minLength]) => {
    const shorter = rest.replace(ending, replacement);
    return shorter.length >= minLength && VOWEL.test(shorter) ? shorter : rest;
  }, word);
}

/**
 * The terms of a query. Stop words are left out unless the query has no other words.
 *
 * @param {string} query
 * @returns {Terms}
 */
export function parseQuery(query) {
  const signed = query.match(SIGNED) ?? [];
  const words = (normalise(query.replace(SIGNED, " ")).match(WORD) ?? []).filter(
    (word) => word.length > 1 || UNSPACED.test(word) || /\d/.test(word),
  );
  const contentWords = words.filter((word) => !STOP_WORDS.has(word));
  const chosen = contentWords.length || signed.length ? contentWords : words;
  return {
    search: signed.length ? new RegExp(`(${signed.map(exactPattern).join("|")})|${WORD.source}`, "giu") : WORD,
    stems: new Set(chosen.filter((word) => !UNSPACED.test(word)).map(stem)),
    strings: [...new Set(chosen.filter((word) => UNSPACED.test(word)).flatMap(segment))],
  };
}

/** @param {string} name */
function exactPattern(name) {
  const escaped = name.replace(/[+.]/g, "\\$&");
  return name[0] === "." ? `${escaped}(?![\\p{L}\\p{N}])` : `(?<![\\p{L}\\p{N}])${escaped}(?![+#])`;
}

/**
 * Split a run of characters into words, if the browser can. Single kana are left out: they are mostly particles.
 *
 * @param {string} run
 */
function segment(run) {
  if (!Intl.Segmenter) return [run];
  const segments = [...new Intl.Segmenter(undefined, { granularity: "word" }).segment(run)];
  const words = segments.filter((part) => part.isWordLike && !/^[\u3040-\u30ff]$/.test(part.segment));
  return words.length ? words.map((part) => part.segment) : [run];
}

/**
 * Add [start, end) of every match to `found`, until it has `max` items. This is a generator for `runInSlices`.
 *
 * @param {string} text
 * @param {Terms} terms
 * @param {[number, number][]} found
 * @param {number} max
 * @returns {Generator<undefined, void>}
 */
export function* findTerms(text, { stems, strings, search }, found, max) {
  if (!stems.size && !strings.length && search === WORD) return;
  /** @type {Map<string, boolean>} */
  const known = new Map();
  let count = 0;
  for (const { 0: word, 1: signed, index } of text.matchAll(search)) {
    count += 1;
    if (count % WORDS_AT_ONCE === 0) yield;
    if (signed) found.push([index, index + signed.length]);
    else if (UNSPACED.test(word)) found.push(...findStrings(word, index, strings));
    else if (isForm(word, stems, known)) found.push([index, index + word.length]);
    if (found.length >= max) {
      found.length = max;
      return;
    }
  }
}

/**
 * Whether the word's stem is one of these. `known` caches the results.
 *
 * @param {string} word
 * @param {Set<string>} stems
 * @param {Map<string, boolean>} known
 */
function isForm(word, stems, known) {
  const result = known.get(word) ?? stems.has(stem(normalise(word)));
  known.set(word, result);
  return result;
}

/**
 * Occurrences of the strings in a run of characters without spaces. They do not overlap.
 *
 * @param {string} run
 * @param {number} offset of the run in the text
 * @param {string[]} strings
 */
function findStrings(run, offset, strings) {
  const lower = run.toLowerCase();
  /** @type {[number, number][]} */
  const found = [];
  for (let index = 0; index < run.length; ) {
    const string = strings.find((candidate) => lower.startsWith(candidate, index));
    if (string) found.push([offset + index, offset + index + string.length]);
    index += string ? string.length : 1;
  }
  return found;
}
