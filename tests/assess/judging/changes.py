"""Changes that somebody who can write to the database might make: one for each column, row, index and trigger.

Each change is made without the triggers. The database may refuse it: then its own constraints notice it.
"""

import datetime
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from django.core.exceptions import ValidationError
from django.db import DatabaseError, connection, transaction
from django.db.models import Model, UniqueConstraint

from assess.judging.ledger.database import PROTECTED
from assess.models import Member

DELETED, COPIED = "row deleted", "row copied"


class Change(NamedTuple):
    """A change of a table. `what` is a column, or what happens to a row, an index or a trigger."""

    table: str
    what: str
    make: Callable[[], bool]  # returns False if the database refuses it


def changes_of(model: type[Model]) -> Iterator[Change]:
    """Yield the changes of one table."""
    table = model._meta.db_table
    for field in model._meta.concrete_fields:
        yield Change(table, field.column, lambda field=field: change_column(model, field))
    yield Change(table, DELETED, lambda: delete_row(model))
    yield Change(table, COPIED, lambda: copy_row(model))
    yield Change(table, "trigger added", lambda: add_trigger(table))
    for constraint in model._meta.constraints:
        if isinstance(constraint, UniqueConstraint) and is_index(constraint):
            yield Change(
                table, f"{constraint.name} dropped", lambda name=constraint.name: execute(f"DROP INDEX {name}")
            )
    for name in trigger_names(table):
        yield Change(table, f"{name} dropped", lambda name=name: drop_trigger(name, table))
    if model is Member:
        yield Change(table, "user_id exchanged", lambda: exchange(model, "user_id", None))
        yield Change(table, "name exchanged", lambda: exchange(model, "name", "between"))


def all_changes() -> Iterator[Change]:
    for model in PROTECTED:
        yield from changes_of(model)


# ---- rows


def change_column(model: type[Model], field: Any) -> bool:
    """Give the column of one row another value that the database accepts."""
    rows = model._base_manager.order_by("pk")
    values = [(row.pk, getattr(row, field.attname)) for row in rows]
    assert values, f"{model.__name__} has no row"
    pk, value = next(((pk, value) for pk, value in values if value not in (None, "", [], {})), values[0])
    others = [*(each for _, each in values), *_other_values(field, value)]
    candidates = [each for each in others if each != value and type(each) is not type(None)]
    if field.null:
        candidates.append(None)
    return any(_update(model, pk, field.attname, each) for each in candidates if each != value)


def _other_values(field: Any, value: Any) -> list[Any]:
    if field.remote_field:
        return list(field.remote_field.model._base_manager.values_list("pk", flat=True)[:20])
    if isinstance(value, bool) or field.get_internal_type() == "BooleanField":
        return [not value]
    if isinstance(value, int | float):
        return [value + 1, value - 1] if value else [value + 1]
    if isinstance(value, str):
        choices = [each for each, _ in field.choices or ()]
        return [*choices, "0" * len(value), value[:-1], f"{value}x"]
    if isinstance(value, datetime.datetime):
        return [value - datetime.timedelta(hours=1)]
    if isinstance(value, bytes | memoryview):
        return [bytes(len(bytes(value)))]
    if isinstance(value, list):
        return [value[:-1]] if value else [["x"]]
    if isinstance(value, dict):
        first = next(iter(value), "x")
        return [value | {first: "00"}]
    return [uuid.uuid4()] if field.get_internal_type() == "UUIDField" else [1, "x", datetime.datetime.now(datetime.UTC)]


def _update(model: type[Model], pk: Any, name: str, value: Any) -> bool:
    return accepted(lambda: model._base_manager.filter(pk=pk).update(**{name: value}))


def delete_row(model: type[Model]) -> bool:
    row = model._base_manager.order_by("pk")[0]
    return accepted(lambda: model._base_manager.filter(pk=row.pk)._raw_delete("default"))


def copy_row(model: type[Model]) -> bool:
    """Insert a copy of the first row with another key."""
    row = model._base_manager.order_by("pk")[0]
    row.pk = None if model._meta.pk.remote_field is None else _unused(model)
    row._state.adding = True
    return accepted(lambda: row.save_base(raw=True, force_insert=True))


def _unused(model: type[Model]) -> Any:
    """Return the key of a row that the copy can refer to."""
    used = model._base_manager.values("pk")
    return model._meta.pk.remote_field.model._base_manager.exclude(pk__in=used).values_list("pk", flat=True).last()


def exchange(model: type[Model], name: str, between: Any) -> bool:
    """Exchange the values of two rows."""
    rows = model._base_manager.filter(judgements__isnull=False).distinct().order_by("pk")
    (first, a), (second, b), *_ = rows.values_list("pk", name)
    steps = ((first, between), (second, a), (first, b))
    return all(_update(model, pk, name, value) for pk, value in steps)


# ---- the database


def is_index(constraint: UniqueConstraint) -> bool:
    """Whether the constraint is an index of its own, which one statement drops."""
    return constraint.condition is not None


def trigger_names(table: str) -> list[str]:
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(
                "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal AND tgrelid = %s::regclass ORDER BY 1", [table]
            )
        else:
            cursor.execute(
                "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = %s ORDER BY 1", [table]
            )
        return [name for (name,) in cursor.fetchall()]


def add_trigger(table: str) -> bool:
    if connection.vendor != "postgresql":
        return execute(f"CREATE TRIGGER later BEFORE INSERT ON {table} BEGIN SELECT 1; END")
    return execute(f"CREATE TRIGGER later BEFORE INSERT ON {table} FOR EACH ROW EXECUTE FUNCTION ledger_deleted()")


def drop_trigger(name: str, table: str) -> bool:
    return execute(f"DROP TRIGGER {name} ON {table}" if connection.vendor == "postgresql" else f"DROP TRIGGER {name}")


def execute(statement: str) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(statement)
    return True


def accepted(write: Callable[[], object]) -> bool:
    """Write without the triggers. Returns False if the database refuses it, which then changes nothing."""
    try:
        with transaction.atomic(), without_triggers():
            write()
    except (DatabaseError, ValidationError, ValueError, TypeError):  # the last three: the value does not fit
        return False
    return True


@contextmanager
def without_triggers() -> Iterator[None]:
    """Write with no trigger; on PostgreSQL also without the checks of references."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET session_replication_role = replica")
            yield
            cursor.execute("SET session_replication_role = origin")
            return
        cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
        triggers = cursor.fetchall()
        for name, _ in triggers:
            cursor.execute(f"DROP TRIGGER {name}")
        yield
        for _, definition in triggers:
            cursor.execute(definition)


@contextmanager
def undone() -> Iterator[None]:
    """Undo everything that is done inside."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
