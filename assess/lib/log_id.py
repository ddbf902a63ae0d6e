"""The id that all messages of one request or one job have in the log."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

NONE = "-"
_current: ContextVar[str] = ContextVar("log_id", default=NONE)


def current_log_id() -> str:
    """Return the id of the request or job that this thread works on, or "-"."""
    return _current.get()


@contextmanager
def logged_as(log_id: str) -> Iterator[None]:
    """Give this id to all messages of the block."""
    token = _current.set(log_id)
    try:
        yield
    finally:
        _current.reset(token)


class LogIdFilter(logging.Filter):
    """Adds the id to each message."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.log_id = current_log_id()
        return True
