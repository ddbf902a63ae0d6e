"""Compares the triggers that protect the ledger and the audit log with those of the migration that creates them."""

import re
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from django.db import connection

FUNCTION = re.compile(r"CREATE FUNCTION (\w+)\(\)[^$]*\$\$(.*?)\$\$", re.DOTALL)
TRIGGER = re.compile(r"CREATE TRIGGER (\w+) [^;]*;")


def trigger_problems() -> Iterator[str]:
    """Yield one sentence for each trigger that is missing, disabled or changed."""
    expected = _expected_on_postgresql() if connection.vendor == "postgresql" else _expected_on_sqlite()
    existing = _existing()
    for name, definition in expected.items():
        if name not in existing:
            yield f"The database is unprotected: the trigger {name} is missing or disabled."
        elif existing[name] != definition:
            yield f"The database is unprotected: the trigger {name} was changed."


def _expected_on_sqlite() -> dict[str, str]:
    return {statement.split()[2]: _in_one_line(statement) for statement in _migration().SQLITE}


def _expected_on_postgresql() -> dict[str, str]:
    source = _migration().POSTGRESQL
    functions = dict(FUNCTION.findall(source))
    return {match[1]: _with_function(match[0], functions) for match in TRIGGER.finditer(source)}


def _migration() -> Any:
    return import_module("assess.migrations.0002_triggers")


def _with_function(definition: str, functions: dict[str, str]) -> str:
    definition = _in_one_line(definition.rstrip(";"))
    name = definition.split()[-1].removesuffix("()")
    return f"{definition} {_in_one_line(functions[name])}"


def _existing() -> dict[str, str]:
    """Return the definitions of the triggers; on PostgreSQL of those that are enabled, with their functions."""
    with connection.cursor() as cursor:
        if connection.vendor != "postgresql":
            cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
            return {name: _in_one_line(sql) for name, sql in cursor.fetchall()}
        cursor.execute(
            "SELECT tgname, pg_get_triggerdef(pg_trigger.oid), prosrc FROM pg_trigger "
            "JOIN pg_proc ON pg_proc.oid = tgfoid WHERE NOT tgisinternal AND tgenabled IN ('O', 'A')"
        )
        return {name: f"{_plain(definition)} {_in_one_line(body)}" for name, definition, body in cursor.fetchall()}


def _plain(definition: str) -> str:
    """Return PostgreSQL's definition as the migrations write it."""
    return re.sub(r" ON \w+\.", " ON ", _in_one_line(definition)).replace(" FOR EACH STATEMENT", "")


def _in_one_line(text: str) -> str:
    return " ".join(text.split())
