"""A file of guidelines, as commands are given it."""

from pathlib import Path

from assess.errors import Refused


def text_of(path: Path) -> str:
    """The file's text, without a byte-order mark."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise Refused(f"{path} is not text in UTF-8, as guidelines are.") from None
