"""A researcher's shell: what a command tells or refuses, and everything that the tables hold."""

import io
import re

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command


def output_of(command: str, *words) -> list[str]:
    """The lines that a command tells, without the time it took."""
    out = io.StringIO()
    call_command(command, *map(str, words), stdout=out)
    lines = out.getvalue().splitlines()
    return [line for line in lines if not re.fullmatch(r"Took \d+\.\d s\.", line)]


def refusal(command: str, *words) -> str:
    """The sentence with which a command refuses; it must refuse, and leave every table as it was."""
    before = tables()
    with pytest.raises(CommandError) as refused:
        call_command(command, *map(str, words), stdout=io.StringIO())
    assert tables() == before
    return str(refused.value)


def tables() -> dict[str, list[tuple]]:
    """Every row of every table of the project."""
    return {model.__name__: list(model.objects.order_by("pk").values_list()) for model in all_models()}


def all_models() -> list:
    return sorted(apps.get_app_config("assess").get_models(), key=lambda model: model.__name__)
