"""The zip file of a release, and reading a release from a zip file or a folder.

The same files give the same bytes: entries are sorted, and their time is a constant.
"""

import hashlib
import io
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from assess.errors import Refused
from pooling._io.zip_entries import check_directory
from pooling.errors import shown

EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest time that a zip file can contain
MANIFEST = "manifest.json"
FILE_MODE = 0o100644 << 16
LARGEST = 1 << 30  # bytes of all files together
MOST_FILES = 10_000
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


def zipped(files: Mapping[str, bytes], folder: str) -> bytes:
    """Return a zip file with all files in one folder."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(f"{folder}/{name}", EPOCH)
            entry.external_attr = FILE_MODE
            entry.create_system = 3  # Unix, on every platform
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, files[name], compresslevel=9)
    return content.getvalue()


def unzipped(content: bytes) -> dict[str, bytes]:
    """Return the files of a zip file, without the name of their folder."""
    with _opened(content) as (archive, entries):
        return {name: archive.read(entry) for name, entry in entries.items()}


def file_in(content: bytes, name: str) -> bytes | None:
    """Return one file of a zip file without unpacking the others; None if there is no such file."""
    with _opened(content) as (archive, entries):
        return archive.read(entries[name]) if name in entries else None


@contextmanager
def _opened(content: bytes) -> Iterator[tuple[zipfile.ZipFile, dict[str, zipfile.ZipInfo]]]:
    """Open a zip file, with its files by name; Refused if it is too large or cannot be read."""
    try:
        check_directory(io.BytesIO(content), "The zip file")
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            yield archive, _entries(archive)
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError, ValueError, struct.error) as error:
        raise Refused(f"The zip file cannot be read: {str(error).rstrip('.')}.") from None


def _entries(archive: zipfile.ZipFile) -> dict[str, zipfile.ZipInfo]:
    """Return the files by name, without the folder that all are in. Nothing is unpacked before they are checked."""
    entries = [entry for entry in archive.infolist() if not entry.is_dir()]
    if len(entries) > MOST_FILES:
        raise Refused(f"A release has at most {MOST_FILES:,} files; this zip file has {len(entries):,}.")
    # A small foreign file may expand to any size.
    if sum(entry.file_size for entry in entries) > LARGEST:
        raise Refused(f"The files of a release have at most {LARGEST:,} bytes; those of this zip file have more.")
    for entry in entries:
        if problem := _problem_of(entry):
            raise Refused(f"The zip file cannot be used: its file {shown(entry.filename)} {problem}.")
    in_folder = all(entry.filename != MANIFEST for entry in entries)
    names = {entry.filename.partition("/")[2] if in_folder else entry.filename: entry for entry in entries}
    if len(names) < len(entries):
        raise Refused("The zip file cannot be used: it has two files with the same name.")
    return names


def _problem_of(entry: zipfile.ZipInfo) -> str:
    path = PurePosixPath(entry.filename)
    if path.is_absolute() or ".." in path.parts or "\\" in entry.filename:
        return "has a path that leads out of the archive"
    if stat.S_ISLNK(entry.external_attr >> 16):
        return "is a link"
    if entry.flag_bits & 1:
        return "is encrypted"
    return "" if entry.compress_type in METHODS else "is compressed with an unusual method"


def read_release(path: Path) -> dict[str, bytes]:
    """Return the files of a release by name, from its folder or its zip file."""
    if path.is_dir():
        return _in_folder(path)
    if not path.is_file():
        raise Refused(f"{path}: there is no such folder or file. Name the folder or the zip file of a release.")
    if path.stat().st_size > LARGEST:
        raise Refused(f"{path}: a release has at most {LARGEST:,} bytes; this file has more.")
    return unzipped(path.read_bytes())


def _in_folder(folder: Path) -> dict[str, bytes]:
    paths = sorted(each for each in folder.rglob("*") if each.is_file() or each.is_symlink())
    if links := [each for each in paths if each.is_symlink()]:
        raise Refused(f"{links[0]} is a link; a release has files only.")
    if len(paths) > MOST_FILES or sum(each.stat().st_size for each in paths) > LARGEST:
        raise Refused(f"{folder}: a release has at most {MOST_FILES:,} files and {LARGEST:,} bytes.")
    return {each.relative_to(folder).as_posix(): each.read_bytes() for each in paths}


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
