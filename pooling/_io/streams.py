"""Input files as streams of bytes, plain or compressed, with a limit on the decompressed size.

The first bytes decide whether a file is compressed with gzip, bzip2 or xz, never its name (`pooling._io.compressed`).
A truncated or corrupt compressed file, and a file larger than `max_bytes`, raises FormatError; discard what was read
before.

A source is a path, an open binary file, or the bytes themselves. A path may lead into a ZIP archive
(`pooling._io.zip_entries`).
"""

import io
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from os import PathLike, fspath
from typing import Any, BinaryIO, TypeAlias

from pooling._io.compressed import (
    MAGIC_BYTES,
    XZ_MEMORY_BYTES,
    CorruptDataError,
    compression_of,
    decompressor,
    unread_compression_of,
)
from pooling._io.zip_entries import open_path
from pooling.errors import FormatError

Source: TypeAlias = str | PathLike[str] | bytes | BinaryIO
Progress: TypeAlias = Callable[[int], object]

BYTE_ORDER_MARK = "\ufeff".encode()
MARKS = re.compile(rb"^(?:\xef\xbb\xbf)+", re.MULTILINE)
BUFFER_BYTES = 1 << 17
PIECE_BYTES = 1 << 24
ALLOWED_COMPRESSION = "a file is plain text, or compressed with gzip, bzip2 or xz"


@contextmanager
def open_input(
    source: Source,
    *,
    max_bytes: int,
    name: str | None = None,
    progress: Progress | None = None,
    error: type[FormatError] = FormatError,
) -> Iterator[BinaryIO]:
    """Open a plain or compressed file for reading, as a context manager.

    Parameters
    ----------
    source : path, bytes or binary file
        The file: plain, or compressed with gzip, bzip2 or xz. A binary file that the caller opened stays open.
    max_bytes : int
        Largest size of the decompressed file, in bytes.
    name : str, optional
        The name of the file in errors. By default it is the path or the name of `source`, or "input".
    progress : callable, optional
        Called with the number of bytes read, repeatedly. The numbers add up to the size of the file on disk.
    error : type
        The exception class to raise: `FormatError` or a subclass.

    Yields
    ------
    binary file
        A buffered stream of the decompressed bytes.

    Raises
    ------
    FormatError
        The file has a compression that is not read. While reading: the compressed data is corrupt or ends too early,
        or there are more than `max_bytes` bytes.
    OSError
        If the file cannot be opened or read.
    TypeError
        If the source is none of these.

    Examples
    --------
    >>> import gzip
    >>> from pooling import open_input
    >>> with open_input(gzip.compress(b"some text"), max_bytes=1000) as stream:
    ...     stream.read()
    b'some text'
    """
    name = name or display_name(source)
    raw = _open_raw(source)
    counted = io.BufferedReader(_Counted(raw, progress), BUFFER_BYTES)
    try:
        head = counted.peek(MAGIC_BYTES)
        if unread := unread_compression_of(head):
            raise error(f"the file is compressed with {unread}", ALLOWED_COMPRESSION, name)
        limited = _Limited(counted, compression_of(head), max_bytes, name, error)
        yield io.BufferedReader(limited, BUFFER_BYTES)
    finally:
        if raw is not source:
            raw.close()


def without_marks(content: bytes) -> bytes:
    """The content without a byte-order mark at the start of a line: of the file, or of a file that was appended to it.

    Archives and spreadsheets are binary and stay as they are.
    """
    # Most content is ASCII, and that is found out ten times as fast as that it has no mark.
    if content.isascii() or content.startswith(b"PK"):
        return content
    return MARKS.sub(b"", content) if BYTE_ORDER_MARK in content else content


def display_name(source: Source) -> str:
    """The name of a source for errors: its path, the name of an open file, or "input"."""
    if isinstance(source, (str, PathLike)):
        return fspath(source)
    name = getattr(source, "name", None)
    return name if isinstance(name, str) else "input"


def _open_raw(source: Source) -> BinaryIO:
    if isinstance(source, (str, PathLike)):
        return open_path(source)
    if isinstance(source, bytes):
        return io.BytesIO(source)
    if not hasattr(source, "read"):
        raise TypeError(f"A file must be a path, bytes or an open binary file, not {source!r:.60}.")
    return source


class _Counted(io.RawIOBase):
    """A stream that reports how much of it was read."""

    def __init__(self, stream: BinaryIO, progress: Progress | None) -> None:
        self._stream = stream
        self._progress = progress

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        """One read of the stream; repeated while it has returned less than the magic bytes, as a pipe may."""
        size = 0
        with memoryview(buffer) as view:
            while size < MAGIC_BYTES and (more := self._fill(view[size:])):
                size += more
        if self._progress is not None and size:
            self._progress(size)
        return size

    def _fill(self, buffer: memoryview) -> int:
        if hasattr(self._stream, "readinto"):
            return int(self._stream.readinto(buffer) or 0)
        chunk = self._stream.read(len(buffer))  # an uploaded file of a web framework may have no readinto
        buffer[: len(chunk)] = chunk
        return len(chunk)


class _Limited(io.RawIOBase):
    """A decompressed stream that raises an error if it is corrupt or longer than its limit."""

    def __init__(self, stream: BinaryIO, kind: str | None, max_bytes: int, name: str, error: type[FormatError]) -> None:
        self._decompress = decompressor(stream, kind)
        self._kind = kind
        self._max_bytes = max_bytes
        self._size = 0
        self._name = name
        self._error = error

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        chunk = self._bounded(len(buffer))
        buffer[: len(chunk)] = chunk
        return len(chunk)

    def readall(self) -> bytes:
        # Without this method, io reads pieces of 8 KB. Most files fit into one of these larger pieces.
        # One byte above the limit is enough to refuse a longer file.
        return b"".join(iter(lambda: self._bounded(min(PIECE_BYTES, self._max_bytes - self._size + 1)), b""))

    def _bounded(self, size: int) -> bytes:
        chunk = self._read(size)
        self._size += len(chunk)
        if self._size > self._max_bytes:
            raise self._error(
                f"the file expands to more than {self._max_bytes:,} bytes",
                "this is the limit for one file",
                self._name,
            )
        return chunk

    def _read(self, size: int) -> bytes:
        try:
            return self._decompress(size)
        except EOFError:
            problem = f"the {self._kind} data ends too early"
        except CorruptDataError:
            problem = f"the {self._kind} data is corrupt"
            if self._kind == "xz":
                problem += f", or needs more than {XZ_MEMORY_BYTES >> 20} MiB of memory"
        raise self._error(problem, f"a complete {self._kind} file or plain text is allowed", self._name)
