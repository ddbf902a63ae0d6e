"""Limits how much one message writes to the log, so that no request can fill the disk or hide other messages."""

import logging

MOST_BYTES = 2_000  # of a message with its traceback
HEAD_BYTES = 500
GAP = b"\n... (shortened)\n"


class ShortFormatter(logging.Formatter):
    """Cuts long messages in the middle: they begin with what happened, and tracebacks end with the cause."""

    def format(self, record: logging.LogRecord) -> str:
        return shortened(super().format(record))


def shortened(text: str) -> str:
    """Return the text, cut in the middle to MOST_BYTES of UTF-8."""
    if len(text) <= MOST_BYTES // 4:  # a character has at most four bytes
        return text
    data = text.encode(errors="backslashreplace")
    if len(data) <= MOST_BYTES:
        return text
    tail = MOST_BYTES - HEAD_BYTES - len(GAP)
    return (data[:HEAD_BYTES] + GAP + data[-tail:]).decode(errors="ignore")
