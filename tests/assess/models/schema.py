"""The tables, constraints, indexes and triggers of the connected database, in a form that can be compared."""

import re
from typing import Any

from django.db import connection

# What PostgreSQL knows of each: a name and its definition.
POSTGRESQL = {
    "column": "SELECT table_name || '.' || column_name, concat_ws(' ', data_type, character_maximum_length,"
    " is_nullable, column_default, identity_generation) FROM information_schema.columns WHERE table_schema = 'public'",
    "constraint": "SELECT conrelid::regclass || '.' || conname, pg_get_constraintdef(oid) FROM pg_constraint"
    " WHERE connamespace = 'public'::regnamespace",
    "index": "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'",
    "trigger": "SELECT tgname, pg_get_triggerdef(pg_trigger.oid) || prosrc FROM pg_trigger"
    " JOIN pg_proc ON pg_proc.oid = tgfoid WHERE NOT tgisinternal",
    "sequence": "SELECT sequencename, data_type FROM pg_sequences WHERE schemaname = 'public'",
}


def schema() -> dict[str, Any]:
    """Return the definition of everything by its kind and name. The order of columns does not matter."""
    if connection.vendor == "postgresql":
        return {
            f"{kind} {name}": _plain(definition)
            for kind, statement in POSTGRESQL.items()
            for name, definition in _rows(statement)
        }
    # An index of documents is made when somebody asks for it, and stays after the test that made it.
    chosen = "sql IS NOT NULL AND name <> 'sqlite_sequence' AND name NOT GLOB 'assess_search_*'"
    rows = _rows(f"SELECT type, name, sql FROM sqlite_master WHERE {chosen}")
    return {f"{kind} {name}": _columns(sql) if kind == "table" else " ".join(sql.split()) for kind, name, sql in rows}


def _rows(statement: str) -> list[tuple]:
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return cursor.fetchall()


def _plain(definition: str) -> str:
    """Return PostgreSQL's definition without casts, brackets and spaces, which differ after a dump is loaded."""
    return re.sub(r"::(character varying|\w+)(\[\])?|[()\s]", "", definition)


def _columns(sql: str) -> list[str]:
    """Return the columns and constraints of a CREATE TABLE statement, sorted."""
    parts, depth = [""], 0
    for character in sql[sql.index("(") + 1 : sql.rindex(")")]:
        depth += {"(": 1, ")": -1}.get(character, 0)
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return sorted(" ".join(part.split()) for part in parts)
