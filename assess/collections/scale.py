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
    """Declare the grades, each `value=name`, `value=name:meaning` or `value=name #rrggbb:meaning`, with its colour.

    The scale freezes at the first judgement.
    """
    if Judgement.objects.filter(task__topic__collection=collection).exists():
        raise Refused(f"{collection} has judgements; its scale is frozen since the first of them.")
    scale = [_grade(collection, text) for text in grades]
    values = {grade.value for grade in scale}
    if len(values) < 2 or len(values) < len(scale):
        came = ", ".join(grades) or "none"
        raise Refused(f"The grades {came} make no scale; give 2 to 10 different values from 0 to 9.")
    collection.grades.all().delete()
    Grade.objects.bulk_create(scale)


def _grade(collection: Collection, text: str) -> Grade:
    parts = GRADE.fullmatch(text.strip())
    if not parts:
        raise Refused(f"{text!r} is not a grade; write value=name or value=name:meaning, the value from 0 to 9.")
    value, name, digits, meaning = parts.groups()
    return Grade(
        collection=collection,
        value=int(value),
        name=name,
        meaning=(meaning or "").strip(),
        colour="" if digits is None else _colour(text, digits.lower()),
    )


def _colour(text: str, digits: str) -> str:
    if not RGB.fullmatch(digits):
        raise Refused(f"'#{digits}' of {text!r} is not a colour; write #rrggbb, such as #35739b, behind the name.")
    return f"#{digits}"


def scale_of(collection: Collection) -> tuple[int, ...]:
    """The declared grades, in order."""
    return tuple(collection.grades.values_list("value", flat=True))


def check_threshold(collection: Collection, rel: int) -> None:
    """Refuse a grade from which on every document of the scale would be relevant, or none."""
    above = scale_of(collection)[1:]
    if rel not in above:
        raise Refused(f"Relevant from grade {rel} cuts nothing; it is one of {', '.join(map(str, above))}.")


def lowest_relevant_grade(collection: Collection) -> int:
    """The lowest grade above the scale's bottom: what counts as relevant unless asked otherwise."""
    return scale_of(collection)[1]
