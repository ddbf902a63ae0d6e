"""Validates text against the model field that stores it."""

from typing import cast

from django.core.exceptions import ValidationError
from django.db import models

from assess.errors import Refused

MAX_DESCRIPTION = 5_000  # characters
LABELS = {"description": "description for researchers", "assessor_description": "description for assessors"}


def check_field(model: type[models.Model], field: str, text: str) -> None:
    """Refuse text that does not fit the field. PostgreSQL would raise a database error, and SQLite would store it."""
    column = cast("models.Field[str, str]", model._meta.get_field(field))
    if "\0" in text:
        raise Refused(f"The {field} of a {model._meta.verbose_name} cannot contain a NUL character.")
    try:
        column.clean(text, None)
    except ValidationError as error:
        problems = " ".join(error.messages)
        raise Refused(f"{text[:100]!r} is not a valid {field} for a {model._meta.verbose_name}: {problems}") from None


def check_description(field: str, text: str) -> str:
    """Return a description of a collection with its line ends as stored, or refuse it."""
    text = text.replace("\r\n", "\n").strip()
    if len(text) > MAX_DESCRIPTION:
        raise Refused(f"The {LABELS[field]} can have at most {MAX_DESCRIPTION:,} characters, not {len(text):,}.")
    if "\0" in text:
        raise Refused(f"The {LABELS[field]} contains a NUL character.")
    return text
