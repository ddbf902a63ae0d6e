"""The scale of a collection: its grades, lowest first."""

import re
from collections.abc import Sequence

from django.db import transaction

from assess.errors import Refused
from assess.models import Collection, Grade, Judgement

BINARY_GRADES = ("0=Not relevant", "1=Relevant")
GRADE = re.compile(r"([0-9])=\s*([^:\s][^:]{0,59}?)(?:\s+#([^:\s]*))?\s*(?::(.{0,300}))?")
RGB = re.compile(r"[0-9a-f]{6}")


@transaction.atomic
def set_scale(collection: Collection, grades: Sequence[str]) -> None:
    """Declare the grades of a collection. The scale freezes at the first judgement.

    Each grade is written `value=name`, with an optional colour and an optional meaning: `value=name #rrggbb:meaning`.
    """
    if Judgement.objects.filter(task__topic__collection=collection).exists():
        raise Refused(f"The scale of {collection} is frozen because {collection} has judgements.")
    scale = [_parse_grade(collection, text) for text in grades]
    values = {grade.value for grade in scale}
    if len(values) < 2 or len(values) < len(scale):
        given = ", ".join(grades) or "no grades"
        raise Refused(f"A scale needs 2 to 10 grades with different values from 0 to 9, not {given}.")
    collection.grades.all().delete()
    Grade.objects.bulk_create(scale)


def _parse_grade(collection: Collection, text: str) -> Grade:
    parts = GRADE.fullmatch(text.strip())
    if not parts:
        raise Refused(f"Invalid grade {text!r}. Write value=name or value=name:meaning, with a value from 0 to 9.")
    value, name, rgb, meaning = parts.groups()
    return Grade(
        collection=collection,
        value=int(value),
        name=name,
        meaning=(meaning or "").strip(),
        colour="" if rgb is None else _parse_colour(text, rgb.lower()),
    )


def _parse_colour(grade: str, rgb: str) -> str:
    if not RGB.fullmatch(rgb):
        raise Refused(f"Invalid colour '#{rgb}' in grade {grade!r}. Write #rrggbb after the name, such as #35739b.")
    return f"#{rgb}"


def scale_of(collection: Collection) -> tuple[int, ...]:
    """Return the values of the declared grades, lowest first."""
    return tuple(collection.grades.values_list("value", flat=True))


def check_threshold(collection: Collection, rel: int) -> None:
    """Refuse a relevance threshold that is not a grade above the lowest one.

    With any other threshold, either every document or no document would be relevant.
    """
    allowed = scale_of(collection)[1:]
    if rel not in allowed:
        raise Refused(f"The relevance threshold must be one of {', '.join(map(str, allowed))}, not {rel}.")


def lowest_relevant_grade(collection: Collection) -> int:
    """Return the second-lowest grade of the scale, which is the default relevance threshold."""
    return scale_of(collection)[1]
