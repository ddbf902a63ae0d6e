"""Compressed files: detection by the first bytes, and decompression.

The kinds are gzip (RFC 1952), bzip2 and xz. No text that Assay reads begins like them: the first bytes of gzip and xz
are not UTF-8; those of bzip2 are ASCII, so all ten bytes that every such file has are compared. All members of a file
are read, one after the other, and their checksums verified. Zero bytes may pad the file; anything else outside of the
members is refused. An xz file states the memory it needs: more than 128 MiB is refused (``xz -9`` needs 65 MiB).
Some other compressions are recognised, to be named in the error.
"""

import bz2
import gzip
import lzma
import zlib
from collections.abc import Callable
from typing import BinaryIO

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
