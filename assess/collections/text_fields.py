"""Validates text against the model field that stores it."""

from django.core.exceptions import ValidationError

from assess.errors import Refused


def check_field(model, field: str, text: str) -> None:
    """Refuse with a sentence what PostgreSQL would refuse with an error, and SQLite not at all."""
    try:
        model._meta.get_field(field).clean(text, None)
    except ValidationError as error:
        shown, whose = repr(text[:100]), model._meta.verbose_name
        raise Refused(f"{shown} cannot be the {field} of a {whose}: {' '.join(error.messages)}") from None
