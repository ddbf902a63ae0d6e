r"""Input files as streams of bytes, plain or gzip, that cannot swell beyond a limit.

Whether a file is compressed is told by its first two bytes (1F 8B, RFC 1952), never by its name: no text that
Assay reads begins with them. All members of a gzip file are read, one after the other. A truncated or corrupt
gzip file, and a file that expands beyond `max_bytes`, is a `FormatError`; what was read before is no result.

A source is a path, an open binary file, or the bytes themselves.
"""

import gzip
import io
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from os import PathLike, fspath
from typing import BinaryIO

from pooling.errors import FormatError

Source = str | PathLike[str] | bytes | BinaryIO
Progress = Callable[[int], object]

BYTE_ORDER_MARK = "\ufeff".encode()
GZIP_MAGIC = b"\x1f\x8b"
BUFFER_BYTES = 1 << 17


@contextmanager
def open_input(
    source: Source,
    *,
    max_bytes: int,
    name: str | None = None,
    progress: Progress | None = None,
    error: type[FormatError] = FormatError,
) -> Iterator[BinaryIO]:
    """Open `source` for reading, expanded, at most `max_bytes` of it.

    Parameters
    ----------
    source : path, bytes or binary file
        A binary file that the caller opened stays open.
    max_bytes : int
        Limit on the expanded size, in bytes.
    name : str, optional
        What errors call the file; see `display_name`.
    progress : callable, optional
        Called with the number of bytes just taken from the file as it lies on the disk, compressed
        or not; the calls add up to its size.
    error : type
        The class of what is raised, `FormatError` or a subclass.

    Yields
    ------
    binary file
        Buffered; its name for errors is `name`.

    Raises
    ------
    FormatError
        While reading: gzip data that is corrupt or ends too early, or more than `max_bytes`.
    """
    name = name or display_name(source)
    raw = _open_raw(source)
    counted = io.BufferedReader(_Counted(raw, progress), BUFFER_BYTES)
    try:
        zipped = counted.peek(2).startswith(GZIP_MAGIC)
        expanded = gzip.GzipFile(fileobj=counted) if zipped else counted
        limited = _Limited(expanded, max_bytes, name, error)
        yield io.BufferedReader(limited, BUFFER_BYTES)
    finally:
        if raw is not source:
            raw.close()


def display_name(source: Source) -> str:
    """What errors call a source: its path, the name of an open file, or "input"."""
    if isinstance(source, (str, PathLike)):
        return fspath(source)
    name = getattr(source, "name", None)
    return name if isinstance(name, str) else "input"


def _open_raw(source: Source) -> BinaryIO:
    if isinstance(source, (str, PathLike)):
        return open(source, "rb")
    return io.BytesIO(source) if isinstance(source, bytes) else source


class _Counted(io.RawIOBase):
    """A stream that tells how much of it was read."""

    def __init__(self, stream: BinaryIO, progress: Progress | None):
        self._stream = stream
        self._progress = progress

    def readable(self):
        return True

    def readinto(self, buffer):
        chunk = self._stream.read(len(buffer))
        buffer[: len(chunk)] = chunk
        if self._progress is not None and chunk:
            self._progress(len(chunk))
        return len(chunk)


class _Limited(io.RawIOBase):
    """A stream that raises when it is broken, and when it grows beyond its limit."""

    def __init__(self, stream: BinaryIO, max_bytes: int, name: str, error: type[FormatError]):
        self._stream = stream
        self._max_bytes = max_bytes
        self._seen = 0
        self._name = name
        self._error = error

    def readable(self):
        return True

    def readinto(self, buffer):
        chunk = self._read(len(buffer))
        self._seen += len(chunk)
        if self._seen > self._max_bytes:
            raise self._error(
                f"the file expands to more than {self._max_bytes:,} bytes",
                "no more is read of one file",
                self._name,
            )
        buffer[: len(chunk)] = chunk
        return len(chunk)

    def _read(self, size):
        try:
            return self._stream.read(size)
        except EOFError:
            problem = "the gzip data ends too early"
        except (gzip.BadGzipFile, zlib.error):
            problem = "the gzip data is corrupt"
        raise self._error(problem, "a complete gzip file or plain text is allowed", self._name)
