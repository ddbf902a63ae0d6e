"""Checks of the data directory, of file permissions and of the database."""

from collections.abc import Iterator
from pathlib import Path

from assay.doctor.result import Result, fixed, ok, problem


def check_permissions(directory: Path) -> Iterator[Result]:
    """Only the owner may read the data directory, the database, its copies and the secret key."""
    from assess.lib.private_files import PRIVATE_DIR, PRIVATE_FILE, is_private, make_private

    for path in [directory, *_private_paths(directory)]:
        try:
            was_private = is_private(path)
            if not was_private:
                make_private(path)
        except OSError as error:
            yield problem(
                f"{path}: the permissions cannot be changed ({error.strerror}); run `assay doctor` as its owner"
            )
            continue
        mode = PRIVATE_DIR if path.is_dir() else PRIVATE_FILE
        yield (
            ok(f"{path} is private")
            if was_private
            else fixed(f"{path} could be read by others; its mode is now {mode:o}")
        )


def _private_paths(directory: Path) -> list[Path]:
    """The existing files and directories that must not be readable by others."""
    databases = ("*.sqlite3", "*.sqlite3-wal", "*.sqlite3-shm")
    patterns = (*databases, "secret_key", "erasures.jsonl", "demo_logins.json", "backups", "backups/*")
    return sorted(path for pattern in patterns for path in directory.glob(pattern))


def check_database(prog: str) -> Iterator[Result]:
    """Whether the database can be reached and has the tables of this version. The settings must be loaded."""
    from django.db import connection
    from django.db.utils import DatabaseError

    from assess.lib import earlier_migrations, tables

    name = f"{connection.vendor} database {connection.settings_dict['NAME']}"
    try:
        state = tables.state()
    except DatabaseError as error:
        first_line = str(error).strip().partition("\n")[0]
        yield problem(f"The {name} cannot be used ({first_line}): check DATABASE_URL and that the server runs")
        return
    if state is tables.State.EMPTY:
        yield ok(f"The {name} does not exist yet; the first command creates it")
        return
    yield ok(f"The {name} can be read")
    yield {
        tables.State.CURRENT: ok("All migrations are applied"),
        tables.State.BEHIND: problem(
            f"Some migrations have not been applied: run `{prog} migrate`, or `{prog} serve`, which backs up first"
        ),
        tables.State.TOO_OLD: problem(earlier_migrations.TOO_OLD),
        tables.State.NEWER: problem(tables.NEWER),
    }[state]
