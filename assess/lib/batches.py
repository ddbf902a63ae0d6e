"""Many rows sent to the database at once."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from django.db import connection
from django.db.models import Field, Model

BATCH = 2_000  # rows


def column_values(model: type[Model], values: Mapping[str, Any]) -> dict[str, Any]:
    """Return values of fields as the database stores them, by the name of the column."""
    stored = {}
    for name, value in values.items():
        field = _field(model, name)
        stored[field.column or name] = field.get_db_prep_save(value, connection)
    return stored


def insert_rows(model: type[Model], columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Insert rows of stored values, in the order of the columns.

    `bulk_create` prepares each value of each row, which takes several times longer than the database needs. This is for
    imports, whose rows have most values in common.
    """
    quote = connection.ops.quote_name
    names, values = ", ".join(map(quote, columns)), ", ".join(["%s"] * len(columns))
    statement = f"INSERT INTO {quote(model._meta.db_table)} ({names}) VALUES ({values})"  # noqa: S608 - only names
    remaining = iter(rows)
    with connection.cursor() as cursor:
        while batch := list(islice(remaining, BATCH)):
            cursor.executemany(statement, batch)


def _field(model: type[Model], name: str) -> "Field[Any, Any]":
    field: Field[Any, Any] = model._meta.get_field(name)  # type: ignore[assignment]
    return field
