"""The words of a text, as the index has them.

A word is a run of letters and digits, without regard to case and accents. Each character of a script without spaces
between words, such as Han or Thai, is a word of its own. There is no stemming and there are no stop words. Both
databases get these words, so that they find the same documents.
"""

import re
import unicodedata
from collections.abc import Iterator
from itertools import islice

LONGEST_WORD = 100  # characters; the rest of a word is ignored
MOST_WORDS = 50_000  # of a field of a document; PostgreSQL allows 1 MB for a document
MOST_BYTES = 250_000  # of the words of a field

UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
ACCENTS = "\u0300-\u036f"
ASCII_WORD = re.compile(r"[0-9a-z]+")
WORD = re.compile(rf"[{UNSPACED}]|(?:[^\W_{UNSPACED}]|[{ACCENTS}])+")
ACCENT = re.compile(f"[{ACCENTS}]+")


def words_of(text: str) -> Iterator[str]:
    """Yield the words of a text in their order."""
    if text.isascii():
        for match in ASCII_WORD.finditer(text.lower()):
            yield match[0][:LONGEST_WORD]
        return
    for _, _, word in words_with_positions(text):
        yield word


def words_with_positions(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield (start, end, word) for each word of a text."""
    for match in WORD.finditer(text):
        if word := _normalise(match[0][:LONGEST_WORD]):
            yield match.start(), match.end(), word


def indexed_words(text: str) -> list[str]:
    """Return the words of a field of a document that are indexed: the first 50,000, and at most 250,000 bytes."""
    words = list(islice(words_of(text), MOST_WORDS))
    if len(words) * LONGEST_WORD * 4 <= MOST_BYTES:
        return words
    size = 0
    for number, word in enumerate(words):
        size += len(word.encode())
        if size > MOST_BYTES:
            return words[:number]
    return words


def _normalise(word: str) -> str:
    """Return the word in lower case without accents. The result has letters and digits only."""
    if word.isascii():
        return word.lower()
    decomposed = unicodedata.normalize("NFKD", word.casefold())
    plain = unicodedata.normalize("NFKC", ACCENT.sub("", decomposed))
    return "".join(filter(_is_kept, plain))[:LONGEST_WORD]


def _is_kept(character: str) -> bool:
    return character.isalnum() or re.match(f"[{UNSPACED}]", character) is not None
