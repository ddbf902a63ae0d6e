"""The passage of a result that has most words of the search, with these words marked.

Foreign text and foreign queries meet here, so each step has a limit: how much of a text is read, how many comparisons
are made, and how many matches are used. The words behind these limits are not marked.
"""

from collections.abc import Iterator, Sequence
from itertools import islice

from assess.documents.display import plain_text
from assess.documents.snippet import SNIPPET, best_window, cut_at_words
from assess.search.grammar import Phrase
from assess.search.words import words_with_positions

SEARCHED = 50_000  # characters of a text, with its markup, that are searched for the passage
LONGEST_TITLE = 1_000  # characters that are shown
MOST_COMPARED = 50_000  # phrases with the words of a text
MOST_MATCHES = 1_000

Fragment = tuple[str, bool]  # text, whether it is marked
Match = tuple[int, int, int]  # start, end, number of the phrase


def marked_title(title: str, phrases: Sequence[Phrase]) -> list[Fragment]:
    return marked(title[:LONGEST_TITLE], [phrase for phrase in phrases if phrase.field != "text"])


def marked_snippet(beginning: str, text_format: str, phrases: Sequence[Phrase]) -> list[Fragment]:
    """Return about 300 characters of a text, of which the first SEARCHED characters are read."""
    phrases = [phrase for phrase in phrases if phrase.field != "title"]
    text = " ".join(plain_text(beginning[:SEARCHED], text_format).split())
    if len(text) > SNIPPET:
        text = cut_at_words(text, *best_window(matches(text, phrases), len(text)))
    return marked(text, phrases)


def marked(text: str, phrases: Sequence[Phrase]) -> list[Fragment]:
    """Return the parts of a text, those that match a phrase marked."""
    fragments: list[Fragment] = []
    last = 0
    for start, end, _ in matches(text, phrases):
        if start < last:  # two phrases share a word
            start = last
        if start >= end:
            continue
        fragments += [(text[last:start], False)] if start > last else []
        fragments.append((text[start:end], True))
        last = end
    return [*fragments, (text[last:], False)] if last < len(text) else fragments


def matches(text: str, phrases: Sequence[Phrase]) -> list[Match]:
    """Return where the phrases occur, in the order of the text: the first MOST_MATCHES at most."""
    return list(islice(_matches(text, list(dict.fromkeys(phrases))), MOST_MATCHES))


def _matches(text: str, phrases: Sequence[Phrase]) -> Iterator[Match]:
    """Yield where the phrases occur, after MOST_COMPARED comparisons at most."""
    words = list(words_with_positions(text)) if phrases else []
    firsts, prefixes = _by_first_word(phrases)
    compared = 0
    for at, (start, _, word) in enumerate(words):
        beginning = [number for number, prefix in prefixes if word.startswith(prefix)]
        for number in [*firsts.get(word, ()), *beginning]:
            following = words[at : at + len(phrases[number].words)]
            if _is_phrase(following, phrases[number]):
                yield start, following[-1][1], number
        compared += len(prefixes) + len(firsts.get(word, ()))
        if compared >= MOST_COMPARED:
            return


def _by_first_word(phrases: Sequence[Phrase]) -> tuple[dict[str, list[int]], list[tuple[int, str]]]:
    """Return the numbers of the phrases by their first word, and those that are only the beginning of a word."""
    firsts: dict[str, list[int]] = {}
    prefixes: list[tuple[int, str]] = []
    for number, phrase in enumerate(phrases):
        if phrase.is_prefix and len(phrase.words) == 1:
            prefixes.append((number, phrase.words[0]))
        else:
            firsts.setdefault(phrase.words[0], []).append(number)
    return firsts, prefixes


def _is_phrase(words: Sequence[tuple[int, int, str]], phrase: Phrase) -> bool:
    """Whether these words of a text are the phrase."""
    if len(words) < len(phrase.words):
        return False
    *exact, last = zip((word for _, _, word in words), phrase.words, strict=True)
    is_last = last[0].startswith(last[1]) if phrase.is_prefix else last[0] == last[1]
    return is_last and all(word == wanted for word, wanted in exact)
