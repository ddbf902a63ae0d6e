"""SQLite: copies the database while it is in use, and replaces it in one transaction."""

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings
from django.db import connection

from assess.backups.archive import Archive, ArchiveWriter, Progress
from assess.backups.manifest import SQLITE_FILE, Copied
from assess.errors import Refused
from assess.lib import tables
from assess.lib.private_files import create_private_file

# The error codes of a file that is not a database, or a damaged one.
DAMAGED = {sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT}


def database_path() -> Path:
    path = tables.sqlite_path()
    if path is None:
        raise Refused(f"The database {connection.settings_dict['NAME']} is in memory, so it cannot be backed up.")
    return path


def add_database(writer: ArchiveWriter, folder: Path, progress: Progress) -> Copied:
    """Copy the database to a file in the folder, and add this file to the archive."""
    copy = folder / SQLITE_FILE
    # First, because SQLite would create it with the permissions of the umask.
    create_private_file(copy)
    with closing(sqlite3.connect(database_path())) as source, closing(sqlite3.connect(copy)) as target:
        # All pages in one step: with several, every judgement in between would begin the copy again.
        source.backup(target)
        migrations = frozenset(target.execute("SELECT app, name FROM django_migrations"))
        runs = [checksum for (checksum,) in target.execute("SELECT DISTINCT file_checksum FROM assess_run ORDER BY 1")]
    writer.add_file(SQLITE_FILE, copy, progress)
    return Copied("sqlite", migrations, runs)


def extract(archive: Archive, folder: Path) -> Path:
    """Write the database of an archive to a file, or refuse a damaged one."""
    path = folder / SQLITE_FILE
    archive.extract(SQLITE_FILE, path)
    _check(path)
    return path


def _check(path: Path) -> None:
    """Refuse a file that is not a sound SQLite database."""
    try:
        with closing(sqlite3.connect(path)) as database:
            (result,) = database.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.DatabaseError as error:
        result = str(error)
    if result != "ok":
        raise Refused(f"The database in the archive is damaged: {result}.")


def replace_database(staged: Path) -> None:
    """Replace the site's database by another one.

    SQLite's backup interface writes all pages in one transaction: a process that reads the database meanwhile, or
    after a kill, sees the old one. A damaged file cannot be written to, so it gets another name.
    """
    path = database_path()
    connection.close()
    create_private_file(path)
    if not _is_sound(path):
        _set_aside(path)
        create_private_file(path)
    live = sqlite3.connect(path, timeout=settings.LOCK_SECONDS)
    with closing(live), closing(sqlite3.connect(staged)) as source:
        source.backup(live, progress=_refuse_to_wait)


def _refuse_to_wait(status: int, _remaining: int, _total: int) -> None:
    """Stop if another process keeps the database locked longer than the timeout. Python would wait forever."""
    if status in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        raise sqlite3.OperationalError("database is locked")


def _is_sound(path: Path) -> bool:
    try:
        with closing(sqlite3.connect(path, timeout=settings.LOCK_SECONDS)) as database:
            database.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.DatabaseError as error:
        # The low byte is the primary code of an extended one.
        if error.sqlite_errorcode & 0xFF not in DAMAGED:
            raise
        return False
    return True


def _set_aside(path: Path) -> None:
    now = f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}"
    # With its log, which SQLite would otherwise apply to the next database of this name.
    for suffix in ("-wal", "-shm", ""):
        file = path.with_name(path.name + suffix)
        if file.exists():
            file.replace(path.with_name(f"{path.stem}-damaged-{now}.sqlite3{suffix}"))
