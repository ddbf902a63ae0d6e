"""Validates text against the model field that stores it."""

from typing import cast

from django.core.exceptions import ValidationError
from django.db import models

from assess.errors import Refused


def check_field(model: type[models.Model], field: str, text: str) -> None:
    """Refuse text that does not fit the field. PostgreSQL would raise a database error, and SQLite would store it."""
    column = cast("models.Field[str, str]", model._meta.get_field(field))
    try:
        column.clean(text, None)
    except ValidationError as error:
        problems = " ".join(error.messages)
        raise Refused(f"{text[:100]!r} is not a valid {field} for a {model._meta.verbose_name}: {problems}") from None
