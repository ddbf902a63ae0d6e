"""Whether the database has the tables of this version of Assay, and creating them in an empty database."""

import os
import subprocess
import sys
from enum import Enum
from functools import cache
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import DEFAULT_DB_ALIAS, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from assess.lib import earlier_migrations
from assess.lib.data_dir import PROJECT, VARIABLE
from assess.lib.database_url import APPLICATION, owner_url
from assess.lib.private_files import create_private_file, is_private, make_private

MIGRATE_FIRST = "The database is not up to date with this version of Assay. Run `{prog} migrate` first."
NEWER = "The database was created by a newer version of Assay. Upgrade Assay to use it."


class State(Enum):
    """The state of the database's tables."""

    EMPTY = "empty"  # no table at all
    BEHIND = "behind"  # migrations are missing
    CURRENT = "current"
    TOO_OLD = "too old"  # this version cannot update it
    NEWER = "newer"  # a newer version of Assay migrated it


def state() -> State:
    """Compare the migrations in the database with those of the installed apps."""
    path = sqlite_path()
    if path and not (path.is_file() and path.stat().st_size):  # connecting would create the file
        return State.EMPTY
    applied, known = set(MigrationRecorder(connection).applied_migrations()), known_migrations()
    if not applied and not connection.introspection.table_names():
        return State.EMPTY
    if any(app == "assess" for app, _ in applied - known - earlier_migrations.EARLIER):
        return State.NEWER
    if earlier_migrations.is_too_old(applied):
        return State.TOO_OLD
    return State.BEHIND if known - applied else State.CURRENT


@cache
def known_migrations() -> frozenset[tuple[str, str]]:
    """The migrations of the installed apps, as (app, name). Read once, because /health asks every few seconds."""
    return frozenset(MigrationLoader(None, ignore_no_migrations=True).disk_migrations)


def ensure(prog: str) -> None:
    """Make sure that a command finds its tables: create them in an empty database, refuse an outdated one."""
    current = state()
    if current is State.EMPTY:
        create()
        sys.stderr.write(f"{prog}: Created the database {connection.settings_dict['NAME']}.\n")
    elif current is State.BEHIND:
        raise CommandError(MIGRATE_FIRST.format(prog=prog))
    else:
        refuse_unusable(current)


def refuse_unusable(current: State) -> None:
    """Refuse a database that this version can neither use nor update."""
    if current is State.TOO_OLD:
        raise CommandError(earlier_migrations.TOO_OLD)
    if current is State.NEWER:
        raise CommandError(NEWER)


def create() -> None:
    """Create or update the tables, as their owner."""
    create_file()
    if url := owner_url():
        _create_as_owner(url)
    else:
        call_command("migrate", verbosity=0, interactive=False, database=DEFAULT_DB_ALIAS)


def _create_as_owner(url: str) -> None:
    """Migrate in another process, where every connection is that of the owner.

    Migrations use the default connection in many places, so a second one in this process would not be enough.
    """
    done = subprocess.run(
        [sys.executable, "-m", "django", "migrate", "--verbosity", "0", "--no-input"],
        cwd=PROJECT,
        env=os.environ | {APPLICATION: url, VARIABLE: str(settings.DATA_DIR)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    if done.returncode:
        reason = (done.stderr.strip() or "no message").splitlines()[-1]
        raise CommandError(f"The tables cannot be updated with ASSAY_MIGRATION_DATABASE_URL: {reason}")


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
