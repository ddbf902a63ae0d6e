"""What the user says about each judge: which file has the judgements, and how its labels become grades."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from glob import glob, has_magic
from os import PathLike, fspath
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias, TypeVar, cast

from agreement.choices import LABEL_CHOICES
from agreement.judgements import checked_scale
from pooling.formats.smart.qrels import Answers
from pooling.paths import name_in, name_of
from pooling.trec import Source

CHOICES = LABEL_CHOICES
GRADE = re.compile(r"[+-]?[0-9]{1,9}")

Grades: TypeAlias = Sequence[int]
GradeMapping: TypeAlias = Mapping[int | str, int]  # a text is a label that is not a number, such as "Relevant"
Value = TypeVar("Value")
JUDGE = "{judge}"


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
                "duplicates='median' needs a rounding, because the median of two grades can lie between them; set "
                f"'rounding' to {', '.join(map(repr, CHOICES['rounding'][:-1]))} or {CHOICES['rounding'][-1]!r}."
            )
        self._check_scales()

    def _check_scales(self) -> None:
        if self.scale is None and self.own_scale is None and self.off_scale != "error":
            raise ValueError(f"off_scale={self.off_scale!r} needs a scale, which is the grades that are allowed.")
        if self.own_scale is not None and (
            len(set(self.own_scale)) < 2 or list(self.own_scale) != sorted(set(self.own_scale))
        ):
            raise ValueError(
                f"A judge's own scale must have two or more different grades, lowest first, not {self.own_scale!r}."
            )
        numbers = tuple(grade for grade in self.mapping if isinstance(grade, int))
        if self.own_scale is not None and (unknown := [grade for grade in numbers if grade not in self.own_scale]):
            raise ValueError(f"mapping has the grade {unknown[0]}, which is not on the judge's own scale.")
        allowed = self.scale
        reached: dict[int | str, int] = {grade: grade for grade in self.own_scale or ()}
        reached |= self.mapping
        off = [grade for grade in reached if allowed is not None and reached[grade] not in allowed]
        if off and allowed is not None:
            raise ValueError(
                f"The judge's grade {off[0]} becomes {reached[off[0]]}, which is not on the scale "
                f"{', '.join(map(str, allowed))}; map it to another grade."
            )

    def to_dict(self) -> dict[str, Any]:
        """The options as JSON values, without those that have their default."""
        defaults = LabelOptions()
        values: dict[str, Any] = {"scale": self.scale and list(self.scale)}
        for name in ("off_scale", "duplicates", "rounding", "decimals", "negative"):
            if (value := getattr(self, name)) != getattr(defaults, name):
                values[name] = value
        if self.mapping:
            ordered = sorted(self.mapping.items(), key=lambda pair: (isinstance(pair[0], str), pair[0]))
            values["mapping"] = {str(grade): other for grade, other in ordered}
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
    if not isinstance(value, Mapping) or not is_by_judge(value):
        return dict.fromkeys(judges, cast("Value", value))
    if unknown := [name for name in value if name not in judges]:
        raise ValueError(f"{what} names the judge {unknown[0]!r}; the judges are {', '.join(judges) or 'none'}.")
    return dict(value)


def is_by_judge(value: Mapping[Any, Any]) -> bool:
    """Whether a mapping has a value for each judge, and is not itself a mapping of grades."""
    return bool(value) and not any(isinstance(key, int) or isinstance(each, int) for key, each in value.items())


def answers_for(judge: str, mapping: Mapping[Any, Any] | None, listed_relevant: bool) -> Answers:
    """What the options say about the file of a judge, for the files of the classic collections."""
    own = mapping.get(judge) if mapping and is_by_judge(mapping) else mapping
    return Answers(listed_relevant, own)


def parse_mapping(text: str) -> dict[int | str, int]:
    """The mapping that is written as "1=2,2=3", or as "Relevant=1,Not relevant=0"."""
    pairs = [part.rpartition("=") for part in text.split(",")]
    valid = [(label.strip(), grade.strip()) for label, _, grade in pairs if GRADE.fullmatch(grade.strip())]
    mapping = {_grade_or_label(label): int(grade) for label, grade in valid}
    if len(mapping) < len(pairs) or "" in mapping:
        raise ValueError(f"A mapping must be written as 1=2,2=3 or Relevant=1, each grade once, not {text!r}.")
    return mapping


def saved_mapping(values: Mapping[str, int]) -> dict[int | str, int]:
    """The mapping that `LabelOptions.to_dict` returned; JSON has only texts as keys."""
    return {_grade_or_label(label): grade for label, grade in values.items()}


def _grade_or_label(text: str) -> int | str:
    return int(text) if GRADE.fullmatch(text) else text


class NamedSource(NamedTuple):
    """A file, and whether the user named its judge. Otherwise the judge is named after the file."""

    source: Source
    is_explicit: bool = True


Sources: TypeAlias = (
    str | PathLike[str] | Iterable[str | PathLike[str]] | Mapping[str, Source] | Mapping[str, NamedSource]
)


def named_sources(sources: Sources, name_pattern: str | None = None) -> dict[str, NamedSource]:
    """The file of each judge, by the name of the judge, and whether the name was given.

    Parameters
    ----------
    sources : path, iterable of paths, or mapping of str to source
        A path may be a pattern such as "scores/*.txt.gz", which stands for the files that match, in ascending order,
        or "NAME=FILE". A mapping gives the names itself.
    name_pattern : str, optional
        How to find the name of the judge in the name of a file: "{judge}.umbrela.txt". "*" stands for any text,
        at most twice. By default the name is that of the file without folder and known endings.

    Returns
    -------
    dict of str to NamedSource
        `is_explicit` is true for the names of a mapping and of "NAME=FILE".

    Raises
    ------
    ValueError
        There is no file, a pattern matches no file, a name is empty, two files have the same name, or content has no
        name.
    """
    if isinstance(sources, Mapping):
        if not sources:
            raise ValueError("There is no file of judgements; sources is empty.")
        return {name: file if isinstance(file, NamedSource) else NamedSource(file) for name, file in sources.items()}
    several = isinstance(sources, Iterable) and not isinstance(sources, str | PathLike | bytes)
    paths: list[Any] = list(sources) if several else [sources]  # type: ignore[arg-type]
    named: dict[str, NamedSource] = {}
    for path_or_pattern in paths:
        if not isinstance(path_or_pattern, str | PathLike):
            raise ValueError(
                f"A file of judgements must be a path, not {type(path_or_pattern).__name__}. Content needs the name of "
                "its judge, such as {'ada': content}."
            )
        for name, path in _expanded(fspath(path_or_pattern), name_pattern):
            if name in named:
                raise ValueError(f"Two files have the name {name!r}. Write a judge as NAME=FILE with different names.")
            named[name] = path
    if not named:
        raise ValueError("There is no file of judgements; sources is empty.")
    return named


def _expanded(text: str, name_pattern: str | None) -> list[tuple[str, NamedSource]]:
    name, sign, path = text.partition("=")
    if sign and not Path(text).exists() and not has_magic(text):
        if not (name and path):
            raise ValueError(f"a judge must be NAME=FILE, such as nist=a.qrels, not {text!r}.")
        return [(name, NamedSource(path))]
    if not has_magic(text) or Path(text).exists():
        return [(_judge_of(text, name_pattern), NamedSource(text, False))]
    files = sorted(path for path in glob(text) if not Path(path).is_dir())
    if not files:
        raise ValueError(f"No file matches the pattern {text!r}.")
    return [(_judge_of(path, name_pattern), NamedSource(path, False)) for path in files]


def _judge_of(path: str, name_pattern: str | None) -> str:
    return name_of(path) if name_pattern is None else name_in(path, name_pattern, JUDGE)
