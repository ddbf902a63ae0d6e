"""Sanitises HTML and renders Markdown in a process of its own, with limits of time and memory for each document.

The process is killed if a document takes too long, and another one is started for the next document. Killing is the
only way to stop a library that is computing and holds the interpreter.

Markdown (CommonMark with tables) is rendered as HTML, which is then sanitised. Some Markdown takes much time, so this
happens here too. This module imports no Django, so that the process starts quickly.
"""

import contextlib
import multiprocessing
from collections.abc import Sequence
from functools import cache
from multiprocessing.connection import Connection
from types import TracebackType
from typing import TYPE_CHECKING, Self

from assess.documents.sanitiser import sanitise

if TYPE_CHECKING:
    from markdown_it import MarkdownIt


def render_markdown(text: str) -> str:
    """Return HTML that is not sanitised; HTML within the Markdown is kept."""
    return str(_markdown().render(text))


@cache
def _markdown() -> "MarkdownIt":
    from markdown_it import MarkdownIt  # imported only when Markdown is rendered

    renderer = MarkdownIt("commonmark").enable("table")
    # The sanitiser drops addresses. Without this, an embedded image of another type stays as a long line of text.
    renderer.validateLink = _keep_link  # type: ignore[method-assign]
    return renderer


def _keep_link(url: str) -> bool:
    return bool(url)


SECONDS = 2.0  # for a document or a batch; usually 1 MB takes about 0.1 s ...
SECONDS_PER_MILLION = 1.0  # ... and for each million of characters
MEGABYTES = 1_024  # of address space
MAX_RESULT = 10  # times the characters of the text, or MIN_RESULT
MIN_RESULT = 100_000  # characters
TO_START = 60.0  # seconds until the process has started


class SanitiserProcess:
    """A process that sanitises HTML. Use it in a `with` statement."""

    def __init__(self, seconds: float = SECONDS, megabytes: int = MEGABYTES) -> None:
        self._seconds, self._megabytes = seconds, megabytes
        self._process: multiprocessing.process.BaseProcess | None = None
        self._connection: Connection | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _type: type | None, _error: BaseException | None, _trace: TracebackType | None) -> None:
        self.stop()

    def sanitise(self, texts: Sequence[str], *, is_markdown: bool = False) -> list[str | None]:
        """Return the sanitised HTML of each text, which is HTML or Markdown; None if a text exceeds the limits."""
        results = self._request(texts, is_markdown)
        if results is None and len(texts) > 1:  # one of them exceeds the limits
            return [self.sanitise([text], is_markdown=is_markdown)[0] for text in texts]
        return results or [None] * len(texts)

    def stop(self) -> None:
        """End the process, if there is one."""
        if self._connection:
            self._connection.close()
        if self._process:
            self._process.kill()
            self._process.join()
        self._process = self._connection = None

    def _request(self, texts: Sequence[str], is_markdown: bool) -> list[str | None] | None:
        """Return the results, or None after the limit of time or if the process has died."""
        with contextlib.suppress(EOFError, OSError):
            connection = self._started()
            connection.send((list(texts), is_markdown))
            if connection.poll(self._seconds + sum(map(len, texts)) / 1e6 * SECONDS_PER_MILLION):
                results: list[str | None] = connection.recv()
                return results
        self.stop()
        return None

    def _started(self) -> Connection:
        if self._connection is None:
            self._connection, theirs = multiprocessing.Pipe()
            # Not a fork, which would copy the connections and the locks of a server with threads.
            spawning = multiprocessing.get_context("spawn")
            self._process = spawning.Process(target=_serve, args=(theirs, self._megabytes), daemon=True)
            self._process.start()
            theirs.close()  # so that the end of the process ends the connection
            if not self._connection.poll(TO_START):
                raise OSError("The process that sanitises documents does not start.")
            self._connection.recv()
        return self._connection


# ---- inside the process


def _serve(connection: Connection, megabytes: int) -> None:
    """Answer each list of texts with the list of results, until the other end is closed."""
    _limit_memory(megabytes)
    with contextlib.suppress(EOFError, KeyboardInterrupt, MemoryError):
        connection.send(None)  # ready
        while True:
            texts, is_markdown = connection.recv()
            connection.send([_bounded(text, is_markdown) for text in texts])


def _bounded(text: str, is_markdown: bool) -> str | None:
    """Return the sanitised text, unless it is many times as long: repeated elements can multiply a text."""
    result = sanitise(render_markdown(text) if is_markdown else text)
    return result if len(result) <= max(MIN_RESULT, MAX_RESULT * len(text)) else None


def _limit_memory(megabytes: int) -> None:
    try:
        import resource
    except ImportError:  # Windows has no such limit; the limit of time stays
        return
    resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
