"""The labels of one judge become judgements: grades by the options, one for each document of a topic, and counts."""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from agreement.judge_files.counts import COUNTS
from agreement.judge_files.labels import Outcome, outcome_of
from agreement.judge_files.options import LabelOptions
from agreement.judge_files.repeated_pairs import one_per_pair
from pooling.errors import TrecFormatError, shown

KEYS = ("query_id", "doc_id", "repeat")


class Treated(NamedTuple):
    """The judgements (the columns of the labels, with relevance instead of label), the counts, and the problems."""

    judgements: pd.DataFrame
    counts: dict[str, int]
    problems: list[TrecFormatError]


def treat(labels: pd.DataFrame, options: LabelOptions, judge: str, file: str) -> Treated:
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

    Returns
    -------
    Treated
        The judgements in the order of the lines. An invalid line is a problem and gives no judgement; the caller
        raises the first problem or reports all.
    """
    codes, distinct = pd.factorize(labels["label"])
    outcomes = [outcome_of(str(label), options) for label in distinct]
    counts = dict.fromkeys(COUNTS, 0) | {"lines": len(labels)} | _step_counts(outcomes, codes)
    invalid = np.array([outcome.problem is not None for outcome in outcomes], bool)[codes]
    problems = [
        _problem(row, outcomes[code], judge, file)
        for row, code in zip(labels[invalid].itertuples(), codes[invalid], strict=True)
    ]
    graded = np.array([outcome.grade is not None for outcome in outcomes], bool)[codes]
    grades = np.array([outcome.grade or 0 for outcome in outcomes], np.int64)[codes[graded]]
    rows = labels[graded].drop(columns="label").assign(relevance=grades)
    one = one_per_pair(rows, [key for key in KEYS if key in rows.columns], options)
    problems += [_contradiction(row, judge, file) for row in one.contradicting.itertuples()]
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
    allowed = "a judge has one grade for a document of a topic, or set 'duplicates' to a rule such as 'last'"
    return TrecFormatError(what, allowed, file, int(row.line), "doc_id", row.doc_id)


def _whose(row: Any, judge: str) -> str:
    return f"{shown(judge)} on document {shown(row.doc_id)} of topic {shown(row.query_id)}"


def first_of(problems: Iterable[TrecFormatError]) -> TrecFormatError | None:
    """The problem with the lowest line."""
    return min(problems, key=lambda problem: problem.line or 0, default=None)
