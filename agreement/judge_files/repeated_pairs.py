"""A judge has one grade for a document and topic: what happens if a file has several."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from agreement.judge_files.options import LabelOptions
from pooling.trec import ROUNDINGS

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
