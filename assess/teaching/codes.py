"""Codes that people type: of an exercise, and of a seat."""

import unicodedata

MAX_CODE_LENGTH = 80  # longer input is cut, so that no query carries it


def plain_code(text: str) -> str:
    """Return a code as it is stored: in capitals, without spaces, hyphens and dashes."""
    text = unicodedata.normalize("NFKC", text).upper()
    kept = (character for character in text if not character.isspace() and unicodedata.category(character) != "Pd")
    return "".join(kept)[:MAX_CODE_LENGTH]
