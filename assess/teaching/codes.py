"""Codes that people type: of an exercise, and of a seat."""

import unicodedata

from assess.models.exercise import LETTERS

MAX_TYPED_LENGTH = 80  # the rest of a longer input is not read


def plain_code(text: str) -> str:
    """Return a code as it is stored: in capitals, without spaces, hyphens and dashes."""
    text = unicodedata.normalize("NFKC", text[:MAX_TYPED_LENGTH]).upper()
    kept = (character for character in text if not character.isspace() and unicodedata.category(character) != "Pd")
    return "".join(kept)[:MAX_TYPED_LENGTH]


def is_code(text: str, *lengths: int) -> bool:
    """Return whether a code can look like this: one of these lengths, and only characters of codes."""
    return len(text) in lengths and set(text) <= set(LETTERS)
