"""The passage of a result that has most words of the search, with these words marked."""

from collections.abc import Sequence

from assess.documents.display import displayed_text, plain_text
from assess.documents.snippet import SNIPPET, best_window, cut_at_words
from assess.models import DocumentContent
from assess.search.grammar import Phrase
from assess.search.words import words_with_positions

SEARCHED = 50_000  # characters of a document that are searched for the passage

Fragment = tuple[str, bool]  # text, whether it is marked
Match = tuple[int, int, int]  # start, end, number of the phrase


def marked_title(content: DocumentContent, phrases: Sequence[Phrase]) -> list[Fragment]:
    return marked(content.title, [phrase for phrase in phrases if phrase.field != "text"])


def marked_snippet(content: DocumentContent, phrases: Sequence[Phrase]) -> list[Fragment]:
    """Return about 300 characters of the text."""
    phrases = [phrase for phrase in phrases if phrase.field != "title"]
    text = " ".join(plain_text(displayed_text(content), content.format)[:SEARCHED].split())
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
    """Return where the phrases occur, in the order of the text."""
    words = list(words_with_positions(text))
    firsts: dict[str, list[int]] = {}
    prefixes: list[tuple[int, str]] = []
    for number, phrase in enumerate(phrases):
        if phrase.is_prefix and len(phrase.words) == 1:
            prefixes.append((number, phrase.words[0]))
        else:
            firsts.setdefault(phrase.words[0], []).append(number)
    result = []
    for at, (start, _, word) in enumerate(words):
        candidates = [*firsts.get(word, ()), *(number for number, prefix in prefixes if word.startswith(prefix))]
        for number in candidates:
            length = len(phrases[number].words)
            if _follows(words[at : at + length], phrases[number]):
                result.append((start, words[at + length - 1][1], number))
    return result


def _follows(words: Sequence[tuple[int, int, str]], phrase: Phrase) -> bool:
    """Whether these words of a text are the phrase."""
    if len(words) < len(phrase.words):
        return False
    *exact, last = zip((word for _, _, word in words), phrase.words, strict=True)
    is_last = last[0].startswith(last[1]) if phrase.is_prefix else last[0] == last[1]
    return is_last and all(word == wanted for word, wanted in exact)
