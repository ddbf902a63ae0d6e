"""Input files as streams of bytes, plain or compressed, that cannot swell beyond a limit.

Whether a file is compressed, with gzip, bzip2 or xz, is told by its first bytes, never by its name: see
`pooling._io.compressed`. A truncated or corrupt compressed file, and a file that expands beyond `max_bytes`, is a
`FormatError`; what was read before is no result.

A source is a path, an open binary file, or the bytes themselves.
"""

import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from os import PathLike, fspath
from typing import BinaryIO

from pooling._io.compressed import MAGIC_BYTES, XZ_MEMORY_BYTES, CorruptDataError, expander, kind_of
from pooling.errors import FormatError

Source = str | PathLike[str] | bytes | BinaryIO
Progress = Callable[[int], object]

BYTE_ORDER_MARK = "\ufeff".encode()
BUFFER_BYTES = 1 << 17
PIECE_BYTES = 1 << 24


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
        While reading: compressed data that is corrupt or ends too early, or more than `max_bytes`.
    """
    name = name or display_name(source)
    raw = _open_raw(source)
    counted = io.BufferedReader(_Counted(raw, progress), BUFFER_BYTES)
    try:
        limited = _Limited(counted, kind_of(counted.peek(MAGIC_BYTES)), max_bytes, name, error)
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
        return open(source, "rb", buffering=0)
    return io.BytesIO(source) if isinstance(source, bytes) else source


class _Counted(io.RawIOBase):
    """A stream that tells how much of it was read."""

    def __init__(self, stream: BinaryIO, progress: Progress | None):
        self._stream = stream
        self._progress = progress

    def readable(self):
        return True

    def readinto(self, buffer):
        """What the stream brings at once; it is asked again where that, as from a pipe, may be less than the magic."""
        size = 0
        with memoryview(buffer) as view:
            while size < MAGIC_BYTES and (more := self._fill(view[size:])):
                size += more
        if self._progress is not None and size:
            self._progress(size)
        return size

    def _fill(self, buffer):
        if hasattr(self._stream, "readinto"):
            return self._stream.readinto(buffer)
        chunk = self._stream.read(len(buffer))  # a web framework's upload can do no more
        buffer[: len(chunk)] = chunk
        return len(chunk)


class _Limited(io.RawIOBase):
    """A stream, expanded, that raises when it is broken, and when it grows beyond its limit."""

    def __init__(self, stream: BinaryIO, kind: str | None, max_bytes: int, name: str, error: type[FormatError]):
        self._expand = expander(stream, kind)
        self._kind = kind
        self._max_bytes = max_bytes
        self._seen = 0
        self._name = name
        self._error = error

    def readable(self):
        return True

    def readinto(self, buffer):
        chunk = self._bounded(len(buffer))
        buffer[: len(chunk)] = chunk
        return len(chunk)

    def readall(self):
        # Without this, io reads pieces of 8 KB; most files are one of these pieces, and are not copied.
        return b"".join(iter(lambda: self._bounded(min(PIECE_BYTES, self._max_bytes - self._seen + 1)), b""))

    def _bounded(self, size):
        chunk = self._read(size)
        self._seen += len(chunk)
        if self._seen > self._max_bytes:
            raise self._error(
                f"the file expands to more than {self._max_bytes:,} bytes",
                "no more is read of one file",
                self._name,
            )
        return chunk

    def _read(self, size):
        try:
            return self._expand(size)
        except EOFError:
            problem = f"the {self._kind} data ends too early"
        except CorruptDataError:
            problem = f"the {self._kind} data is corrupt"
            if self._kind == "xz":
                problem += f", or needs more than {XZ_MEMORY_BYTES >> 20} MiB of memory"
        raise self._error(problem, f"a complete {self._kind} file or plain text is allowed", self._name)
