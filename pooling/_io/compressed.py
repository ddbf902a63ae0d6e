"""Compressed files: which kind one is, told by its first bytes, and what it holds.

Kinds are gzip (RFC 1952), bzip2 and xz. No text that Assay reads begins as they do: gzip's and xz's first bytes are
not UTF-8; bzip2's are ASCII, and so all ten that every such file has are asked for. All members of a file are read,
one after the other, and their checksums compared. Zero bytes may pad the file; nothing else may stand beside the
members. What an xz file needs to be expanded, it says itself: more than 128 MiB is refused (``xz -9`` needs 65).
"""

import bz2
import gzip
import lzma
import zlib
from collections.abc import Callable
from typing import BinaryIO

GZIP_MAGIC = b"\x1f\x8b"
XZ_MAGIC = b"\xfd7zXZ\x00"
BZIP2_MAGICS = tuple(  # the level; then the first block, or the end where there is none
    b"BZh%d%b" % (level, begin) for level in range(1, 10) for begin in (b"1AY&SY", b"\x17rE8P\x90")
)
MAGIC_BYTES = 10

INPUT_BYTES = 1 << 16
XZ_MEMORY_BYTES = 1 << 27


class CorruptDataError(Exception):
    """Compressed data breaks its format, or its checksum."""


def kind_of(head: bytes) -> str | None:
    """The kind of the file that begins with `head`, its first `MAGIC_BYTES`; None where it is not compressed."""
    if head.startswith(GZIP_MAGIC):
        return "gzip"
    if head.startswith(BZIP2_MAGICS):
        return "bzip2"
    return "xz" if head.startswith(XZ_MAGIC) else None


def expander(stream: BinaryIO, kind: str | None) -> Callable[[int], bytes]:
    """What reads the next piece of a file of that kind, at most so many bytes; it reads no bytes only at the end.

    The reader raises EOFError where the file ends too early, and CorruptDataError.
    """
    if kind is None:
        return stream.read
    if kind == "gzip":
        return _GzipMembers(stream).read
    return _Members(stream, bz2.BZ2Decompressor if kind == "bzip2" else _xz_member).read


def _xz_member() -> lzma.LZMADecompressor:
    return lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=XZ_MEMORY_BYTES)


class _GzipMembers:
    def __init__(self, stream: BinaryIO):
        self._file = gzip.GzipFile(fileobj=stream)

    def read(self, size: int) -> bytes:
        try:
            return self._file.read(size)
        except (gzip.BadGzipFile, zlib.error) as error:
            raise CorruptDataError from error


class _Members:
    """The members of a bzip2 or xz file. Python's own file objects would ignore whatever stands after the first."""

    def __init__(self, stream: BinaryIO, new_member: Callable):
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
            if piece := self._expanded(data, size):
                return piece

    def _after_padding(self, data: bytes) -> bytes:
        """The rest of the file, from the first byte that is not zero; nothing where there is none."""
        while not (begin := data.lstrip(b"\0")):
            data = self._stream.read(INPUT_BYTES)
            if not data:
                return b""
        return begin

    def _expanded(self, data: bytes, size: int) -> bytes:
        try:
            return self._member.decompress(data, size)
        except (OSError, lzma.LZMAError) as error:  # OSError is bz2's word for corrupt data
            raise CorruptDataError from error
