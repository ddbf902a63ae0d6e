"""Reports the progress of long work to its watcher, and that it is about to save everything.

A domain function reports its progress here. Without a watcher, as in a command, nothing happens. A watcher may raise an
exception, which stops the work before anything is saved.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol, TypeVar

from assess.errors import Refused

Item = TypeVar("Item")


class TryLater(Refused):
    """The work could not be done for now, and changed nothing. A job is tried again after some minutes."""


class Watcher(Protocol):
    """The process that started the work, such as a job."""

    def report(self, stage: str, done: int, total: int | None) -> None:
        """The work is in this stage, with `done` of `total` items; the total may be unknown."""

    def save(self) -> None:
        """The work saves everything in the present transaction."""


_watcher: ContextVar[Watcher | None] = ContextVar("watcher", default=None)


@contextmanager
def watched_by(watcher: Watcher) -> Iterator[None]:
    """Report the work within this block to the watcher."""
    token = _watcher.set(watcher)
    try:
        yield
    finally:
        _watcher.reset(token)


def report(stage: str, done: int = 0, total: int | None = None) -> None:
    """Report progress. Call it from a loop as often as you like."""
    if watcher := _watcher.get():
        watcher.report(stage, done, total)


def reported(items: Sequence[Item], stage: str) -> Iterator[Item]:
    """Yield the items, and report how many have been taken."""
    for number, item in enumerate(items):
        report(stage, number, len(items))
        yield item


def about_to_save() -> None:
    """Call this once, in the transaction that saves everything."""
    if watcher := _watcher.get():
        watcher.save()
