"""Folders for files that are being written, next to where they will be. A killed process leaves one behind."""

import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

PREFIX = ".assay-draft-"
ABANDONED_AFTER = 24 * 3600  # seconds; no backup takes as long


@contextmanager
def draft_folder(parent: Path) -> Iterator[Path]:
    """Yield a new folder that only its owner can read. It is deleted afterwards, and so are abandoned ones."""
    _delete_abandoned(parent)
    folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=parent))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _delete_abandoned(parent: Path) -> None:
    for folder in parent.glob(f"{PREFIX}*"):
        # Another backup may delete the same folder.
        with suppress(FileNotFoundError):
            if folder.stat().st_mtime < time.time() - ABANDONED_AFTER:
                shutil.rmtree(folder, ignore_errors=True)


def publish(draft: Path, path: Path) -> None:
    """Give a complete file its name, so that it is there as a whole or not at all, also after a power cut."""
    sync(draft)
    os.replace(draft, path)
    if os.name == "posix":  # Windows cannot open a folder
        sync(path.parent)


def sync(path: Path) -> None:
    """Return when a file, or the names in a folder, are on the disk."""
    # Windows cannot sync a file that is open for reading only.
    handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
