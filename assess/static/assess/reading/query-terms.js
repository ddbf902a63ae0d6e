/**
 * The words of a query, and where forms of them stand in a text.
 *
 * Two words match where their stems are equal, so that "judging" finds "judge", "judged" and "judgement". Diacritics
 * and case do not count. In scripts written without spaces (Thai to Khmer, kana, Han) a word is found wherever its
 * characters stand. Names with signs (C++, C#, .NET) are found as they are, but for case.
 */

import { fold } from "./fold.js";

// assess/judging/document_text.py has the same.
export const STOP_WORDS = new Set(
  (
    "a about an and are as at be by did do does for from had has have how i in is it its not of on or that the " +
    "their them they this to was were what when where which who whom why will with"
  ).split(" "),
);

const UNSPACED = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]/;
const WORD = /[\p{L}\p{N}\p{M}]{1,2000}/gu; // a run without end is taken in parts
const WORDS_AT_ONCE = 200;
// assess/judging/document_text.py has the same.
const SIGNED = /(?<![\p{L}\p{N}])[\p{L}\p{N}]+[+#]+(?![\p{L}\p{N}+#])|(?<![^\s("'[])\.\p{L}[\p{L}\p{N}]*/gu;

/*
 * What forms of a word differ in: each ending is taken off (or replaced) once, in this order, where at least so many
 * letters are left, one of them a vowel. Good enough to highlight by; no linguistics.
 */
const ENDINGS = [
  [/(?:ies|ied)$/, "y", 3],
  [/(?<=ss|x|z|ch|sh)es$/, "", 3],
  [/(?<![sui])s$/, "", 3],
  [/ness$/, "", 3],
  [/ly$/, "", 3],
  [/al$/, "", 5],
  [/ment$/, "", 3],
  [/is(?=ation$|e$|ed$|ing$|er$)/, "iz", 6], // the British spelling
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

/** The part of a folded word that its forms have in common. */
export function stem(word) {
  if (!/^[a-z]+$/.test(word)) return word;
  return ENDINGS.reduce((rest, [ending, instead, least]) => {
    const shorter = rest.replace(ending, instead);
    return shorter.length >= least && VOWEL.test(shorter) ? shorter : rest;
  }, word);
}

/**
 * The terms of a query: stems of its words, strings to look for in scripts without spaces, and `search`, which finds
 * words in a text, with names that have signs as its first group.
 */
export function termsOf(query) {
  const signed = query.match(SIGNED) ?? [];
  const words = (fold(query.replace(SIGNED, " ")).match(WORD) ?? []).filter((word) => word.length > 1 || UNSPACED.test(word) || /\d/.test(word));
  const telling = words.filter((word) => !STOP_WORDS.has(word));
  const chosen = telling.length || signed.length ? telling : words;
  return {
    search: signed.length ? new RegExp(`(${signed.map(asItIs).join("|")})|${WORD.source}`, "giu") : WORD,
    stems: new Set(chosen.filter((word) => !UNSPACED.test(word)).map(stem)),
    strings: [...new Set(chosen.filter((word) => UNSPACED.test(word)).flatMap(segments))],
  };
}

function asItIs(name) {
  const escaped = name.replace(/[+.]/g, "\\$&");
  return name[0] === "." ? `${escaped}(?![\\p{L}\\p{N}])` : `(?<![\\p{L}\\p{N}])${escaped}(?![+#])`;
}

/** A run of characters as words, where the browser knows the language's; a single kana tells nothing. */
function segments(run) {
  if (!Intl.Segmenter) return [run];
  const words = [...new Intl.Segmenter(undefined, { granularity: "word" }).segment(run)];
  const telling = words.filter(({ isWordLike, segment }) => isWordLike && !/^[\u3040-\u30ff]$/.test(segment));
  return telling.length ? telling.map(({ segment }) => segment) : [run];
}

/** Puts [start, end) of every match into `found`, at most `most`; a generator for `slowly`. */
export function* matches(text, { stems, strings, search }, found, most) {
  if (!stems.size && !strings.length && search === WORD) return;
  const known = new Map();
  let seen = 0;
  for (const { 0: word, 1: signed, index } of text.matchAll(search)) {
    if ((seen += 1) % WORDS_AT_ONCE === 0) yield;
    if (signed) found.push([index, index + signed.length]);
    else if (UNSPACED.test(word)) found.push(...within(word, index, strings));
    else if (isForm(word, stems, known)) found.push([index, index + word.length]);
    if (found.length >= most) return void (found.length = most);
  }
}

function isForm(word, stems, known) {
  let answer = known.get(word);
  if (answer === undefined) known.set(word, (answer = stems.has(stem(fold(word)))));
  return answer;
}

/** Where the strings stand in a run of characters without spaces, one behind the other. */
function within(run, from, strings) {
  const lower = run.toLowerCase();
  const spans = [];
  for (let at = 0; at < run.length; ) {
    const string = strings.find((candidate) => lower.startsWith(candidate, at));
    if (string) spans.push([from + at, from + at + string.length]);
    at += string ? string.length : 1;
  }
  return spans;
}
