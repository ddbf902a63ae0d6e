"""How the labels of a judge become grades: the options, and their validation."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypeVar, cast

from agreement.judgements import checked_scale
from pooling.trec import ROUNDINGS

CHOICES = {
    "off_scale": ("error", "clip", "drop"),
    "duplicates": ("error", "first", "last", "highest", "lowest", "median"),
    "rounding": tuple(ROUNDINGS),
    "decimals": ("error", "whole"),
    "negative": ("error", "not_judged", "off_scale"),
    "on_error": ("raise", "report"),
}
PAIR = re.compile(r"\s*([+-]?[0-9]{1,9})\s*=\s*([+-]?[0-9]{1,9})\s*")

Grades: TypeAlias = Sequence[int]
GradeMapping: TypeAlias = Mapping[int, int]
Value = TypeVar("Value")


@dataclass(frozen=True)
class LabelOptions:
    """The options for one judge; `agreement.read_judgements` describes them.

    `scale` is None if every whole number from 0 is a grade.
    """

    scale: tuple[int, ...] | None = None
    off_scale: str = "error"
    mapping: GradeMapping = field(default_factory=dict)
    own_scale: tuple[int, ...] | None = None
    duplicates: str = "error"
    rounding: str | None = None
    decimals: str = "error"
    negative: str = "error"

    def __post_init__(self) -> None:
        for name in ("off_scale", "duplicates", "decimals", "negative"):
            check_choice(name, getattr(self, name))
        if self.rounding is not None:
            check_choice("rounding", self.rounding)
        if self.scale is not None:
            checked_scale(self.scale)
        if self.duplicates == "median" and self.rounding is None:
            raise ValueError(
                "duplicates='median' needs a rounding, because the median of two grades can lie between them; "
                f"choose rounding from: {', '.join(ROUNDINGS)}."
            )
        self._check_scales()

    def _check_scales(self) -> None:
        if self.scale is None and self.own_scale is None and self.off_scale != "error":
            raise ValueError(f"off_scale={self.off_scale!r} needs a scale.")
        if self.own_scale is not None and (
            len(set(self.own_scale)) < 2 or list(self.own_scale) != sorted(set(self.own_scale))
        ):
            raise ValueError(
                f"A judge's own scale must have two or more different grades, lowest first, not {self.own_scale!r}."
            )
        if self.own_scale is not None and (unknown := [grade for grade in self.mapping if grade not in self.own_scale]):
            raise ValueError(f"mapping has the grade {unknown[0]}, which is not on the judge's own scale.")
        grades = self.own_scale or tuple(self.mapping)
        allowed = self.scale
        off = [grade for grade in grades if allowed is not None and self.mapping.get(grade, grade) not in allowed]
        if off and allowed is not None:
            raise ValueError(
                f"The judge's grade {off[0]} becomes {self.mapping.get(off[0], off[0])}, which is not on the scale "
                f"{', '.join(map(str, allowed))}; map it with mapping."
            )

    def to_dict(self) -> dict[str, Any]:
        """The options as JSON values, without those that have their default."""
        defaults = LabelOptions()
        values: dict[str, Any] = {"scale": self.scale and list(self.scale)}
        for name in ("off_scale", "duplicates", "rounding", "decimals", "negative"):
            if (value := getattr(self, name)) != getattr(defaults, name):
                values[name] = value
        if self.mapping:
            values["mapping"] = {str(grade): other for grade, other in sorted(self.mapping.items())}
        if self.own_scale:
            values["own_scale"] = list(self.own_scale)
        return values


def check_choice(name: str, value: object) -> None:
    """ValueError if the option does not have this value."""
    if value not in CHOICES[name]:
        raise ValueError(f"{name} {value!r} is unknown; choose from: {', '.join(CHOICES[name])}")


def per_judge(value: Value | Mapping[str, Value] | None, judges: Sequence[str], what: str) -> dict[str, Value]:
    """The value of each judge: one value applies to all, and a mapping by name to the judges that it names.

    ValueError if a name is not that of a judge.
    """
    if value is None:
        return {}
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value) or not value:
        return dict.fromkeys(judges, cast("Value", value))
    if unknown := [name for name in value if name not in judges]:
        raise ValueError(f"{what} names the judge {unknown[0]!r}; the judges are {', '.join(judges) or 'none'}.")
    return dict(value)


def parse_mapping(text: str) -> dict[int, int]:
    """The mapping that is written as "1=2,2=3"."""
    pairs = [PAIR.fullmatch(part) for part in text.split(",")]
    mapping = {int(pair[1]): int(pair[2]) for pair in pairs if pair}
    if len(mapping) < len(pairs):
        raise ValueError(f"A mapping must be written as 1=2,2=3, each grade once, not {text!r}.")
    return mapping
