"""The scale of a collection: its grades, lowest first. `SCALE_TEMPLATES` are scales that many test collections use."""

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from django.db import transaction

from assess import audit
from assess.collections.archive import lock_active
from assess.errors import Refused
from assess.models import Action, Collection, Grade, Judgement, User
from pooling.choices import MAX_GRADES, MIN_GRADES
from pooling.errors import shown
from pooling.palette import GRADES

MAX_NAME = Grade._meta.get_field("name").max_length or 0
MAX_MEANING = Grade._meta.get_field("meaning").max_length or 0

BINARY_GRADES = ("0=Not relevant", "1=Relevant")
GRADE = re.compile(r"([0-9])=\s*([^:\s][^:]{0,59}?)(?:\s+#([^:\s]*))?\s*(?::(.{0,300}))?")
RGB = re.compile(r"[0-9a-f]{6}")


@dataclass(frozen=True)
class GradeSpec:
    """A grade to declare. `colour` is #rrggbb, or empty."""

    value: int
    name: str
    meaning: str = ""
    colour: str = ""


def set_scale(collection: Collection, grades: Sequence[str]) -> None:
    """Declare the grades of a collection. The scale freezes at the first judgement.

    Each grade is written `value=name`, with an optional colour and an optional meaning: `value=name #rrggbb:meaning`.
    """
    set_grades(collection, [parse_grade(text) for text in grades])


@transaction.atomic
def set_grades(collection: Collection, grades: Sequence[GradeSpec], actor: User | None = None) -> None:
    """Declare the grades of a collection. The scale freezes at the first judgement.

    A change of an existing scale is recorded in the audit log, with its `actor`.
    """
    lock_active(collection)
    if is_frozen(collection):
        raise Refused(f"The scale of {collection} is frozen because {collection} has judgements.")
    check_grades(grades)
    if collection.grades.all().delete()[0]:
        audit.record(Action.COLLECTION_CHANGED, actor=actor, collection=collection, details={"fields": ["scale"]})
    Grade.objects.bulk_create(Grade(collection=collection, **asdict(grade)) for grade in grades)


def is_frozen(collection: Collection) -> bool:
    """Whether the scale cannot be changed any more."""
    return Judgement.objects.filter(task__topic__collection=collection).exists()


def check_grades(grades: Sequence[GradeSpec]) -> None:
    """Refuse what is not a scale."""
    for grade in grades:
        _check_grade(grade)
    values = {grade.value for grade in grades}
    if not MIN_GRADES <= len(values) == len(grades):
        given = ", ".join(f"{grade.value}={grade.name}" for grade in grades) or "no grades"
        raise Refused(
            f"A scale needs {MIN_GRADES} to {MAX_GRADES} grades with different values from 0 to 9, not {given}."
        )


def _check_grade(grade: GradeSpec) -> None:
    if not 0 <= grade.value < MAX_GRADES:
        raise Refused(f"The value of a grade must be from 0 to 9, not {grade.value}.")
    for label, text, allowed in (("name", grade.name, MAX_NAME), ("meaning", grade.meaning, MAX_MEANING)):
        if len(text) > allowed:
            raise Refused(
                f"The {label} of grade {grade.value} can have at most {allowed} characters, not {len(text):,}."
            )
        if not text.isprintable():
            raise Refused(f"The {label} of grade {grade.value} must be one line of printable characters.")
    if not grade.name.strip():
        raise Refused(f"Grade {grade.value} needs a name.")
    if grade.colour and not RGB.fullmatch(grade.colour.removeprefix("#")):
        raise Refused(f"The colour of grade {grade.value} must be written #rrggbb, not {shown(grade.colour)}.")


def parse_grade(text: str) -> GradeSpec:
    """Return the grade that is written `value=name #rrggbb:meaning`."""
    parts = GRADE.fullmatch(text.strip())
    if not parts:
        raise Refused(f"Invalid grade {text!r}. Write value=name or value=name:meaning, with a value from 0 to 9.")
    value, name, rgb, meaning = parts.groups()
    colour = "" if rgb is None else _parse_colour(text, rgb.lower())
    return GradeSpec(int(value), name, (meaning or "").strip(), colour)


def grades_of(collection: Collection) -> list[GradeSpec]:
    """Return the declared grades, lowest first."""
    return [GradeSpec(*row) for row in collection.grades.values_list("value", "name", "meaning", "colour")]


def _parse_colour(grade: str, rgb: str) -> str:
    if not RGB.fullmatch(rgb):
        raise Refused(
            f"Invalid colour '#{rgb}' in grade {grade!r}. Write #rrggbb after the name, such as {GRADES['blue']}."
        )
    return f"#{rgb}"


def scale_of(collection: Collection) -> tuple[int, ...]:
    """Return the values of the declared grades, lowest first."""
    return tuple(grade.value for grade in collection.grades.all())  # without a query where a page has prefetched them


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


@dataclass(frozen=True)
class ScaleTemplate:
    """A scale with a `label` for the page."""

    label: str
    grades: tuple[GradeSpec, ...]


SCALE_TEMPLATES = {
    "binary": ScaleTemplate(
        "Binary: not relevant, relevant",
        (
            GradeSpec(0, "Not relevant", "does not help with the need", GRADES["grey"]),
            GradeSpec(1, "Relevant", "answers at least a part of the need", GRADES["green"]),
        ),
    ),
    "trec": ScaleTemplate(
        "TREC, 0 to 2: not relevant, relevant, highly relevant",
        (
            GradeSpec(0, "Not relevant", "does not help with the need", GRADES["grey"]),
            GradeSpec(1, "Relevant", "has some information on the need", GRADES["blue"]),
            GradeSpec(2, "Highly relevant", "is about the need and treats it in depth", GRADES["green"]),
        ),
    ),
    "dl": ScaleTemplate(
        "Deep learning, 0 to 3: irrelevant, related, highly relevant, perfect",
        (
            GradeSpec(0, "Irrelevant", "has nothing to do with the query", GRADES["grey"]),
            GradeSpec(1, "Related", "is on the subject and does not answer the query", GRADES["yellow"]),
            GradeSpec(
                2, "Highly relevant", "has an answer, which is unclear or between other information", GRADES["blue"]
            ),
            GradeSpec(3, "Perfectly relevant", "is about the query and has the exact answer", GRADES["green"]),
        ),
    ),
}


def scale_template(name: str) -> tuple[GradeSpec, ...]:
    """Return the grades of a template."""
    if name not in SCALE_TEMPLATES:
        raise Refused(f"There is no scale {name!r}; the templates are {', '.join(SCALE_TEMPLATES)}.")
    return SCALE_TEMPLATES[name].grades
