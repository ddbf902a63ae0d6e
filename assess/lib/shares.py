"""Reads shares from text."""


def parse_share(text: str) -> float:
    """Parse a share from 0 to 1. ValueError if the text is not one."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise ValueError(f"{text!r} is not a share from 0 to 1")
    return value
