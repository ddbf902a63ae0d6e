"""Many rows sent to the database at once."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from typing import Any, Protocol, TypeVar

from django.db import Error, connection, transaction
from django.db.models import Field, Model

from assess.lib.long_work import about_to_save

BATCH = 2_000  # rows
SHORT_BATCH = 500  # rows that one transaction changes while assessors wait for it
ATTEMPTS = 3  # to plan without the lock
PAUSE = 0.12  # seconds; a process that waits for SQLite looks at least every 0.1 s

Item = TypeVar("Item")


def batches_by_size(items: Iterable[Item], size: Callable[[Item], int], limit: int) -> Iterator[list[Item]]:
    """Yield the items in batches of BATCH items, or fewer as soon as their sizes reach the limit."""
    batch: list[Item] = []
    total = 0
    for item in items:
        batch.append(item)
        total += size(item)
        if total >= limit or len(batch) == BATCH:
            yield batch
            batch, total = [], 0
    if batch:
        yield batch


def let_others_write() -> None:
    """Wait between two transactions of a long import on SQLite.

    Otherwise the next transaction takes the lock before anybody who waits for it.
    """
    if connection.vendor == "sqlite" and not connection.in_atomic_block:
        time.sleep(PAUSE)


def column_values(model: type[Model], values: Mapping[str, Any]) -> dict[str, Any]:
    """Return values of fields as the database stores them, by the name of the column."""
    stored = {}
    for name, value in values.items():
        field = _field(model, name)
        stored[field.column or name] = field.get_db_prep_save(value, connection)
    return stored


class Plan(Protocol):
    """Everything that a transaction will save."""

    def is_current(self) -> bool:
        """Whether nothing that the plan depends on has changed."""


SomePlan = TypeVar("SomePlan", bound=Plan)


def save_planned(
    make_plan: Callable[[], SomePlan], lock: Callable[[], object], save: Callable[[SomePlan], Item]
) -> Item:
    """Make a plan outside the lock, and save it in a short transaction. If something has changed, plan again."""
    for _ in range(ATTEMPTS):
        plan = make_plan()
        with transaction.atomic():
            lock()
            if plan.is_current():
                about_to_save()
                return save(plan)
    with transaction.atomic():  # others keep changing it, so they wait
        lock()
        about_to_save()
        return save(make_plan())


def reserve_keys(model: type[Model], count: int) -> Sequence[int]:
    """Return primary keys in ascending order that no other row of the model will get.

    So rows that refer to each other are prepared before the transaction that inserts them.
    """
    table = model._meta.db_table
    with transaction.atomic(), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(
                "SELECT nextval(pg_get_serial_sequence(%s, %s)) FROM generate_series(1, %s)",
                [table, model._meta.pk.column, count],
            )
            return sorted(key for (key,) in cursor.fetchall())
        # The documentation of SQLite allows programs to change this table, which has the last key of each table.
        cursor.execute("UPDATE sqlite_sequence SET seq = seq + %s WHERE name = %s", [count, table])
        if not cursor.rowcount:
            cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [table, count])
        cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [table])
        last = int(cursor.fetchone()[0])
    return range(last - count + 1, last + 1)


@contextmanager
def temporary_tables() -> Iterator[None]:
    """Run a transaction that writes only to temporary tables. On SQLite, it does not lock the database."""
    if connection.vendor != "sqlite" or connection.in_atomic_block:
        with transaction.atomic():
            yield
        return
    # Not atomic(), which begins with the lock.
    with connection.cursor() as cursor:
        cursor.execute("BEGIN DEFERRED")
        try:
            yield
        except BaseException:
            with suppress(Error):  # a full disk has already ended the transaction
                cursor.execute("ROLLBACK")
            raise
        cursor.execute("COMMIT")


def insert_rows(model: type[Model], columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Insert rows of stored values, in the order of the columns.

    `bulk_create` prepares each value of each row, which takes several times longer than the database needs. This is for
    imports, whose rows have most values in common.
    """
    insert_into(model._meta.db_table, columns, rows)


def insert_into(table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Insert rows of stored values into a table, which may be a temporary one."""
    quote = connection.ops.quote_name
    names, values = ", ".join(map(quote, columns)), ", ".join(["%s"] * len(columns))
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            _copy_rows(cursor, f"COPY {quote(table)} ({names}) FROM STDIN", rows)
            return
        remaining = iter(rows)
        while batch := list(islice(remaining, BATCH)):
            cursor.executemany(f"INSERT INTO {quote(table)} ({names}) VALUES ({values})", batch)  # noqa: S608 - only names


def _copy_rows(cursor: Any, statement: str, rows: Iterable[Sequence[Any]]) -> None:
    """Insert rows with COPY, which is several times faster than an INSERT for each row."""
    # Django wraps the errors of its cursors, but not those of `copy`; callers handle Django's.
    with connection.wrap_database_errors, cursor.copy(statement) as copy:
        for row in rows:
            copy.write_row(row)


def _field(model: type[Model], name: str) -> "Field[Any, Any]":
    field: Field[Any, Any] = model._meta.get_field(name)  # type: ignore[assignment]
    return field
