"""The versions of Assay and of what it runs on."""

import platform
from dataclasses import dataclass

import django
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from agreement.version import VERSION
from assess.lib.tables import known_migrations

ENGINES = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}


@dataclass(frozen=True)
class Versions:
    """`migration` is the last one of Assay. The tables are current if no migration is missing."""

    assay: str
    python: str
    django: str
    database: str
    migration: str
    are_tables_current: bool


def versions() -> Versions:
    applied = MigrationRecorder(connection).applied_migrations().keys()
    number = ".".join(map(str, connection.get_database_version()))
    return Versions(
        assay=VERSION,
        python=platform.python_version(),
        django=django.get_version(),
        database=f"{ENGINES.get(connection.vendor, connection.vendor)} {number}",
        migration=max((name for app, name in applied if app == "assess"), default=""),
        are_tables_current=known_migrations() <= applied,
    )
