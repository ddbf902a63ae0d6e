"""Self-agreement: the same assessor judges the same document twice.

Judgements of repeat 0 are compared with those of repeat 1 like the judgements of two assessors. Assessors cannot be
expected to agree with others more than with themselves.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from agreement.checks import described, plain
from agreement.coefficients.all_pairs import pairwise
from agreement.coefficients.overall import KAPPAS
from agreement.judgements import Grade, Scale
from agreement.ratings import IDS, MISSING, Ratings, checked_scale, first_judgements, positions_on
from pooling.inputs import Input, as_judgements

OCCASIONS = ("first", "again")


def self_agreement(
    judgements: Input,
    scale: Sequence[Grade],
    rel: Grade | None = None,
    coefficient: str | Sequence[str] = KAPPAS,
    across: str = "pooled",
) -> pd.DataFrame:
    """Agreement of each assessor's first judgements with their repeated judgements.

    Parameters
    ----------
    judgements : table, path, dictionary, or iterable of these
        Columns assessor, query_id, doc_id, relevance, repeat (0 for the first judgement, 1 for the repeated one).
    scale : sequence of int, float or str
        The grades, lowest first.
    rel : int, float or str, optional
        The lowest relevant grade, to compare relevant with nonrelevant. By default all grades are compared.
    coefficient : str or sequence of str, optional
        One or more of "percent_agreement", "pooled_kappa", "cohen_kappa", "brennan_prediger" and "gwet_ac".
    across : {"pooled", "topics"}, optional
        How topics are combined: one table over the items of all topics, or the mean of the values of the topics.

    Returns
    -------
    DataFrame
        One row for each assessor with a repeated judgement, by name: assessor, n (documents judged twice), n_dropped
        (documents judged once), topics (int), observed (P(A)), and for each coefficient its value (NA if
        undefined) and columns with its name as prefix: _n (items used), _status ("ok" or "undefined"), _reason
        ("empty", "no_overlap" or "one_category") and _band.

    Raises
    ------
    ValueError
        A column is missing, a repeat is neither 0 nor 1, a grade is not on the scale, an assessor has two judgements of
        an item with the same repeat, `rel` is not on the scale, or a coefficient or `across` is unknown.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement import self_agreement
    >>> rows = [("ada", "1", doc, grade, repeat)
    ...         for repeat, grades in enumerate(([0, 1, 1, 0], [0, 1, 0, 0])) for doc, grade in zip("abcd", grades)]
    >>> frame = pd.DataFrame(rows, columns=["assessor", "query_id", "doc_id", "relevance", "repeat"])
    >>> self_agreement(frame, (0, 1), coefficient="cohen_kappa")[["assessor", "n", "observed", "cohen_kappa"]]
      assessor  n  observed  cohen_kappa
    0      ada  4      0.75          0.5
    """
    table = as_judgements(judgements)
    if "repeat" not in table.columns:
        raise ValueError("Self-agreement needs the column repeat with the values 0 and 1.")
    items, codes = _repeated(table, checked_scale(scale))
    assessors = sorted(items["assessor"][codes[1] != MISSING].unique())
    rows = []
    for assessor in assessors:
        mask = (items["assessor"] == assessor).to_numpy()
        ids = (items.loc[mask, column].to_numpy() for column in ("query_id", "doc_id"))
        ratings = Ratings(codes[:, mask], scale, OCCASIONS, *ids)
        row = pairwise(ratings if rel is None else ratings.binary(rel), coefficient, across)
        rows.append(row.assign(assessor_a=assessor))
    empty = pairwise(Ratings(codes[:0, :0], scale), coefficient, across)
    frame = pd.concat(rows, ignore_index=True) if rows else empty
    return frame.drop(columns="assessor_b").rename(columns={"assessor_a": "assessor"})


def _repeated(judgements: pd.DataFrame, scale: Scale) -> tuple[pd.DataFrame, npt.NDArray[np.intp]]:
    """The (assessor, query_id, doc_id) of both repeats, and their codes, shape (2, n_rows)."""
    repeats = _repeats_of(judgements)
    first, second = (_of_repeat(judgements[repeats == repeat]) for repeat in (0, 1))
    frame = first.merge(second, on=IDS, how="outer", suffixes=("", "_again"))
    again = frame.assign(relevance=frame["relevance_again"])
    return frame[IDS], np.stack([positions_on(scale, frame), positions_on(scale, again)])


def _repeats_of(judgements: pd.DataFrame) -> "pd.Series[Any]":
    """The column repeat as numbers; ValueError for another value than 0 and 1."""
    repeats = pd.to_numeric(judgements["repeat"].astype(object), errors="coerce")
    wrong = ~repeats.isin([0, 1])
    if wrong.any():
        row = judgements[wrong].iloc[0]
        where = described(row, *(column for column in IDS if column in judgements.columns))
        raise ValueError(f"repeat must be 0 or 1, not {plain(row['repeat'])!r} ({where}).")
    return repeats


def _of_repeat(judgements: pd.DataFrame) -> pd.DataFrame:
    frame = first_judgements(judgements.drop(columns="repeat"))
    return frame.astype({"relevance": object})  # so that integers stay integers if the other repeat is missing
