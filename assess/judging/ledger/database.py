"""What the database itself enforces: the triggers and the constraints of the tables that the ledger protects.

The triggers are compared with those of the migration that creates them, and the constraints with those of the models.
"""

import re
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from django.db import connection
from django.db.models import Model

from assess.models import (
    Assignment,
    Assistance,
    AuditEvent,
    Checkpoint,
    Document,
    DocumentContent,
    Grade,
    Guidelines,
    Judgement,
    JudgementEvent,
    MarginalAnswer,
    Member,
    PoolBuilding,
    PoolChange,
    Provenance,
    ReplacedText,
    SampledTask,
    Task,
    Tombstone,
    Topic,
    TopicFeedback,
    TopicSample,
)

PROTECTED: tuple[type[Model], ...] = (
    *(JudgementEvent, Judgement, MarginalAnswer, Assistance, Checkpoint, Tombstone, AuditEvent, Member, Task),
    *(Assignment, Provenance, PoolBuilding, PoolChange, TopicSample, SampledTask, TopicFeedback),
    *(Topic, Document, DocumentContent, ReplacedText, Grade, Guidelines),
)
FUNCTION = re.compile(r"CREATE FUNCTION (\w+)\(\)[^$]*\$\$(.*?)\$\$", re.DOTALL)
CONSTRAINT = re.compile(r'CONSTRAINT "(\w+)"')
TRIGGER = re.compile(r"CREATE TRIGGER (\w+) [^;]*;")


def database_problems() -> Iterator[str]:
    """Yield one sentence for each trigger and each constraint that is not as the site made it."""
    yield from _trigger_problems()
    yield from _constraint_problems()


def _trigger_problems() -> Iterator[str]:
    expected = _expected_on_postgresql() if connection.vendor == "postgresql" else _expected_on_sqlite()
    existing = _existing()
    for name, definition in expected.items():
        if name not in existing:
            yield f"The database is unprotected: the trigger {name} is missing or disabled."
        elif existing[name] != definition:
            yield f"The database is unprotected: the trigger {name} was changed."
    for name in sorted(existing.keys() - expected.keys()):
        yield f"The trigger {name} was added to the database. Assay does not know what it changes."


def _constraint_problems() -> Iterator[str]:
    for model in PROTECTED:
        table = model._meta.db_table
        existing = _constraints_of(table)
        for constraint in model._meta.constraints:
            if constraint.name not in existing:
                yield f"The database is unprotected: the constraint {constraint.name} of {table} is missing."


def _constraints_of(table: str) -> set[str]:
    """The names of the constraints and of the unique indexes of a table."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(
                "SELECT conname FROM pg_constraint WHERE conrelid = %s::regclass AND convalidated UNION "
                "SELECT indexrelid::regclass::text FROM pg_index WHERE indrelid = %s::regclass AND indisunique",
                [table, table],
            )
            return {name for (name,) in cursor.fetchall()}
        # SQLite keeps constraints in the definition of the table, and those with a condition as indexes.
        cursor.execute("SELECT name, sql FROM sqlite_master WHERE tbl_name = %s AND type <> 'trigger'", [table])
        rows = cursor.fetchall()
    return {name for name, _ in rows} | {name for _, sql in rows for name in CONSTRAINT.findall(sql or "")}


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
