"""Self-agreement: the same assessor, asked again about the same document.

Judgements of repeat 0 are compared with those of repeat 1, as if two assessors had given them. No assessor can be
expected to agree with others more than with themselves.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from agreement.coefficients.all_pairs import pairwise
from agreement.coefficients.overall import KAPPAS
from agreement.ratings import IDS, MISSING, Ratings, checked_scale, first_judgements, positions_on

TIMES = ("first", "again")


def self_agreement(
    judgements: pd.DataFrame,
    scale,
    rel=None,
    coefficient: str | Sequence[str] = KAPPAS,
    across: str = "pooled",
) -> pd.DataFrame:
    """Agreement of every assessor's first judgements with the repeated ones.

    Parameters
    ----------
    judgements : DataFrame
        Columns assessor, query_id, doc_id, relevance, repeat (0 and 1; others are ignored).
    scale : sequence
        The grades, lowest first.
    rel : grade, optional
        Compare relevant (this grade and above) with not relevant; left out, all grades of the scale.
    coefficient, across : str
        As for `agreement.pairwise`.

    Returns
    -------
    DataFrame
        One row for each assessor with a repeated judgement, by name: assessor, and the columns of
        `agreement.pairwise` but the assessors. n counts the documents judged both times, n_dropped those
        judged once.

    Raises
    ------
    ValueError
        A column is missing, or judgements that `agreement.ratings` refuses.
    """
    if "repeat" not in judgements.columns:
        raise ValueError("self-agreement needs the column repeat, 0 and 1; it is lacking")
    items, codes = _asked_twice(judgements, checked_scale(scale))
    repeated = sorted(items["assessor"][codes[1] != MISSING].unique())
    rows = []
    for assessor in repeated:
        own = (items["assessor"] == assessor).to_numpy()
        ids = (items.loc[own, column].to_numpy() for column in ("query_id", "doc_id"))
        ratings = Ratings(codes[:, own], scale, TIMES, *ids)
        row = pairwise(ratings if rel is None else ratings.binary(rel), coefficient, across)
        rows.append(row.assign(assessor_a=assessor))
    nobody = pairwise(Ratings(codes[:0, :0], scale), coefficient, across)
    found = pd.concat(rows, ignore_index=True) if rows else nobody
    return found.drop(columns="assessor_b").rename(columns={"assessor_a": "assessor"})


def _asked_twice(judgements: pd.DataFrame, scale: tuple) -> tuple[pd.DataFrame, np.ndarray]:
    """The (assessor, query_id, doc_id) of both repeats, and their codes, shape (2, n_rows)."""
    first, second = (_of_repeat(judgements, repeat) for repeat in (0, 1))
    frame = first.merge(second, on=IDS, how="outer", suffixes=("", "_again"))
    again = frame.assign(relevance=frame["relevance_again"])
    return frame[IDS], np.stack([positions_on(scale, frame), positions_on(scale, again)])


def _of_repeat(judgements: pd.DataFrame, repeat: int) -> pd.DataFrame:
    frame = first_judgements(judgements[judgements["repeat"] == repeat].drop(columns="repeat"))
    return frame.astype({"relevance": object})  # so that a whole grade stays whole where the other repeat lacks
