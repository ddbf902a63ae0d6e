"""Somebody who opens another page of a site every 50 ms, in a process of their own, while the site does other work."""

import multiprocessing
import time
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Event
from typing import NamedTuple

from tests.load.browsing import Browser

EVERY = 0.05  # seconds


class Visit(NamedTuple):
    """A page, the seconds until its response was complete, and what was wrong with it, or ""."""

    path: str
    seconds: float
    error: str


class PageVisitor:
    """Opens pages one after the other, in a `with` statement. `visits` has the results afterwards."""

    def __init__(self, port: int, cookies: dict[str, str], paths: tuple[str, ...]) -> None:
        context = multiprocessing.get_context("spawn")
        self._ended = context.Event()
        self._results, theirs = context.Pipe(duplex=False)
        arguments = (port, cookies, paths, self._ended, theirs)
        self._process = context.Process(target=_visit, args=arguments, daemon=True)
        self.visits: list[Visit] = []

    def __enter__(self) -> "PageVisitor":
        self._process.start()
        self._results.recv()  # ready
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self.visits = self._results.recv()
        self._process.join()


def _visit(port: int, cookies: dict[str, str], paths: tuple[str, ...], ended: Event, results: Connection) -> None:
    browser, visits = Browser(port, cookies), []
    results.send(None)
    due = time.monotonic()  # of the next request; after a slow response, those that are late follow at once
    while not ended.is_set():
        path = paths[len(visits) % len(paths)]
        visits.append(_visited(browser, path))
        due += EVERY
        time.sleep(max(0, due - time.monotonic()))
    results.send(visits)


def _visited(browser: Browser, path: str) -> Visit:
    began, error = time.monotonic(), ""
    try:
        browser.page(path)
    except RuntimeError as problem:
        error = str(problem)[:200]
    return Visit(path, time.monotonic() - began, error)
