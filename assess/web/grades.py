"""Grades as pages show them."""

from collections.abc import Sequence
from typing import Any

from assess.collections.colours import colour_pair
from assess.collections.scale import GradeSpec
from assess.models import Grade

LAST_TONE = 3  # the stylesheet has tones 0 to 3, pale to deep


def grade_buttons(grades: Sequence[Grade | GradeSpec]) -> list[dict[str, Any]]:
    """Return the grades with tones from pale to deep spread over the scale.

    `colour` is a CSS colour for both themes, or empty.
    """
    steps = max(len(grades) - 1, 1)
    return [
        {
            "value": grade.value,
            "name": grade.name,
            "meaning": grade.meaning,
            "colour": css_colour(grade.colour),
            "tone": round(LAST_TONE * position / steps),
        }
        for position, grade in enumerate(grades)
    ]


def css_colour(colour: str) -> str:
    """Return the CSS colour that is visible in both themes; empty for no colour."""
    return "light-dark({}, {})".format(*colour_pair(colour)) if colour else ""
