"""One label becomes one grade, or nothing. `agreement.judge_files` lists the steps and their reasons."""

from typing import NamedTuple

import numpy as np

from agreement.judge_files.options import LabelOptions
from pooling.errors import shown
from pooling.trec import INTEGER, ROUNDINGS, parse_score

LARGEST = 2**31 - 1


class Outcome(NamedTuple):
    """What became of a label: its grade (None if there is none), the steps that changed it, and the problem."""

    grade: int | None
    steps: frozenset[str] = frozenset()
    problem: tuple[str, str] | None = None  # what is wrong, and what is allowed


def outcome_of(label: str, options: LabelOptions) -> Outcome:
    """The grade of a label under the options."""
    steps: set[str] = set()
    try:
        if label in options.mapping:  # its keys are grades, and labels that are not numbers
            steps.add("mapped")
            mapped = options.mapping[label]
            return Outcome(_on_any_scale(mapped, options, steps), frozenset(steps))
        grade = _graded(_whole_number(label, options, steps), options, steps)
    except _LabelError as problem:
        return Outcome(None, frozenset(steps), problem.parts)
    return Outcome(grade, frozenset(steps))


class _LabelError(Exception):
    def __init__(self, what: str, allowed: str) -> None:
        super().__init__(what)
        self.parts = what, allowed


def _whole_number(label: str, options: LabelOptions, steps: set[str]) -> int:
    label = _number_at_the_end(label)
    value = parse_score(label, "float64")
    if value is None or abs(value) > LARGEST:
        allowed = "a label is a decimal number of at most 32 bits"
        if not _is_number(label):
            allowed += ", or map it to a grade, such as Relevant=1"
        raise _LabelError(f"label {shown(label)} is not allowed", allowed)
    if INTEGER.fullmatch(label):
        return int(label)
    if value.is_integer() and (options.decimals == "whole" or options.rounding):
        steps.add("decimals")
        return int(value)
    if value.is_integer():
        raise _LabelError(
            f"label {shown(label)} is written with decimals",
            f"a grade is a whole number, or set 'decimals' to 'whole' to read it as {int(value)}",
        )
    if options.rounding is None:
        raise _LabelError(
            f"label {shown(label)} is a fraction",
            "a grade is a whole number, or set 'rounding' to 'half_up', 'up' or 'down'",
        )
    steps.add("rounded")
    return int(ROUNDINGS[options.rounding](np.array([value]))[0])


def _is_number(label: str) -> bool:
    try:
        float(label)
    except ValueError:
        return False
    return True


def _number_at_the_end(label: str) -> str:
    """The number of a label that ends with one in parentheses, such as "Relevant (1)"; otherwise the label itself."""
    text, _, number = label.rpartition("(")
    number = number.removesuffix(")")
    return number if text and label.endswith(")") and INTEGER.fullmatch(number) else label


def _graded(number: int, options: LabelOptions, steps: set[str]) -> int | None:
    """The grade of a whole number; None if it means "not judged", or is off the scale and dropped."""
    own_scale, mapping = options.own_scale, options.mapping
    if number < 0 and number not in (own_scale or ()) and number not in mapping:
        if options.negative == "not_judged":
            steps.add("not_judged")
            return None
        if options.negative == "error":
            raise _LabelError(
                f"grade {number} is negative",
                "a grade is 0 or more, or set 'negative' to 'not_judged' or 'off_scale'",
            )
    on_own = number if own_scale is None else _on_scale(number, own_scale, "the judge's own scale", options, steps)
    if on_own is None:
        return None
    if (mapped := mapping.get(on_own, on_own)) != on_own:
        steps.add("mapped")
    return _on_any_scale(mapped, options, steps)


def _on_any_scale(grade: int, options: LabelOptions, steps: set[str]) -> int | None:
    """The grade on the scale; without a scale, every whole number from 0 is on it."""
    if options.scale is None:
        return grade if grade >= 0 else _on_scale(grade, (0,), "the scale", options, steps)
    return _on_scale(grade, options.scale, "the scale", options, steps)


def _on_scale(grade: int, scale: tuple[int, ...], name: str, options: LabelOptions, steps: set[str]) -> int | None:
    if grade in scale:
        return grade
    allowed = f"it must be one of {', '.join(map(str, scale))}, or set 'off_scale' to 'clip' or 'drop'"
    if options.off_scale == "error":
        raise _LabelError(f"grade {grade} is not on {name}", allowed)
    if options.off_scale == "drop":
        steps.update({"off_scale", "dropped"})
        return None
    if min(scale) < grade < max(scale):
        raise _LabelError(
            f"grade {grade} lies between two grades of {name}",
            "'clip' changes only grades below the lowest and above the highest; map it, or drop it",
        )
    steps.update({"off_scale", "clipped"})
    return min(scale) if grade < min(scale) else max(scale)
