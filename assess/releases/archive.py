"""The zip file of a release, and reading a release from a zip file or a folder.

The same files give the same bytes: entries are sorted, and their time is a constant.
"""

import io
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from assess.errors import Refused

EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest time that a zip file can contain
MANIFEST = "manifest.json"
FILE_MODE = 0o100644 << 16
LARGEST = 1 << 30  # bytes of all files together


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
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            entries = [entry for entry in archive.infolist() if not entry.is_dir()]
            # Before anything is unpacked: a small foreign file may expand to any size.
            if sum(entry.file_size for entry in entries) > LARGEST:
                raise Refused(
                    f"The files of a release have at most {LARGEST:,} bytes; those of this zip file have more."
                )
            yield archive, {entry.filename.partition("/")[2]: entry for entry in entries}
    except (zipfile.BadZipFile, NotImplementedError, EOFError) as error:
        raise Refused(f"The zip file cannot be read: {error}.") from None


def read_release(path: Path) -> dict[str, bytes]:
    """Return the files of a release by name, from its folder or its zip file."""
    if path.is_dir():
        names = sorted(each for each in path.rglob("*") if each.is_file())
        return {each.relative_to(path).as_posix(): each.read_bytes() for each in names}
    if not path.is_file():
        raise Refused(f"{path}: there is no such folder or file. Name the folder or the zip file of a release.")
    return unzipped(path.read_bytes())
