"""Each assessor against the majority of the others: who is out of step?

For every assessor, the others vote (`agreement.golds.majority`, median) on each item, and the assessor is compared with what
they decided as with a second assessor. The assessor's own judgement is not in that majority. Where the others are
tied, the item counts for nothing by default (`ties="undecided"`), and how many such items there were is told.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from agreement.coefficients.all_pairs import pairwise
from agreement.coefficients.overall import KAPPAS
from agreement.golds.majority import decided
from agreement.ratings import MISSING, Ratings


def leave_one_assessor_out(
    ratings: Ratings,
    rel=None,
    coefficient: str | Sequence[str] = KAPPAS,
    across: str = "pooled",
    ties: str = "undecided",
    at_least_judges: int = 1,
) -> pd.DataFrame:
    """Agreement of each assessor with the majority of the others.

    Parameters
    ----------
    ratings : Ratings
    rel : grade, optional
        Compare relevant (this grade and above) with not relevant; left out, all grades of the scale.
    coefficient, across : str
        As for `agreement.pairwise`.
    ties : {"lower", "higher", "undecided"}
        What the others decide where they are tied.
    at_least_judges : int
        Items that fewer others judged are left out.

    Returns
    -------
    DataFrame
        One row an assessor, in the order of the ratings: assessor, n_undecided (items that the assessor judged
        and the others left undecided), and the columns of `agreement.pairwise` but the assessors. None where
        there are fewer than two assessors.

    Raises
    ------
    ValueError
        `rel` is not on the scale; an unknown coefficient or option.
    """
    ratings = ratings if rel is None else ratings.binary(rel)
    if len(ratings.assessors) < 2:
        nobody = Ratings(ratings.codes[:0, :0], ratings.scale)
        return _row(pairwise(nobody, coefficient, across), 0)
    everybody = ratings.counts.astype(np.int64)
    rows = []
    for assessor in ratings.assessors:
        own = ratings.row(assessor)
        others = everybody - (own[:, None] == np.arange(len(ratings.scale)))
        enough = others.sum(axis=1) >= max(at_least_judges, 1)
        majority = np.where(enough, decided(others, ties), MISSING)
        two = _ratings(ratings, [own, majority], (assessor, f"the others than {assessor}"))
        undecided = enough & (own != MISSING) & (majority == MISSING)
        rows.append(_row(pairwise(two, coefficient, across), int(undecided.sum())))
    return pd.concat(rows, ignore_index=True)


def _ratings(like: Ratings, rows: list[np.ndarray], names: tuple[str, ...]) -> Ratings:
    """Other rows on the same items."""
    return Ratings(np.stack(rows), like.scale, names, like.query_ids, like.doc_ids)


def _row(pair: pd.DataFrame, undecided: int) -> pd.DataFrame:
    row = pair.drop(columns="assessor_b").rename(columns={"assessor_a": "assessor"})
    row.insert(1, "n_undecided", undecided)
    return row
