"""Comments in runs and qrels: lines that begin with ``#`` and a blank, and lines of ``#`` alone.

They are ignored and counted. ``#topic`` may be the id of a topic, so a line that begins with it is data.
"""

import re

COMMENT = re.compile(rb"#++(?:[ \t]|$)")  # of a line without blanks at its start
COMMENT_LINE = re.compile(rb"^[ \t]*+#++(?=[ \t\r\n]|\Z)", re.MULTILINE)


def comment_lines(data: bytes) -> int:
    """The number of lines that are comments."""
    return sum(1 for _ in COMMENT_LINE.finditer(data)) if b"#" in data else 0


def comment_sentence(n_lines: int) -> str:
    """What a user should know about the comments of a file; empty if it has none."""
    if not n_lines:
        return ""
    begins = "line that begins with # and a blank was" if n_lines == 1 else "lines that begin with # and a blank were"
    return f"{n_lines:,} {begins} ignored as {'a comment' if n_lines == 1 else 'comments'}"
