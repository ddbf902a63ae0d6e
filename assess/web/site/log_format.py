"""The formats of the log: lines for people, or JSON. No message is longer than 2 kB, whatever the request was.

So no request can fill the disk or hide other messages.
"""

import logging
from typing import Any

from pythonjsonlogger.json import JsonFormatter

MOST_BYTES = 2_000  # of a message with its traceback
HEAD_BYTES = 500
GAP = b"\n... (shortened)\n"
FIELDS = ("levelname", "name", "log_id", "message")
NAMES = {"levelname": "level", "name": "logger", "log_id": "id", "exc_info": "traceback"}
# No others: Django adds the request, whose address may have the token of a link.
WRITTEN = ("time", *NAMES.values(), "message", "stack_info", "method", "view", "status", "milliseconds")
LONG_FIELDS = ("message", "traceback", "stack_info")
FIELD_BYTES = (700, 120)  # of each long field; the second if JSON needs several bytes for each


class ShortFormatter(logging.Formatter):
    """Cuts long messages in the middle: they begin with what happened, and tracebacks end with the cause."""

    def __init__(self) -> None:
        super().__init__("[%(log_id)s] %(message)s", defaults={"log_id": "-"})

    def format(self, record: logging.LogRecord) -> str:
        return shortened(super().format(record))


class ShortJsonFormatter(JsonFormatter):
    """One JSON object a line: time, level, logger, id, message, traceback, and the fields of a request."""

    def __init__(self) -> None:
        super().__init__(FIELDS, rename_fields=NAMES, timestamp="time", json_ensure_ascii=False)

    def process_log_record(self, log_data: dict[str, Any]) -> dict[str, Any]:
        return {name: log_data[name] for name in WRITTEN if name in log_data}

    def jsonify_log_record(self, log_data: dict[str, Any]) -> str:
        line = super().jsonify_log_record(log_data)
        for most in FIELD_BYTES:
            if len(line.encode(errors="backslashreplace")) <= MOST_BYTES:
                break
            cut = {name: shortened(str(log_data[name]), most) for name in LONG_FIELDS if log_data.get(name)}
            line = super().jsonify_log_record(log_data | cut)
        return line


def shortened(text: str, most: int = MOST_BYTES) -> str:
    """Return the text, cut in the middle to this number of bytes of UTF-8."""
    if len(text) <= most // 4:  # a character has at most four bytes
        return text
    data = text.encode(errors="backslashreplace")
    if len(data) <= most:
        return text
    head = min(HEAD_BYTES, most // 4)
    tail = most - head - len(GAP)
    return (data[:head] + GAP + data[-tail:]).decode(errors="ignore")
