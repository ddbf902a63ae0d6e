"""Locked, full and unreachable databases, on SQLite and on PostgreSQL."""

import sqlite3
from contextlib import closing, contextmanager

from django.db import connection

CLOSED_PORT = 1  # nothing listens on it


@contextmanager
def locked_database():
    """Another connection holds a lock that every judgement needs."""
    if connection.vendor == "sqlite":
        with closing(sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            yield
        return
    with _other_connection() as other:
        other.execute("LOCK TABLE assess_judgement IN ACCESS EXCLUSIVE MODE")
        yield
        other.rollback()


@contextmanager
def changed_connection(**values):
    """New connections use these settings; the present ones are closed, before and after."""
    kept = {name: connection.settings_dict[name] for name in values}
    connection.close()
    connection.settings_dict.update(values)
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict.update(kept)


def _other_connection():
    import psycopg

    parameters = connection.get_connection_params()
    names = ("host", "port", "user", "password", "dbname")
    return psycopg.connect(**{name: parameters[name] for name in names if name in parameters})


def unreachable_database():
    """The directory of the SQLite database does not exist; nothing listens on PostgreSQL's port."""
    if connection.vendor == "sqlite":
        return changed_connection(NAME="/no/such/directory/assay.sqlite3")
    return changed_connection(PORT=CLOSED_PORT)


def impatient_connections(milliseconds: int = 100):
    """New connections wait only shortly for a lock."""
    options = connection.settings_dict["OPTIONS"]
    if connection.vendor == "sqlite":
        return changed_connection(OPTIONS=options | {"timeout": milliseconds / 1000})
    return changed_connection(OPTIONS=options | {"options": f"-c lock_timeout={milliseconds}"})
