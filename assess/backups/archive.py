"""Writes archives, and reads them after verifying every file. The package describes the format."""

import hashlib
import os
import shutil
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from assess.backups import manifest as manifests
from assess.backups.manifest import FileState, Manifest
from assess.errors import Refused
from assess.lib.private_files import PRIVATE_FILE, create_private_file

CHUNK = 1 << 20
UNCOMPRESSED = (".parquet", ".dump")  # compressed already
UNIX = 3  # the system in a ZIP entry whose external attributes are a file mode
Progress = Callable[[int], object]


def no_progress(_size: int) -> None:
    pass


class ArchiveWriter:
    """Writes the files of an archive one after the other, and then the manifest."""

    def __init__(self, path: Path) -> None:
        create_private_file(path)
        self._zip = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=6)
        self.files: dict[str, FileState] = {}

    def add(self, name: str, chunks: Iterable[bytes | memoryview]) -> None:
        """Add one file. Its content is never completely in memory."""
        digest, size = hashlib.sha256(), 0
        # The size is not known yet; without force_zip64, a file of more than 2 GiB fails at its end.
        with self._zip.open(_entry(name), "w", force_zip64=True) as target:
            for chunk in chunks:
                target.write(chunk)
                digest.update(chunk)
                size += len(chunk)
        self.files[name] = FileState(size, digest.hexdigest())

    def add_file(self, name: str, path: Path, progress: Progress = no_progress) -> None:
        with path.open("rb") as file:
            self.add(name, chunks_of(file, progress))

    def finish(self, manifest: Manifest) -> None:
        self._zip.writestr(_entry(manifests.NAME), manifest.to_json())
        self._zip.close()

    def abandon(self) -> None:
        """Close the file, whose content is of no use any more."""
        with suppress(OSError, ValueError):
            self._zip.close()


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name)  # dated 1980: the manifest has the time
    entry.create_system, entry.external_attr = UNIX, PRIVATE_FILE << 16
    entry.compress_type = zipfile.ZIP_STORED if name.endswith(UNCOMPRESSED) else zipfile.ZIP_DEFLATED
    return entry


def chunks_of(file: IO[bytes], progress: Progress = no_progress) -> Iterator[bytes]:
    while chunk := file.read(CHUNK):
        yield chunk
        progress(len(chunk))


class Archive:
    """An archive whose files have been verified."""

    def __init__(self, content: zipfile.ZipFile, manifest: Manifest) -> None:
        self._zip, self.manifest = content, manifest

    def open(self, name: str) -> IO[bytes]:
        return self._zip.open(name)

    def read(self, name: str) -> bytes:
        return self._zip.read(name) if name in self.manifest.files else b""

    def extract(self, name: str, target: Path) -> None:
        """Write one file to the disk."""
        create_private_file(target)
        with self.open(name) as source, target.open("wb") as file:
            shutil.copyfileobj(source, file, CHUNK)
            file.flush()
            os.fsync(file.fileno())

    def names(self, folder: str) -> list[str]:
        return sorted(name for name in self.manifest.files if name.startswith(f"{folder}/"))


@contextmanager
def verified(path: Path, progress: Progress = no_progress) -> Iterator[Archive]:
    """Yield an archive after comparing every file with the manifest, or refuse it."""
    with _opened(path) as content:
        try:
            manifest = _read_manifest(content)
            _verify_names(content, manifest)
            for name, state in manifest.files.items():
                _verify_file(content, name, state, progress)
        except Refused as problem:
            raise Refused(f"{path} cannot be used: {problem}.") from None
        yield Archive(content, manifest)


def read_manifest(path: Path) -> Manifest:
    """Return the manifest of an archive without reading the other files."""
    with _opened(path) as content:
        try:
            return _read_manifest(content)
        except Refused as problem:
            raise Refused(f"{path} cannot be used: {problem}.") from None


@contextmanager
def _opened(path: Path) -> Iterator[zipfile.ZipFile]:
    try:
        content = zipfile.ZipFile(path)
    except zipfile.BadZipFile:
        raise Refused(f"{path} is not an archive of Assay, or its end is missing.") from None
    with content:
        yield content


def _read_manifest(content: zipfile.ZipFile) -> Manifest:
    try:
        size = content.getinfo(manifests.NAME).file_size
    except KeyError:
        raise Refused("it has no manifest.json") from None
    if size > manifests.MAX_BYTES:
        raise Refused(f"its manifest.json has {size:,} bytes; at most {manifests.MAX_BYTES:,} are allowed")
    return manifests.parse(b"".join(_chunks(content, manifests.NAME)))


def _verify_names(content: zipfile.ZipFile, manifest: Manifest) -> None:
    names = [entry.filename for entry in content.infolist()]
    expected = {*manifest.files, manifests.NAME}
    if missing := sorted(expected - set(names)):
        raise Refused(f"the file {missing[0]} is missing")
    if more := sorted(set(names) - expected):
        raise Refused(f"it has a file {more[0]!r} that its manifest does not name")
    if len(names) != len(expected):
        raise Refused("it has two files with the same name")


def _verify_file(content: zipfile.ZipFile, name: str, state: FileState, progress: Progress) -> None:
    digest, size = hashlib.sha256(), 0
    for chunk in _chunks(content, name):
        digest.update(chunk)
        size += len(chunk)
        progress(len(chunk))
        # A small entry may expand to any size, so reading stops at the size of the manifest.
        if size > state.size:
            break
    if (size, digest.hexdigest()) != (state.size, state.sha256):
        raise Refused(f"the file {name} is damaged: its size or checksum is not that of the manifest")
    if name.startswith("runs/") and name != f"runs/{state.sha256}.parquet":
        raise Refused(f"the file {name} does not have the name of its checksum")


def _chunks(content: zipfile.ZipFile, name: str) -> Iterator[bytes]:
    try:
        with content.open(name) as file:
            yield from chunks_of(file)
    # The last two: an unknown method of compression, and an encrypted entry.
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError):
        raise Refused(f"the file {name} is damaged") from None
