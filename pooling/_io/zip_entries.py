"""The files in a ZIP archive, read without unpacking it.

A path may lead into an archive: ``scifact.zip/qrels/test.tsv`` is the file ``qrels/test.tsv`` of the archive
``scifact.zip``. Folders, resource forks of macOS and hidden files are ignored. Refused: a corrupt archive, a password,
a method of compression that Python does not read, and a list of files that is too long for the memory.
"""

import io
import os
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO, cast

from pooling.errors import TrecFormatError

ZIP_MAGIC = b"PK\x03\x04"
ZIP_END, ZIP64_LOCATOR = b"PK\x05\x06", b"PK\x06\x07"
MAX_DIRECTORY_BYTES = 1 << 26  # of the list of files, which is held in memory
MAX_RUNS = 2_000  # of an archive; each run costs milliseconds, however short it is
ALLOWED = "a complete ZIP archive is allowed"


class Entry(io.RawIOBase):
    """A file of an archive as a stream; TrecFormatError if its data is corrupt."""

    def __init__(self, stream: Any, name: str, archive: zipfile.ZipFile | None = None) -> None:
        self._stream, self.name = stream, name
        self._archive = archive  # closed with the stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            chunk = self._stream.read(len(buffer))
        except (zipfile.BadZipFile, zlib.error, EOFError):
            raise TrecFormatError("the ZIP archive is corrupt", ALLOWED, self.name) from None
        buffer[: len(chunk)] = chunk
        return len(chunk)

    def close(self) -> None:
        if not self.closed:
            self._stream.close()
            if self._archive is not None:
                self._archive.close()
        super().close()


def entry_names(archive: zipfile.ZipFile) -> list[str]:
    """The names of the files of an archive, in its order."""
    return [name for name in archive.namelist() if name and not name.endswith("/") and not is_hidden(name)]


def is_hidden(name: str) -> bool:
    """Whether a file belongs to macOS or to a hidden folder. A path with backslashes leads into folders too."""
    parts = name.replace("\\", "/").strip("/").split("/")
    return parts[0] == "__MACOSX" or any(part.startswith(".") and part not in (".", "..") for part in parts)


@contextmanager
def opened_zip(source: Any, file: str) -> Iterator[zipfile.ZipFile | None]:
    """The archive, as a context manager; None if the source is none, or a stream that cannot be read twice."""
    raw = _seekable(source)
    if raw is None:
        yield None
        return
    try:
        begin = raw.tell()
        is_zip = raw.read(len(ZIP_MAGIC)) == ZIP_MAGIC
        raw.seek(begin)
        if not is_zip:
            yield None
            return
        with _archive(raw, file) as archive:
            yield archive
        raw.seek(begin)
    finally:
        if raw is not source:
            raw.close()


def open_entry(archive: zipfile.ZipFile, name: str, file: str) -> Entry:
    """A file of an archive as a stream."""
    try:
        return Entry(archive.open(name), f"{file}/{name}")
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError) as error:
        what = f"the file {name!r} of the ZIP archive cannot be read ({error})"
        raise TrecFormatError(what, "it has no password, and an ordinary compression", file) from None


def entry_of_path(path: str | PathLike[str]) -> tuple[str, str] | None:
    """The archive and the file in it that a path leads to; None if the path does not lead into a file."""
    text = os.fspath(path)
    for parent in Path(text).parents:
        if parent.is_file():
            return str(parent), Path(text).relative_to(parent).as_posix()
    return None


def open_path(path: str | PathLike[str]) -> BinaryIO:
    """The file of a path, which may lead into a ZIP archive, as a stream; OSError if there is none."""
    try:
        return open(path, "rb", buffering=0)
    except (FileNotFoundError, NotADirectoryError):
        if (found := entry_of_path(path)) is None:
            raise
        stream = _entry_at(*found)
        if stream is None:
            raise
        return cast(BinaryIO, stream)


def run_files(source: Any, max_bytes: int) -> list[Any]:
    """The sources of the runs of a source: the files of a ZIP archive, or the source itself.

    TrecFormatError if the files expand to more than `max_bytes` bytes together.
    """
    file = os.fspath(source) if isinstance(source, str | PathLike) else getattr(source, "name", "input")
    if isinstance(source, str) and source.startswith("irds:"):
        return [source]
    if isinstance(source, str | PathLike) and not os.path.isfile(source):
        return [source]
    with opened_zip(source, str(file)) as archive:
        if archive is None:
            return [source]
        names = entry_names(archive)
        size = sum(archive.getinfo(name).file_size for name in names)
        if size > max_bytes:
            raise TrecFormatError(f"the files expand to more than {max_bytes:,} bytes", "this is the limit", str(file))
        if odd := next((name for name in names if not _is_plain(name)), None):
            raise TrecFormatError(
                f"the path {odd!r} leads out of the archive", "a path is relative, with / and without ..", str(file)
            )
        if len(names) > MAX_RUNS:
            raise TrecFormatError(f"the ZIP archive has {len(names):,} files", f"at most {MAX_RUNS:,} runs", str(file))
        if not names:
            raise TrecFormatError("the ZIP archive has no files", "each file is a run", str(file))
        if isinstance(source, str | PathLike):
            return [f"{os.fspath(source)}/{name}" for name in names]
        return [_named(open_entry(archive, name, str(file)).readall(), f"{file}/{name}") for name in names]


def _is_plain(name: str) -> bool:
    path = PurePosixPath(name)
    return path.as_posix() == name and not path.is_absolute() and ".." not in path.parts and "\\" not in name


class _NamedBytes(io.BytesIO):
    name = ""


def _named(content: bytes, name: str) -> _NamedBytes:
    stream = _NamedBytes(content)
    stream.name = name
    return stream


def _entry_at(path: str, name: str) -> Entry | None:
    """The file of an archive; None if the path is no archive, or has no such file."""
    with open(path, "rb") as raw:
        if raw.read(len(ZIP_MAGIC)) != ZIP_MAGIC:
            return None
        check_directory(raw, path)
    archive = _archive(path, path)
    if name not in archive.namelist():
        archive.close()
        return None
    return Entry(open_entry(archive, name, path), f"{path}/{name}", archive)


def _seekable(source: Any) -> Any | None:
    if isinstance(source, bytes):
        return io.BytesIO(source)
    if isinstance(source, str | PathLike):
        stream = open_path(source)
        if stream.seekable():
            return stream
        stream.close()
        return None
    is_seekable = getattr(source, "seekable", None)
    return source if is_seekable is not None and is_seekable() else None


def _archive(raw: Any, file: str) -> zipfile.ZipFile:
    try:
        if not isinstance(raw, str):
            check_directory(raw, file)
        return zipfile.ZipFile(raw)
    except (zipfile.BadZipFile, NotImplementedError, EOFError, ValueError, struct.error) as error:
        if isinstance(error, TrecFormatError):
            raise
        raise TrecFormatError("the ZIP archive is corrupt", ALLOWED, file) from None


def check_directory(copy: Any, file: str) -> None:
    """Refuse a ZIP archive whose list of files is too long for the memory, before it is read."""
    length = copy.seek(0, os.SEEK_END)
    copy.seek(max(0, length - 66_000))
    tail = copy.read()
    end = tail.rfind(ZIP_END)
    if end < 0 or end + 22 > len(tail):
        raise TrecFormatError("the ZIP archive is corrupt", ALLOWED, file)
    (size,) = struct.unpack_from("<L", tail, end + 12)
    if tail[end - 20 : end - 16] == ZIP64_LOCATOR and end >= 76:
        (size,) = struct.unpack_from("<Q", tail, end - 76 + 40)
    if size > MAX_DIRECTORY_BYTES:
        what = f"the list of files has {size:,} bytes"
        raise TrecFormatError(what, f"at most {MAX_DIRECTORY_BYTES:,} are allowed", file)
