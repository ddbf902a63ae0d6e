"""The snippet of a document: the passage that matches a query best."""

import re
from collections import Counter

from assess.documents.display import plain_text

SNIPPET = 300  # characters
SEARCHED = 100_000  # characters of a document that are searched for the snippet
MAX_WORDS = 50  # of the query; each costs time for every character of the document
STOP_WORDS = frozenset(  # the same list as in static/assess/reading/query-terms.js
    re.findall(
        r"\w+",
        "a about an and are as at be by did do does for from had has have how i in is it its not of on or that the "
        "their them they this to was were what when where which who whom why will with",
    )
)
# Scripts without spaces between words: Thai to Khmer, kana, Han.
UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
QUERY_WORD = re.compile(rf"[{UNSPACED}]+|[^\W_{UNSPACED}]+")
# Names such as C++, C# and .NET: without the sign they would be different words.
SIGNED = re.compile(r"""(?<![^\W_])[^\W_]+[+#]+(?![^\W_+#])|(?<![^\s("'\[])\.[^\W\d_][^\W_]*""")

WORD_START = r"(?<![^\W_])"  # no letter or digit before
WORD_END = r"(?![^\W_]{2})"  # at most one letter after, as in a plural


def snippet_for(text: str, text_format: str, query: str) -> str:
    """Return the passage of about 300 characters with the most words of the query, as plain text on one line.

    The first 100,000 characters are searched. Of equally good passages, the first is returned.
    """
    plain = " ".join(plain_text(text[:SEARCHED], text_format).split())
    if len(plain) <= SNIPPET:
        return plain
    start, end = best_window(_matches(plain, query), len(plain))
    return cut_at_words(plain, start, end)


def _matches(plain: str, query: str) -> list[tuple[int, int, int]]:
    """Return where the words of the query occur: (start, end, number of the word), in the order of the text."""
    patterns = _patterns(query)
    if not patterns:
        return []
    any_word = re.compile("|".join(patterns), re.IGNORECASE)
    return [(match.start(), match.end(), match.lastindex or 0) for match in any_word.finditer(plain)]


def _patterns(query: str) -> list[str]:
    """Return one pattern with one group for each word of the query that is no stop word, at most MAX_WORDS."""
    signed = list(dict.fromkeys(word.lower() for word in SIGNED.findall(query)))
    roots = _roots(SIGNED.sub(" ", query), keep_stop_words=not signed)
    patterns = [*map(_signed_pattern, signed), *(_pattern(root, spaced) for root, spaced in roots)]
    return patterns[:MAX_WORDS]


def _signed_pattern(word: str) -> str:
    return f"({re.escape(word)})(?![^\\W_])" if word[0] == "." else f"{WORD_START}({re.escape(word)})(?![+#])"


def _pattern(root: str, spaced: bool) -> str:
    if not spaced:
        return f"({re.escape(root)})"
    return f"{WORD_START}({re.escape(root)}){WORD_END if len(root) < 4 else ''}"


def _roots(query: str, keep_stop_words: bool) -> list[tuple[str, bool]]:
    """Return the beginnings of the query's words, and whether the word is separated by spaces.

    Stop words are left out, unless the query has nothing else and they are to be kept.
    """
    words = list(dict.fromkeys(word.lower() for word in QUERY_WORD.findall(query)))
    words = [word for word in words if word not in STOP_WORDS] or (words if keep_stop_words else [])
    roots: dict[str, bool] = {}
    for word in words:
        if re.match(f"[{UNSPACED}]", word):
            roots |= dict.fromkeys((word[at : at + 2] for at in range(max(len(word) - 1, 1))), False)
        else:
            roots[word[: max(4, len(word) - 3)]] = True
    return list(roots.items())


def best_window(matches: list[tuple[int, int, int]], length: int) -> tuple[int, int]:
    """Return the first window with the most different words, the words in its middle."""
    best, most, first = (0, 0), 0, 0
    within: Counter[int] = Counter()
    for match in matches:
        within[match[2]] += 1
        while match[1] - matches[first][0] > SNIPPET - 40:
            within[matches[first][2]] -= 1
            within += Counter()  # removes words with count 0
            first += 1
        if len(within) > most:
            best, most = (matches[first][0], match[1]), len(within)
    start, end = best
    start = max(0, min(start - (SNIPPET - (end - start)) // 2, length - SNIPPET))
    return start, start + SNIPPET


def cut_at_words(plain: str, start: int, end: int) -> str:
    """Return the text of the window without words cut in half, if there are spaces to cut at."""
    if start and (space := plain.find(" ", start - 1, start + 40)) >= 0:
        start = space + 1
    if end < len(plain) and (space := plain.rfind(" ", end - 40, end + 1)) >= 0:
        end = space
    return f"{'… ' if start else ''}{plain[start:end]}{' …' if end < len(plain) else ''}"
