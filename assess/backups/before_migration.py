"""Copies of the SQLite database in `backups/` of the data directory, made before a migration."""

import os
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from assess.lib.private_files import PRIVATE_DIR, create_private_file

FOLDER = "backups"
KEPT = 5  # older copies are deleted


def back_up(database: Path, now: datetime | None = None) -> Path:
    """Copy a database, also while it is in use, and return the path of the copy.

    SQLite's backup interface copies a consistent state including the write-ahead log, which copying the file does not.
    """
    folder = database.parent / FOLDER
    folder.mkdir(mode=PRIVATE_DIR, exist_ok=True)
    copy = folder / f"{database.stem}-{now or datetime.now(UTC):%Y%m%dT%H%M%S}.sqlite3"
    # Another ending, so that a copy that was interrupted neither counts nor replaces a complete one.
    draft = copy.with_suffix(f".{os.getpid()}")
    create_private_file(draft)
    try:
        with closing(sqlite3.connect(database)) as source, closing(sqlite3.connect(draft)) as target:
            source.backup(target)
        draft.replace(copy)
    finally:
        draft.unlink(missing_ok=True)
    _delete_old(folder, database.stem)
    return copy


def _delete_old(folder: Path, stem: str) -> None:
    # The names contain the time, so they sort by it.
    for path in sorted(folder.glob(f"{stem}-*.sqlite3"))[:-KEPT]:
        path.unlink(missing_ok=True)
