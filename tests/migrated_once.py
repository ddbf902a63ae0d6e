"""The migrated test database: made once, and copied by other workers and by later runs."""

import fcntl
import hashlib
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path

import pytest
from django.apps import apps
from django.conf import settings
from django.db import connection
from django.db.backends.base.creation import BaseDatabaseCreation
from django.db.backends.sqlite3.creation import DatabaseCreation


@contextmanager
def migrated_once() -> Iterator[None]:
    """Let Django start from a copy of the migrated database, if there is one, and keep a copy otherwise."""
    with _copied_file() if connection.vendor == "sqlite" else _copied_template():
        yield


@contextmanager
def _copied_template() -> Iterator[None]:
    """PostgreSQL keeps the copy as a database, which is the template of the others."""
    create, kept = BaseDatabaseCreation.create_test_db, _kept_template()

    def create_and_keep(creation, *arguments, **options):
        with _first_worker():
            is_kept = _query(creation, "SELECT 1 FROM pg_database WHERE datname = %s", [kept])
            creation.connection.settings_dict["TEST"]["TEMPLATE"] = kept if is_kept else None
            name = create(creation, *arguments, **options)
            if not is_kept:
                creation.connection.close()  # a database that is in use cannot be copied
                _keep_template(creation, name, kept)
        return name

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BaseDatabaseCreation, "create_test_db", create_and_keep)
        yield


def _kept_template() -> str:
    """Return the name of the migrated database, short enough for PostgreSQL."""
    return f"{_template_prefix()}{_digest_of_migrations()}"


def _template_prefix() -> str:
    return f"migrated_{settings.DATABASES['default']['NAME'][:30]}_"


def _keep_template(creation, name: str, kept: str) -> None:
    older = "SELECT datname FROM pg_database WHERE starts_with(datname, %s)"
    for (database,) in _query(creation, older, [_template_prefix()]):
        _query(creation, f'DROP DATABASE IF EXISTS "{database}"')
    _query(creation, f'CREATE DATABASE "{kept}" TEMPLATE "{name}"')


def _query(creation, statement: str, parameters: list[str] | None = None) -> list[tuple]:
    with creation._nodb_cursor() as cursor:
        cursor.execute(statement, parameters)
        return cursor.fetchall() if cursor.description else []


@contextmanager
def _first_worker() -> Iterator[None]:
    """Let other workers wait for the first."""
    with open(Path(settings.DATA_DIR) / "migrated.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@contextmanager
def _copied_file() -> Iterator[None]:
    erase, create = DatabaseCreation._create_test_db, DatabaseCreation.create_test_db
    kept = kept_database()

    def erase_and_copy(creation, *arguments, **options):
        name = erase(creation, *arguments, **options)
        for ending in ("-wal", "-shm"):  # of an earlier run, which SQLite would apply to the copy
            Path(f"{name}{ending}").unlink(missing_ok=True)
        if kept.exists():
            shutil.copyfile(kept, name)
        return name

    def create_and_keep(creation, *arguments, **options):
        with _first_worker():
            name = create(creation, *arguments, **options)
            if not kept.exists():
                _keep(creation.connection, kept)
        return name

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DatabaseCreation, "_create_test_db", erase_and_copy)
        patch.setattr(DatabaseCreation, "create_test_db", create_and_keep)
        yield


def kept_database() -> Path:
    """Return the path of the migrated database, which exists after the first test that used SQLite."""
    return Path(settings.DATA_DIR) / f"migrated-{_digest_of_migrations()}.sqlite3"


def _keep(connection, kept: Path) -> None:
    for older in kept.parent.glob("migrated-*.sqlite3*"):
        older.unlink()
    unfinished = kept.with_suffix(".sqlite3.part")
    with connection.cursor() as cursor:
        cursor.execute("VACUUM INTO %s", [str(unfinished)])
    unfinished.replace(kept)


def _digest_of_migrations() -> str:
    """Return a digest of what determines the tables: the migrations of all apps, and Django's version."""
    digest = hashlib.sha256(metadata.version("Django").encode())
    for app in apps.get_app_configs():
        for path in sorted((Path(app.path) / "migrations").rglob("*.py")):
            digest.update(f"{path.name}\0".encode() + path.read_bytes())
    return digest.hexdigest()[:16]
