"""Reads a file of guidelines."""

from pathlib import Path

from assess.errors import Refused


def read_guidelines(path: Path) -> str:
    """Return the text of the file, without a byte-order mark."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise Refused(f"{path} is not a UTF-8 text file.") from None
