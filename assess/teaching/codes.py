"""Codes that people type: of an exercise, and of a seat."""

import unicodedata

from assess.models.exercise import LETTERS

MAX_CODE_LENGTH = 80  # longer input is cut, so that no query carries it
MAX_TYPED_LENGTH = 1_000  # with spaces and hyphens; Unicode normalisation takes quadratic time
DROPPED = ("Pd", "Cc")  # the categories of dashes and control characters


def plain_code(text: str) -> str:
    """Return a code as it is stored: in capitals, without spaces, hyphens, dashes and control characters."""
    text = unicodedata.normalize("NFKC", text[:MAX_TYPED_LENGTH]).upper()
    kept = (letter for letter in text if not letter.isspace() and unicodedata.category(letter) not in DROPPED)
    return "".join(kept)[:MAX_CODE_LENGTH]


def is_code(text: str, *lengths: int) -> bool:
    """Return whether a code can look like this: one of these lengths, and only characters of codes."""
    return len(text) in lengths and set(text) <= set(LETTERS)
