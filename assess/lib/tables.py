"""Whether the database has the tables of this version of Assay, and creating them in an empty database."""

import sys
from enum import Enum
from pathlib import Path

from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import DEFAULT_DB_ALIAS, connection
from django.db.migrations.executor import MigrationExecutor

from assess.lib.private_files import create_private_file, is_private, make_private

MIGRATE_FIRST = "The database is not up to date with this version of Assay. Run `{prog} migrate` first."
NEWER = "The database was created by a newer version of Assay. Upgrade Assay to use it."


class State(Enum):
    """The state of the database's tables."""

    EMPTY = "empty"  # no table at all
    BEHIND = "behind"  # migrations are missing
    CURRENT = "current"
    NEWER = "newer"  # a newer version of Assay migrated it


def state() -> State:
    """Compare the migrations in the database with those of the installed apps."""
    path = sqlite_path()
    if path and not (path.is_file() and path.stat().st_size):  # connecting would create the file
        return State.EMPTY
    executor = MigrationExecutor(connection)
    applied, known = set(executor.loader.applied_migrations), set(executor.loader.disk_migrations)
    if not applied and not connection.introspection.table_names():
        return State.EMPTY
    if any(app == "assess" for app, _ in applied - known):
        return State.NEWER
    return State.BEHIND if known - applied else State.CURRENT


def ensure(prog: str) -> None:
    """Make sure that a command finds its tables: create them in an empty database, refuse an outdated one."""
    current = state()
    if current is State.EMPTY:
        create()
        sys.stderr.write(f"{prog}: Created the database {connection.settings_dict['NAME']}.\n")
    elif current is State.BEHIND:
        raise CommandError(MIGRATE_FIRST.format(prog=prog))
    elif current is State.NEWER:
        raise CommandError(NEWER)


def create() -> None:
    """Create or update the tables."""
    create_file()
    call_command("migrate", verbosity=0, interactive=False, database=DEFAULT_DB_ALIAS)


def create_file() -> None:
    """Create the file of an SQLite database if it does not exist. Only its owner can read it.

    SQLite itself would create a file that others can read, and gives the same permissions to its journal files.
    """
    if path := sqlite_path():
        create_private_file(path)
        if not is_private(path):
            make_private(path)


def sqlite_path() -> Path | None:
    """The file of an SQLite database, or None for another kind of database or one in memory."""
    name = str(connection.settings_dict["NAME"])
    if connection.vendor != "sqlite" or name == ":memory:" or name.startswith("file:"):
        return None
    return Path(name)
