"""Input files as streams of bytes, plain or compressed, with a limit on the decompressed size.

The first bytes decide whether a file is compressed with gzip (RFC 1952), bzip2 or xz, never its name. No text that
Assay reads begins like them: the first bytes of gzip and xz are not UTF-8; those of bzip2 are ASCII, so all ten bytes
that every such file has are compared. All members of a file are read, one after the other, and their checksums
verified. Zero bytes may pad the file; anything else outside of the members is refused. An xz file states the memory it
needs: more than 128 MiB is refused (``xz -9`` needs 65 MiB). Some other compressions are recognised, to be named in the
error.

A truncated or corrupt compressed file, and a file larger than `max_bytes`, raises FormatError; discard what was read
before.

A source is a path, an open binary file, or the bytes themselves. A path may lead into a ZIP archive
(`pooling._io.zip_entries`).
"""

import bz2
import gzip
import io
import lzma
import re
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from os import PathLike, fspath
from typing import Any, BinaryIO, TypeAlias

from pooling._io.zip_entries import open_path
from pooling.errors import FormatError

Source: TypeAlias = str | PathLike[str] | bytes | BinaryIO
Progress: TypeAlias = Callable[[int], object]

BYTE_ORDER_MARK = "\ufeff".encode()
MARKS = re.compile(rb"^(?:\xef\xbb\xbf)+", re.MULTILINE)
BUFFER_BYTES = 1 << 17
PIECE_BYTES = 1 << 24
ALLOWED_COMPRESSION = "a file is plain text, or compressed with gzip, bzip2 or xz"
GZIP_MAGIC = b"\x1f\x8b"
XZ_MAGIC = b"\xfd7zXZ\x00"
BZIP2_MAGICS = tuple(  # the level, then the first block, or the end of an empty file
    b"BZh%d%b" % (level, begin) for level in range(1, 10) for begin in (b"1AY&SY", b"\x17rE8P\x90")
)
MAGIC_BYTES = 10
NOT_READ = {
    "Zstandard (.zst)": b"\x28\xb5\x2f\xfd",
    "compress (.Z)": b"\x1f\x9d",
    "LZ4 (.lz4)": b"\x04\x22\x4d\x18",
    "7-Zip (.7z)": b"7z\xbc\xaf\x27\x1c",
}

INPUT_BYTES = 1 << 16
XZ_MEMORY_BYTES = 1 << 27


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


class CorruptDataError(Exception):
    """The compressed data breaks its format, or its checksum is wrong."""


def compression_of(head: bytes) -> str | None:
    """The compression of a file by its first `MAGIC_BYTES` bytes: "gzip", "bzip2", "xz", or None."""
    if head.startswith(GZIP_MAGIC):
        return "gzip"
    if head.startswith(BZIP2_MAGICS):
        return "bzip2"
    return "xz" if head.startswith(XZ_MAGIC) else None


def unread_compression_of(head: bytes) -> str | None:
    """The compression of a file that Assay does not read, by the first bytes; None if it is none of those known."""
    return next((kind for kind, magic in NOT_READ.items() if head.startswith(magic)), None)


def decompressor(stream: BinaryIO, kind: str | None) -> Callable[[int], bytes]:
    """A function that returns the next decompressed bytes, at most the given number, and b"" only at the end.

    It raises EOFError if the file ends too early, and CorruptDataError.
    """
    if kind is None:
        return stream.read
    if kind == "gzip":
        return _GzipMembers(stream).read
    return _Members(stream, bz2.BZ2Decompressor if kind == "bzip2" else _xz_member).read


def _xz_member() -> lzma.LZMADecompressor:
    return lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=XZ_MEMORY_BYTES)


class _GzipMembers:
    def __init__(self, stream: BinaryIO) -> None:
        self._file = gzip.GzipFile(fileobj=stream)

    def read(self, size: int) -> bytes:
        try:
            return self._file.read(size)
        except (gzip.BadGzipFile, zlib.error) as error:
            raise CorruptDataError from error


class _Members:
    """The members of a bzip2 or xz file. Python's own file objects would ignore everything after the first member."""

    def __init__(self, stream: BinaryIO, new_member: Callable[[], bz2.BZ2Decompressor | lzma.LZMADecompressor]) -> None:
        self._stream = stream
        self._new_member = new_member
        self._member = new_member()

    def read(self, size: int) -> bytes:
        while True:
            data = b""
            if self._member.eof:
                data = self._after_padding(self._member.unused_data)
                if not data:
                    return b""
                self._member = self._new_member()
            elif self._member.needs_input:
                data = self._stream.read(INPUT_BYTES)
                if not data:
                    raise EOFError
            if piece := self._decompressed(data, size):
                return piece

    def _after_padding(self, data: bytes) -> bytes:
        """The rest of the file from the first byte that is not zero; empty if there is none."""
        while not (begin := data.lstrip(b"\0")):
            data = self._stream.read(INPUT_BYTES)
            if not data:
                return b""
        return begin

    def _decompressed(self, data: bytes, size: int) -> bytes:
        try:
            return self._member.decompress(data, size)
        except (OSError, lzma.LZMAError) as error:  # bz2 raises OSError for corrupt data
            raise CorruptDataError from error
