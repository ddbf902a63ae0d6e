"""The labels of one judge become judgements: grades by the options, one for each document of a topic, and counts.

One label becomes one grade, or nothing. A judge has one grade for a document and topic; `OnePerPair` says what happens
if a file has several. `agreement.judge_files` lists the steps and their reasons.
"""

from collections.abc import Container, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from agreement.judge_files.notes import COUNTS
from agreement.judge_files.options import LabelOptions
from pooling.errors import FormatError, TrecFormatError, shown
from pooling.trec import INTEGER, parse_score, raise_or_keep
from pooling.writing import ROUNDINGS

KEEP = {"first": "first", "last": "last", "error": "first", "median": "first"}
ASCENDING = {"highest": False, "lowest": True}


class OnePerPair(NamedTuple):
    """The rows that remain, the number of repeated pairs by kind, and the rows that contradict an earlier one.

    `contradicting` is filled only with `duplicates="error"`; its columns `first_line` and `first_grade` are
    those of the earlier row.
    """

    rows: pd.DataFrame
    identical_pairs: int
    contradicting_pairs: int
    contradicting: pd.DataFrame


def one_per_pair(rows: pd.DataFrame, keys: Sequence[str], options: LabelOptions) -> OnePerPair:
    """Keep one row of each pair by the rule `options.duplicates`.

    `rows` have the columns `keys`, line and relevance. If there is a column details, two rows of a pair are the same
    only if their details are the same too.
    """
    repeated = rows.duplicated(list(keys), keep=False)
    if not repeated.any():
        return OnePerPair(rows, 0, 0, rows.iloc[:0].assign(first_line=0, first_grade=0))
    again = rows[repeated]
    answer = [name for name in ("relevance", "details") if name in again]
    again = again.assign(answer=again.groupby(answer, sort=False).ngroup())
    groups = again.groupby(list(keys), sort=False)
    contradicts = groups["answer"].transform("nunique") > 1
    n_contradicting = int(contradicts.groupby([again[key] for key in keys]).first().sum())
    contradicting = again.assign(
        first_line=groups["line"].transform("first"), first_grade=groups["relevance"].transform("first")
    )
    contradicting = contradicting[again["answer"] != groups["answer"].transform("first")]
    if options.duplicates != "error":
        contradicting = contradicting.iloc[:0]
    kept = _kept(again, contradicts, keys, options)
    remaining = pd.concat([rows[~repeated], kept[list(rows.columns)]]).sort_values("line", kind="stable")
    return OnePerPair(remaining, groups.ngroups - n_contradicting, n_contradicting, contradicting)


def _kept(
    again: pd.DataFrame, contradicts: "pd.Series[bool]", keys: Sequence[str], options: LabelOptions
) -> pd.DataFrame:
    if options.duplicates in ASCENDING:
        ordered = again.sort_values("relevance", ascending=ASCENDING[options.duplicates], kind="stable")
        return ordered.drop_duplicates(list(keys))
    if options.duplicates == "median":
        again = _with_medians(again, contradicts, keys, options)
    keep: Any = KEEP[options.duplicates]
    return again.drop_duplicates(list(keys), keep=keep)


def _with_medians(
    again: pd.DataFrame, contradicts: "pd.Series[bool]", keys: Sequence[str], options: LabelOptions
) -> pd.DataFrame:
    """Each row with the median of its pair, taken over the positions on the scale, so that it is always a grade."""
    grades = np.array(options.scale or range(int(again["relevance"].max()) + 1))
    positions = again.assign(position=np.searchsorted(grades, again["relevance"].to_numpy()))
    medians = positions.groupby(list(keys), sort=False)["position"].transform("median").to_numpy(np.float64)
    rounded = ROUNDINGS[options.rounding or "half_up"](medians).astype(np.int64)
    again = again.assign(relevance=grades[rounded])
    # A median belongs to no single line, so that no line's confidence belongs to it.
    return again.assign(confidence=again["confidence"].mask(contradicts)) if "confidence" in again else again


LARGEST = 2**31 - 1


class Outcome(NamedTuple):
    """What became of a label: its grade (None if there is none), the steps that changed it, and the problem."""

    grade: int | None
    steps: frozenset[str] = frozenset()
    problem: tuple[str, str] | None = None  # what is wrong, and what is allowed


def outcome_of(label: str, options: LabelOptions, no_judgement: Container[str] = ()) -> Outcome:
    """The grade of a label under the options; a label of `no_judgement` that no mapping names is none."""
    steps: set[str] = set()
    try:
        if label in options.mapping:  # its keys are grades, and labels that are not numbers
            steps.add("mapped")
            mapped = options.mapping[label]
            return Outcome(_on_any_scale(mapped, options, steps), frozenset(steps))
        if label.strip().lower() in no_judgement:
            return Outcome(None, frozenset(("empty",)))
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
            "off_scale='clip' changes only grades below the lowest and above the highest; map it, or set "
            "'off_scale' to 'drop'",
        )
    steps.update({"off_scale", "clipped"})
    return min(scale) if grade < min(scale) else max(scale)


KEYS = ("query_id", "doc_id", "repeat")


class Treated(NamedTuple):
    """The judgements (the columns of the labels, with relevance instead of label), the counts, and the problems."""

    judgements: pd.DataFrame
    counts: dict[str, int]
    problems: list[FormatError]


def treat(
    labels: pd.DataFrame, options: LabelOptions, judge: str, file: str, no_judgement: Container[str] = ()
) -> Treated:
    """Turn the labels of one judge into judgements.

    Parameters
    ----------
    labels : DataFrame
        Columns line (int), query_id, doc_id, label (str), and optionally repeat (int), details (text that must be equal
        in identical duplicates) and others, which are kept.
    options : LabelOptions
        How to treat each irregularity.
    judge, file : str
        The names of the judge and of the file, for the problems.
    no_judgement : container of str, optional
        The labels, in lower case, that are no judgement, such as that of an empty cell.

    Returns
    -------
    Treated
        The judgements in the order of the lines. An invalid line is a problem and gives no judgement; the caller
        raises the first problem or reports all.
    """
    codes, distinct = pd.factorize(labels["label"])
    outcomes = [outcome_of(str(label), options, no_judgement) for label in distinct]
    counts = dict.fromkeys(COUNTS, 0) | {"lines": len(labels)} | _step_counts(outcomes, codes)
    invalid = np.array([outcome.problem is not None for outcome in outcomes], bool)[codes]
    problems: list[FormatError] = []
    for row, code in zip(labels[invalid].itertuples(), codes[invalid], strict=True):
        raise_or_keep(_problem(row, outcomes[code], judge, file), problems)
    graded = np.array([outcome.grade is not None for outcome in outcomes], bool)[codes]
    grades = np.array([outcome.grade or 0 for outcome in outcomes], np.int64)[codes[graded]]
    rows = labels[graded].drop(columns="label").assign(relevance=grades)
    one = one_per_pair(rows, [key for key in KEYS if key in rows.columns], options)
    for row in one.contradicting.itertuples():
        raise_or_keep(_contradiction(row, judge, file), problems)
    counts |= {
        "judgements": len(one.rows),
        "invalid": len(problems),
        "identical_pairs": one.identical_pairs,
        "contradicting_pairs": one.contradicting_pairs,
        "repeated": len(rows) - len(one.rows) - len(one.contradicting),
    }
    return Treated(one.rows, counts, sorted(problems, key=lambda problem: problem.line or 0))


def _step_counts(outcomes: list[Outcome], codes: np.ndarray) -> dict[str, int]:
    """How many lines each step changed; lines that turned out to be invalid are not counted."""
    sizes = np.bincount(codes, minlength=len(outcomes)).tolist()
    counts: dict[str, int] = {}
    for outcome, size in zip(outcomes, sizes, strict=True):
        for step in outcome.steps if outcome.problem is None else ():
            counts[step] = counts.get(step, 0) + size
    return counts


# A row of `itertuples` has the columns as attributes, which type checkers do not know.
def _problem(row: Any, outcome: Outcome, judge: str, file: str) -> TrecFormatError:
    what, allowed = outcome.problem or ("", "")
    return TrecFormatError(f"{_whose(row, judge)}: {what}", allowed, file, int(row.line), "relevance", str(row.label))


def _contradiction(row: Any, judge: str, file: str) -> TrecFormatError:
    same_grade = row.relevance == row.first_grade
    which = "a comment, confidence or passage" if same_grade else f"grade {row.relevance}"
    what = f"{_whose(row, judge)}: {which} contradicts line {row.first_line}"
    allowed = "a judge has one grade for a document of a topic, or set 'duplicates' to 'last' or another rule"
    return TrecFormatError(what, allowed, file, int(row.line), "doc_id", row.doc_id)


def _whose(row: Any, judge: str) -> str:
    return f"{shown(judge)} on document {shown(row.doc_id)} of topic {shown(row.query_id)}"


def first_of(problems: Iterable[FormatError]) -> FormatError | None:
    """The problem with the lowest line."""
    return min(problems, key=lambda problem: problem.line or 0, default=None)
