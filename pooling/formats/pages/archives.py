"""Read the files of a folder, a ZIP archive or a TAR archive as documents, one per file (`pooling.formats.pages.page`).

Folders and entries of macOS (`__MACOSX`, names that begin with a dot) are ignored. A folder is read in the order of the
paths and without following links; an archive in its own order.

Refused: an absolute path, or one with `..`; links and devices; an encrypted file; an archive within the archive; a
compressed file; more than 200,000 files; a file or a total beyond its limit; ZIP methods other than stored and deflate.
"""

import os
import stat
import struct
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple

from pooling._io.doc_elements import too_large
from pooling._io.streams import Progress, compression_of
from pooling._io.zip_entries import check_directory, is_hidden
from pooling.errors import FormatError, Problems, raise_or_keep, shown
from pooling.formats.document import Document
from pooling.formats.pages.page import page

MAX_MEMBERS = 200_000
SPOOL_BYTES = 1 << 24
PIECE_BYTES = 1 << 20
ZIP_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
MAX_HEADER_BYTES = 1 << 16  # of a TAR entry
TAR_HEADERS = (
    tarfile.XHDTYPE,
    tarfile.XGLTYPE,
    tarfile.SOLARIS_XHDTYPE,
    tarfile.GNUTYPE_LONGNAME,
    tarfile.GNUTYPE_LONGLINK,
)
ARCHIVES = (b"PK\x03\x04", b"PK\x05\x06", b"7z\xbc\xaf\x27\x1c", b"Rar!")
ALLOWED = "an archive has text, Markdown and HTML files"


class Limits(NamedTuple):
    """The largest sizes, in bytes: of all files together, and of one."""

    total: int
    document: int


class _Member(NamedTuple):
    path: str
    read: Callable[[int], bytes]  # up to so many bytes


class _PlainInfo(tarfile.TarInfo):
    """An entry of a TAR archive whose headers take bounded memory; tarfile itself has no limit."""

    def _proc_member(self, archive: tarfile.TarFile) -> tarfile.TarInfo:
        if self.size < 0:
            raise tarfile.ReadError("a negative size")
        if self.type in TAR_HEADERS and self.size > MAX_HEADER_BYTES:
            raise tarfile.ReadError("a header is too large")
        return super()._proc_member(archive)  # type: ignore[misc, no-any-return]

    def _proc_gnusparse_10(self, *_: object) -> None:
        raise tarfile.ReadError("a file with holes")


def folder_documents(
    folder: Path, limits: Limits, file: str, problems: Problems, progress: Progress | None = None
) -> Iterator[Document]:
    """The documents of a folder and the folders in it."""
    yield from _documents(_folder_members(folder, progress), limits, file, problems)


def zip_documents(stream: BinaryIO, limits: Limits, file: str, problems: Problems) -> Iterator[Document]:
    """The documents of a ZIP archive. The stream is copied to a temporary file, because the list of files is last."""
    with tempfile.SpooledTemporaryFile(SPOOL_BYTES) as copy:
        while piece := stream.read(PIECE_BYTES):
            copy.write(piece)
        check_directory(copy, file)
        try:
            with zipfile.ZipFile(copy) as archive:
                _check_number(sum(1 for info in archive.infolist() if not info.is_dir()), file)
                yield from _documents(_zip_members(archive, file), limits, file, problems)
        except (zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError, ValueError, struct.error) as error:
            if isinstance(error, FormatError):
                raise
            raise FormatError("the ZIP archive is corrupt", "a complete ZIP archive is allowed", file) from None


def tar_documents(stream: BinaryIO, limits: Limits, file: str, problems: Problems) -> Iterator[Document]:
    """The documents of a TAR archive, read as a stream."""
    try:
        with tarfile.open(fileobj=stream, mode="r|", tarinfo=_PlainInfo) as archive:
            yield from _documents(_tar_members(archive, file), limits, file, problems)
    except tarfile.TarError:
        raise FormatError("the TAR archive is corrupt", "a complete TAR archive is allowed", file) from None


def _documents(members: Iterator[_Member], limits: Limits, file: str, problems: Problems) -> Iterator[Document]:
    size = 0
    for number, member in enumerate(members, start=1):
        _check_number(number, file)
        _check_path(member.path, file, number)
        data = member.read(limits.document + 1)
        size += len(data)
        if len(data) > limits.document:
            raise too_large(limits.document, f"{file}, {member.path}", 1)
        if size > limits.total:
            raise FormatError(f"the files have more than {limits.total:,} bytes", "this is the limit", file, number)
        try:
            _refuse_archive(member.path, data, file, number)
            yield page(member.path, data, file, number)
        except FormatError as error:
            raise_or_keep(error, problems)


def _check_number(number: int, file: str) -> None:
    if number > MAX_MEMBERS:
        raise FormatError(f"there are more than {MAX_MEMBERS:,} files", "this is the limit", file)


def _check_path(path: str, file: str, number: int) -> None:
    parts = path.split("/")
    if path.startswith("/") or ".." in parts or "\\" in path or ":" in parts[0]:
        what = f"the path {shown(path)} leads out of the archive"
        raise FormatError(what, "a path is relative, with /, and without ..", file, number)


def _refuse_archive(path: str, data: bytes, file: str, number: int) -> None:
    is_archive = data.startswith(ARCHIVES) or data[257:262] == b"ustar"
    if is_archive or compression_of(data[:16]):
        what = f"the file {shown(path)} is {'an archive' if is_archive else 'compressed'}"
        raise FormatError(what, ALLOWED, file, number)


def _folder_members(folder: Path, progress: Progress | None) -> Iterator[_Member]:
    for top, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            path = Path(top, name)
            relative = path.relative_to(folder).as_posix()
            if is_hidden(relative) or not stat.S_ISREG(path.lstat().st_mode):
                continue

            def read(limit: int, path: Path = path) -> bytes:
                with path.open("rb") as stream:
                    data = stream.read(limit)
                if progress is not None:
                    progress(len(data))
                return data

            yield _Member(relative, read)


def _zip_members(archive: zipfile.ZipFile, file: str) -> Iterator[_Member]:
    for number, info in enumerate(archive.infolist(), start=1):
        if info.is_dir() or is_hidden(info.filename):
            continue
        problem = None
        if stat.S_ISLNK(info.external_attr >> 16):
            problem = "a link"
        elif info.flag_bits & 1:
            problem = "encrypted"
        elif info.compress_type not in ZIP_METHODS:
            problem = "compressed with an unusual method"
        if problem:
            raise FormatError(f"the file {shown(info.filename)} is {problem}", ALLOWED, file, number)

        def read(limit: int, info: zipfile.ZipInfo = info) -> bytes:
            with archive.open(info) as stream:
                return stream.read(limit)

        yield _Member(info.filename, read)


def _tar_members(archive: tarfile.TarFile, file: str) -> Iterator[_Member]:
    number = 0
    while (info := archive.next()) is not None:
        archive.members = []  # type: ignore[attr-defined]  # otherwise tarfile keeps a record of every file
        number += 1
        path = info.name.removeprefix("./")
        if info.isdir() or is_hidden(path):
            continue
        if not info.isreg() or info.issparse():
            raise FormatError(f"the file {shown(path)} is a link or a device", ALLOWED, file, number)

        def read(limit: int, info: tarfile.TarInfo = info) -> bytes:
            stream = archive.extractfile(info)
            return b"" if stream is None else stream.read(limit)

        yield _Member(path, read)
