"""Compares the triggers that protect the ledger and the audit log with those of the migrations."""

import re
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from django.db import connection

FUNCTION = re.compile(r"CREATE (?:OR REPLACE )?FUNCTION (\w+)\(\)[^$]*\$\$(.*?)\$\$", re.DOTALL)
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


def _migration(name: str) -> Any:
    return import_module(f"assess.migrations.{name}")


def _expected_on_sqlite() -> dict[str, str]:
    scale, chain, log = map(_migration, ("0002_judgement_on_scale", "0017_chain", "0018_people"))
    statements = [
        *(scale.SQLITE.format(verb=verb, fits=scale.FITS, refusal=scale.REFUSAL) for verb in ("INSERT", "UPDATE")),
        *(chain.sqlite_trigger(*trigger) for trigger in chain.SQLITE),
        *(log.sqlite_trigger(*trigger) for trigger in log.SQLITE),
    ]
    return {statement.split()[2]: _in_one_line(statement) for statement in statements}


def _expected_on_postgresql() -> dict[str, str]:
    scale, ledger, chain, log = map(
        _migration, ("0002_judgement_on_scale", "0006_append_only_ledger", "0017_chain", "0018_people")
    )
    sources = [scale.POSTGRESQL, ledger.POSTGRESQL, chain.CHANGED_FUNCTION, log.POSTGRESQL]  # later functions replace
    functions = {name: body for source in sources for name, body in FUNCTION.findall(source)}
    triggers = {match[1]: match[0] for source in sources for match in TRIGGER.finditer(source)}
    return {name: _with_function(definition, functions) for name, definition in triggers.items()}


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
