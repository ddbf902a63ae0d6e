"""Runs commands, and reads their output, their errors and the content of all tables."""

import io
import re

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import connection


def output_of(command: str, *arguments) -> list[str]:
    """Return the lines that a command prints, without the time it took."""
    out = io.StringIO()
    call_command(command, *map(str, arguments), stdout=out)
    lines = out.getvalue().splitlines()
    return [line for line in lines if not re.fullmatch(r"Took \d+\.\d s\.", line)]


def refusal(command: str, *arguments) -> str:
    """Return the error message of a command, which must fail and leave every table unchanged."""
    before = tables()
    message = failure(command, *arguments)
    assert tables() == before
    return message


def failure(command: str, *arguments) -> str:
    """Return the error message of a command, which must fail."""
    with pytest.raises(CommandError) as failed:
        call_command(command, *map(str, arguments), stdout=io.StringIO())
    return str(failed.value)


def tables() -> dict[str, list[tuple]]:
    """Return every row of every table of the project. A database of an earlier version lacks tables and columns."""
    existing = connection.introspection.table_names()
    return {model.__name__: _rows(model._meta) for model in all_models() if model._meta.db_table in existing}


def _rows(of) -> list[tuple]:
    table, key = map(connection.ops.quote_name, (of.db_table, of.pk.column))
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM {table} ORDER BY {key}")
        return cursor.fetchall()


def all_models() -> list:
    """Return the models of the project, and those of django-allauth, which describe people too."""
    labels = ("assess", "account", "mfa", "socialaccount")
    models = [model for label in labels for model in apps.get_app_config(label).get_models()]
    return sorted(models, key=lambda model: model.__name__)


def everything() -> str:
    """Return every cell of every table."""
    return "\n".join(str(list(model.objects.values_list())) for model in all_models())
