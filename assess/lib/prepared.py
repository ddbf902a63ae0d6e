"""Statements that are composed once, and sent with other values ever after.

Composing a query takes Django many times as long as the database takes to answer it. What every request asks is
therefore written as any other queryset, with a `Given` in the place of each value that changes:

    OWN = Composed(lambda: Topic.objects.filter(pk=Given("pk"), collection=Given("collection")))
    OWN.rows(pk=3, collection=1)

What every judgement writes is one row of a model: `Insert` and `Update` do what its `save` would.
"""

import threading
from collections.abc import Callable

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import Expression, Field, Model, QuerySet


class Given(Expression):
    """A value, never None, that is known when the query is asked; with its field where the database keeps it in a form
    of its own."""

    def __init__(self, name: str, field: Field | None = None):
        super().__init__(output_field=field)
        self.name = name

    def as_sql(self, _compiler, _connection):
        return "%s", [self]  # keeps its place among the parameters

    def among(self, values: dict, connection):
        value = values[self.name]
        return self.output_field.get_db_prep_value(value, connection) if self._output_field_or_none else value


class Composed:
    """A queryset of models, of `values` or of `values_list`, composed when a thread first asks it."""

    def __init__(self, compose: Callable[[], QuerySet]):
        self._compose = compose
        self._of_thread = threading.local()  # as Django's connections are

    def rows(self, **values) -> list:
        """What the queryset finds for these values."""
        if not hasattr(self._of_thread, "ready"):
            self._of_thread.ready = _Ready(self._compose())
        return self._of_thread.ready.rows(values)

    def first(self, **values):
        """The first row, or None."""
        return next(iter(self.rows(**values)), None)


class _Ready:
    """A queryset whose compiler has its SQL already: composing it again gives the same, with the values of now."""

    def __init__(self, queryset: QuerySet):
        self._queryset = queryset
        self._connection = connections[queryset.db]
        compiler = queryset.query.get_compiler(queryset.db)
        self._sql, self._parameters = compiler.as_sql()
        self._converters = compiler.get_converters([column for column, *_ in compiler.select[: compiler.col_count]])
        compiler.as_sql = self._as_sql
        compiler.get_converters = lambda _columns: self._converters
        queryset.query.get_compiler = lambda *_, **__: compiler

    def rows(self, values: dict) -> list:
        self._values = values
        return list(self._queryset._iterable_class(self._queryset))

    def _as_sql(self, *_, **__) -> tuple[str, tuple]:
        told = (
            each.among(self._values, self._connection) if isinstance(each, Given) else each for each in self._parameters
        )
        return self._sql, tuple(told)


class Insert:
    """Saves new instances of a model, one at a time, and gives them their keys."""

    def __init__(self, model: type[Model]):
        self._fields = [field for field in model._meta.local_concrete_fields if not field.primary_key]
        columns = ", ".join(f'"{field.column}"' for field in self._fields)
        places = ", ".join(["%s"] * len(self._fields))
        key = model._meta.pk.column
        self._sql = f'INSERT INTO "{model._meta.db_table}" ({columns}) VALUES ({places}) RETURNING "{key}"'  # noqa: S608 - names of the model's own

    def __call__(self, instance: Model) -> None:
        connection = connections[DEFAULT_DB_ALIAS]
        told = [field.get_db_prep_save(field.pre_save(instance, True), connection) for field in self._fields]
        with connection.cursor() as cursor:
            cursor.execute(self._sql, told)
            (instance.pk,) = cursor.fetchone()
        instance._state.adding, instance._state.db = False, DEFAULT_DB_ALIAS


class Update:
    """Saves some fields of instances of a model that the caller has locked."""

    def __init__(self, model: type[Model], *names: str):
        self._fields = [model._meta.get_field(name) for name in names]
        columns = ", ".join(f'"{field.column}" = %s' for field in self._fields)
        self._sql = f'UPDATE "{model._meta.db_table}" SET {columns} WHERE "{model._meta.pk.column}" = %s'  # noqa: S608 - names of the model's own

    def __call__(self, instance: Model) -> None:
        connection = connections[DEFAULT_DB_ALIAS]
        told = [field.get_db_prep_save(field.pre_save(instance, False), connection) for field in self._fields]
        with connection.cursor() as cursor:
            cursor.execute(self._sql, [*told, instance.pk])
