"""What the site stores: the disk of the data directory, the database, and the folders for uploads and results."""

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.db import connection

from assess.health import MEGABYTE
from assess.lib.tables import sqlite_path

MOST_FILES = 5_000  # of a folder; more would take too long to look at


@dataclass(frozen=True)
class DiskStatus:
    free: int  # bytes
    total: int
    minimum: int

    @property
    def is_low(self) -> bool:
        return self.free < self.minimum


@dataclass(frozen=True)
class StorageStatus:
    """Sizes in bytes; None for what cannot be read or has too many files. `disk` is None if the directory is gone."""

    disk: DiskStatus | None
    database: int | None
    uploads: int | None
    results: int | None


def storage_status() -> StorageStatus:
    return StorageStatus(
        disk=_disk(),
        database=database_size(),
        uploads=folder_size(Path(settings.UPLOADS_DIR)),
        results=folder_size(Path(settings.RESULTS_DIR)),
    )


def _disk() -> DiskStatus | None:
    try:
        usage = shutil.disk_usage(settings.DATA_DIR)
    except OSError:
        return None
    return DiskStatus(usage.free, usage.total, settings.MIN_FREE_MB * MEGABYTE)


def database_size() -> int | None:
    """Return the size of the database; that of SQLite with its write-ahead log, and None for one in memory."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_database_size(current_database())")
            (number,) = cursor.fetchone()
        return int(number)
    path = sqlite_path()
    if path is None:
        return None
    return _size(path) + _size(path.with_name(f"{path.name}-wal"))


def folder_size(folder: Path) -> int | None:
    """Return the size of all files in a folder: 0 if it does not exist, None if it has more than MOST_FILES."""
    size = 0
    for number, each in enumerate(_sizes(folder), start=1):
        if number > MOST_FILES:
            return None
        size += each
    return size


def _sizes(folder: Path) -> Iterator[int]:
    for parent, _, names in os.walk(folder):
        for name in names:
            yield _size(Path(parent) / name)


def _size(path: Path) -> int:
    """Return the size of a file; 0 if it was deleted meanwhile."""
    try:
        return path.stat().st_size
    except OSError:
        return 0
