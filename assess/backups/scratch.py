"""Databases beside that of the site, in which an archive is prepared or tried."""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager

from django.contrib.contenttypes.models import ContentType
from django.db import Error, connection

from assess.errors import Refused

PREFIX = "assay_rehearsal_"


@contextmanager
def connected_to(name: str) -> Iterator[None]:
    """Let this process use another database: the path of an SQLite file, or the name of one on the same server."""
    own = connection.settings_dict["NAME"]
    connection.close()
    connection.settings_dict["NAME"] = name
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict["NAME"] = own
        ContentType.objects.clear_cache()  # the keys were those of the other database


@contextmanager
def scratch_database() -> Iterator[None]:
    """Let this process use a new, empty database of the PostgreSQL server, which is dropped afterwards."""
    _drop_abandoned()
    name = PREFIX + secrets.token_hex(6)
    try:
        _execute(f"CREATE DATABASE {name}")
    except Error as error:
        reason = " ".join(str(error).split())
        role = connection.settings_dict.get("USER") or "of this connection"
        raise Refused(
            f"The role {role} cannot create a database to try the archive in: {reason}. As a superuser, run "
            f"ALTER ROLE {role} CREATEDB."
        ) from None
    try:
        with connected_to(name):
            yield
    finally:
        _execute(f"DROP DATABASE {name} WITH (FORCE)")


def _drop_abandoned() -> None:
    """Drop what a killed rehearsal left behind. Databases that somebody is connected to are in use."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT datname FROM pg_database WHERE starts_with(datname, %s)
            AND pg_has_role(datdba, 'USAGE')
            AND NOT EXISTS (SELECT FROM pg_stat_activity WHERE pg_stat_activity.datname = pg_database.datname)
            """,
            [PREFIX],
        )
        for (name,) in cursor.fetchall():
            cursor.execute(f"DROP DATABASE IF EXISTS {connection.ops.quote_name(name)}")


def _execute(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)
