"""Scales that many test collections use, to start from."""

from dataclasses import dataclass

from assess.collections.scale import GradeSpec
from assess.errors import Refused


@dataclass(frozen=True)
class ScaleTemplate:
    """A scale with a `label` for the page."""

    label: str
    grades: tuple[GradeSpec, ...]


SCALE_TEMPLATES = {
    "binary": ScaleTemplate(
        "Binary: not relevant, relevant",
        (
            GradeSpec(0, "Not relevant", "does not help with the need", "#4f5561"),
            GradeSpec(1, "Relevant", "answers at least a part of the need", "#22663b"),
        ),
    ),
    "trec": ScaleTemplate(
        "TREC, 0 to 2: not relevant, relevant, highly relevant",
        (
            GradeSpec(0, "Not relevant", "does not help with the need", "#4f5561"),
            GradeSpec(1, "Relevant", "has some information on the need", "#35739b"),
            GradeSpec(2, "Highly relevant", "is about the need and treats it in depth", "#22663b"),
        ),
    ),
    "dl": ScaleTemplate(
        "Deep learning, 0 to 3: irrelevant, related, highly relevant, perfect",
        (
            GradeSpec(0, "Irrelevant", "has nothing to do with the query", "#4f5561"),
            GradeSpec(1, "Related", "is on the subject and does not answer the query", "#8a6410"),
            GradeSpec(2, "Highly relevant", "has an answer, which is unclear or between other information", "#35739b"),
            GradeSpec(3, "Perfectly relevant", "is about the query and has the exact answer", "#22663b"),
        ),
    ),
}


def scale_template(name: str) -> tuple[GradeSpec, ...]:
    """Return the grades of a template."""
    if name not in SCALE_TEMPLATES:
        raise Refused(f"There is no scale {name!r}; the templates are {', '.join(SCALE_TEMPLATES)}.")
    return SCALE_TEMPLATES[name].grades
