"""Agreement in the order of judging: does it fall or rise?

The time of an item is that of its last judgement, because only then can judgements be compared. Items that two or more
assessors judged are sorted by this time and cut into windows of equally many items, and agreement is computed in each
window. Items with the same time are sorted by query_id, then doc_id.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from agreement.checks import described, plain
from agreement.coefficients.overall import COEFFICIENTS, check_known, mean_pairwise
from agreement.judgements import Grade
from agreement.ratings import IDS, Ratings, first_judgements, not_judged
from pooling.inputs import Input, as_judgements

ITEM = ["query_id", "doc_id"]


def over_time(
    judgements: Input,
    scale: Sequence[Grade],
    rel: Grade | None = None,
    coefficient: str = "pooled_kappa",
    window: int = 50,
    step: int | None = None,
) -> pd.DataFrame:
    """Agreement in windows of items, in the order of judging.

    Parameters
    ----------
    judgements : table, path, dictionary, or iterable of these
        Columns assessor, query_id, doc_id, relevance, judged_at (times or numbers; text is read as ISO 8601), and
        optionally repeat (only repeat 0 is used).
    scale : sequence of int, float or str
        The grades, lowest first.
    rel : int, float or str, optional
        The lowest relevant grade, to compare relevant with nonrelevant. By default all grades are compared.
    coefficient : str, optional
        "percent_agreement", "pooled_kappa", "cohen_kappa", "brennan_prediger" or "gwet_ac", averaged over the pairs of
        assessors.
    window : int, optional
        Number of items in a window, 1 or more.
    step : int, optional
        Number of items from the start of one window to the start of the next, 1 or more. By default windows do not
        overlap.

    Returns
    -------
    DataFrame
        One row for each window: window (from 1), first_at, last_at, items, n (common items of the pairs used), observed
        (their mean P(A)), n_pairs (pairs used), left_out (how many pairs have no value and why, such as "1 pair left
        out: one category"; empty if none), the coefficient (NA if undefined), and, with its name as prefix, _status
        ("ok" or "undefined") and _reason ("no_overlap" or "one_category"). The last window may have fewer items.

    Raises
    ------
    ValueError
        A column or a time is missing, `window` or `step` is below 1, the coefficient is unknown, a grade is not on the
        scale, or an assessor judged an item twice.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement import over_time
    >>> rows = [(name, "1", doc, grade, minute)
    ...         for name, grades in (("ada", [0, 1, 0, 1]), ("bob", [0, 1, 1, 0]))
    ...         for minute, (doc, grade) in enumerate(zip("abcd", grades))]
    >>> frame = pd.DataFrame(rows, columns=["assessor", "query_id", "doc_id", "relevance", "judged_at"])
    >>> over_time(frame, (0, 1), coefficient="cohen_kappa", window=2)[["window", "last_at", "items", "cohen_kappa"]]
       window  last_at  items  cohen_kappa
    0       1        1      2          1.0
    1       2        3      2         -1.0
    """
    check_known("coefficient", coefficient, COEFFICIENTS)
    frame = _judged(as_judgements(judgements))
    windows = _windows(_items_in_order(frame), window, step)
    columns = ["window", "first_at", "last_at", "items", "n", "observed", "n_pairs", "left_out", coefficient]
    columns += [f"{coefficient}_status", f"{coefficient}_reason"]
    rows = []
    for number, part in windows:
        ratings = Ratings.from_judgements(frame.merge(part[ITEM], on=ITEM)[[*IDS, "relevance"]], scale)
        mean = mean_pairwise(ratings if rel is None else ratings.binary(rel), coefficient)
        times = part["judged_at"].iloc[[0, -1]]
        basis = [mean.n, mean.observed, mean.n_averaged, mean.left_out]
        rows.append([number, *times, len(part), *basis, mean.value, mean.status, mean.reason])
    types = {"observed": "Float64", "n_pairs": "Int64", coefficient: "Float64"}
    return pd.DataFrame(rows, columns=columns).astype(types)


def time_windows(judgements: Input, window: int = 50, step: int | None = None) -> pd.DataFrame:
    """Items of the windows in which `over_time` computes agreement.

    Parameters
    ----------
    judgements : table, path, dictionary, or iterable of these
        Columns assessor, query_id, doc_id, relevance, judged_at (times or numbers; text is read as ISO 8601), and
        optionally repeat (only repeat 0 is used).
    window : int, optional
        Number of items in a window, 1 or more.
    step : int, optional
        Number of items from the start of one window to the start of the next, 1 or more. By default windows do not
        overlap.

    Returns
    -------
    DataFrame
        One row for each item of each window: window (from 1), query_id, doc_id, judged_at (of its last judgement). Only
        items that two or more assessors judged.

    Raises
    ------
    ValueError
        A column or a time is missing, or `window` or `step` is below 1.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement import time_windows
    >>> rows = [(name, "1", doc, 1, minute) for name in ("ada", "bob") for minute, doc in enumerate("abc")]
    >>> frame = pd.DataFrame(rows, columns=["assessor", "query_id", "doc_id", "relevance", "judged_at"])
    >>> time_windows(frame, window=2)
       window query_id doc_id  judged_at
    0       1        1      a          0
    1       1        1      b          1
    2       2        1      c          2
    """
    items = _items_in_order(_judged(as_judgements(judgements)))
    parts = [part.assign(window=number) for number, part in _windows(items, window, step)]
    columns = ["window", *ITEM, "judged_at"]
    return pd.concat(parts, ignore_index=True)[columns] if parts else items.assign(window=0)[columns]


def _windows(items: pd.DataFrame, window: int, step: int | None) -> list[tuple[int, pd.DataFrame]]:
    """The number and the items of each window."""
    step = window if step is None else step
    if window < 1 or step < 1:
        raise ValueError(f"window and step must be numbers of items from 1, not {window} and {step}.")
    starts = _starts(len(items), window, step)
    return [(number, items.iloc[start : start + window]) for number, start in enumerate(starts, 1)]


def _judged(judgements: pd.DataFrame) -> pd.DataFrame:
    """The judgements of repeat 0 with their times, without rows that mean "not judged"."""
    if "judged_at" not in judgements.columns:
        raise ValueError("Judgements over time need the column judged_at.")
    judgements = judgements.reset_index(drop=True)
    frame = first_judgements(judgements)
    frame["judged_at"] = _times(judgements.loc[frame.index, "judged_at"])
    frame = frame[~not_judged(frame["relevance"])]
    if frame["judged_at"].isna().any():
        row = frame[frame["judged_at"].isna()].iloc[0]
        raise ValueError(f"A judgement has no judged_at: {described(row, *IDS)}.")
    return frame


def _times(column: "pd.Series[Any]") -> "pd.Series[Any]":
    if pd.api.types.is_numeric_dtype(column) or pd.api.types.is_datetime64_any_dtype(column):
        return column
    times = pd.to_datetime(column.astype("str"), format="ISO8601", utc=True, errors="coerce")
    wrong = times.isna() & column.notna()
    if wrong.any():
        value = plain(column[wrong].iloc[0])
        raise ValueError(f"judged_at must be a number or a time such as 2026-01-31T12:00:00Z, not {value!r}.")
    return times


def _items_in_order(frame: pd.DataFrame) -> pd.DataFrame:
    items = frame.groupby(ITEM, as_index=False).agg(judged_at=("judged_at", "max"), n=("assessor", "size"))
    return items[items["n"] > 1].sort_values(["judged_at", *ITEM])


def _starts(n_items: int, window: int, step: int) -> npt.NDArray[np.intp]:
    """The starts of the windows, up to the first window that contains the last item."""
    last = max(n_items - window + step, 1)
    return np.arange(0, min(last, n_items), step)  # a step longer than the window may pass the last item
