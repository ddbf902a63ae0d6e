"""Agreement in the order of judging: do assessors drift apart, or grow together?

An item stands where the last judgement on it was given: only then is there something to compare. Items that two
or more assessors judged are put in that order, cut into windows of so many items, and agreement is computed in
each. Items of the same moment are in order of query_id, then doc_id.
"""

import numpy as np
import pandas as pd

from agreement.coefficients.overall import COEFFICIENTS, mean_pairwise
from agreement.ratings import IDS, Ratings, first_judgements, not_judged

ITEM = ["query_id", "doc_id"]


def over_time(
    judgements: pd.DataFrame,
    scale,
    rel=None,
    coefficient: str = "pooled_kappa",
    window: int = 50,
    step: int | None = None,
) -> pd.DataFrame:
    """Agreement in windows of items, in the order of judging.

    Parameters
    ----------
    judgements : DataFrame
        Columns assessor, query_id, doc_id, relevance, judged_at (times or numbers; text is read as ISO 8601), and
        perhaps repeat (only repeat 0 counts).
    scale : sequence
        The grades, lowest first.
    rel : grade, optional
        Compare relevant (this grade and above) with not relevant; left out, all grades of the scale.
    coefficient : str
        As for `agreement.mean_pairwise`, which combines the pairs of assessors.
    window : int
        Items in a window.
    step : int, optional
        Items from the start of one window to the start of the next; left out, windows do not overlap.

    Returns
    -------
    DataFrame
        One row a window: window (from 1), first_at, last_at, items, n (jointly judged items of the pairs used),
        observed, the coefficient (NA where undefined), and with its name before them, _status and _reason. The last
        window has what is left, which may be fewer items.

    Raises
    ------
    ValueError
        A column or a time is missing; `window` or `step` is below 1; an unknown coefficient; judgements that
        `agreement.ratings` refuses.
    """
    step = window if step is None else step
    if window < 1 or step < 1:
        raise ValueError(f"window and step are numbers of items from 1; got {window} and {step}")
    if coefficient not in COEFFICIENTS:
        raise ValueError(f"coefficient is one of {', '.join(COEFFICIENTS)}; got {coefficient!r}")
    frame = _judged(judgements)
    items = _items_in_order(frame)
    columns = ["window", "first_at", "last_at", "items", "n", "observed", coefficient]
    columns += [f"{coefficient}_status", f"{coefficient}_reason"]
    rows = []
    for number, start in enumerate(_starts(len(items), window, step), 1):
        part = items.iloc[start : start + window]
        ratings = Ratings.from_judgements(frame.merge(part[ITEM], on=ITEM)[[*IDS, "relevance"]], scale)
        found = mean_pairwise(ratings if rel is None else ratings.binary(rel), coefficient)
        times = part["judged_at"].iloc[[0, -1]]
        rows.append(
            [number, *times, len(part), found.n, found.observed, found.value, found.status, found.reason],
        )
    return pd.DataFrame(rows, columns=columns).astype({"observed": "Float64", coefficient: "Float64"})


def _judged(judgements: pd.DataFrame) -> pd.DataFrame:
    """First judgements with their times; the rows that stand for "not judged" left out."""
    if "judged_at" not in judgements.columns:
        raise ValueError("judgements over time have the column judged_at; it is lacking")
    judgements = judgements.reset_index(drop=True)
    frame = first_judgements(judgements)
    frame["judged_at"] = _times(judgements.loc[frame.index, "judged_at"])
    frame = frame[~not_judged(frame["relevance"])]
    if frame["judged_at"].isna().any():
        row = frame[frame["judged_at"].isna()].iloc[0]
        raise ValueError(f"no judged_at: assessor {row['assessor']}, topic {row['query_id']}, document {row['doc_id']}")
    return frame


def _times(column: pd.Series) -> pd.Series:
    if pd.api.types.is_numeric_dtype(column) or pd.api.types.is_datetime64_any_dtype(column):
        return column
    return pd.to_datetime(column, format="ISO8601", utc=True)


def _items_in_order(frame: pd.DataFrame) -> pd.DataFrame:
    items = frame.groupby(ITEM, as_index=False).agg(judged_at=("judged_at", "max"), n=("assessor", "size"))
    return items[items["n"] > 1].sort_values(["judged_at", *ITEM])


def _starts(n_items: int, window: int, step: int) -> np.ndarray:
    """Where windows begin: until one reaches the last item."""
    return np.arange(0, max(n_items - window + step, 1), step) if n_items else np.arange(0)
