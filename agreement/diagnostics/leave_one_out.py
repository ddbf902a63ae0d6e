"""Each assessor against the majority of the others: which assessor deviates?

For each assessor, the others vote on each item (`agreement.golds.majority`, median), and the assessor is compared with
their decision like with a second assessor. The assessor's own judgement is not part of this majority. By default, items
on which the others are tied do not count (`ties="undecided"`), and their number is shown.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from agreement.coefficients.all_pairs import pairwise
from agreement.coefficients.overall import KAPPAS
from agreement.golds.majority import decided
from agreement.judgements import Grade
from agreement.ratings import MISSING, Ratings, check_ratings


def leave_one_assessor_out(
    ratings: Ratings,
    rel: Grade | None = None,
    coefficient: str | Sequence[str] = KAPPAS,
    across: str = "pooled",
    ties: str = "undecided",
    at_least_judges: int = 1,
) -> pd.DataFrame:
    """Agreement of each assessor with the majority of the others.

    Parameters
    ----------
    ratings : Ratings
        Two or more assessors, with or without missing judgements.
    rel : int, float or str, optional
        The lowest relevant grade, to compare relevant with nonrelevant. By default all grades are compared.
    coefficient : str or sequence of str, optional
        One or more of "percent_agreement", "pooled_kappa", "cohen_kappa", "brennan_prediger" and "gwet_ac".
    across : {"pooled", "topics"}, optional
        How topics are combined: one table over the items of all topics, or the mean of the values of the topics.
    ties : {"lower", "higher", "undecided"}, optional
        The decision of the others if they are tied: the lower grade, the higher grade, or none, so that the item does
        not count.
    at_least_judges : int, optional
        Items that fewer of the others judged are left out.

    Returns
    -------
    DataFrame
        One row for each assessor, in the order of the ratings: assessor, n_undecided (items that the assessor judged
        and the others left undecided), n (items compared), n_dropped (items that only one side judged),
        topics (int), observed (P(A)), and for each coefficient its value (NA if
        undefined) and columns with its name as prefix: _n (items used), _status ("ok" or "undefined"), _reason
        ("empty", "no_overlap" or "one_category") and _band.
        No rows if there are fewer than two assessors.

    Raises
    ------
    ValueError
        `rel` is not on the scale, or a coefficient, `across` or `ties` is unknown.

    Examples
    --------
    >>> from agreement import Ratings, leave_one_assessor_out
    >>> ratings = Ratings.from_matrix([[0, 1, 1, 1], [0, 1, 0, 1], [0, 1, 1, 0]], (0, 1), ("ada", "bob", "eve"))
    >>> leave_one_assessor_out(ratings, coefficient="percent_agreement")[["assessor", "n_undecided", "n"]]
      assessor  n_undecided  n
    0      ada            2  2
    1      bob            1  3
    2      eve            1  3
    """
    check_ratings(ratings, "leave_one_assessor_out")
    ratings = ratings if rel is None else ratings.binary(rel)
    if len(ratings.assessors) < 2:
        empty = Ratings(ratings.codes[:0, :0], ratings.scale)
        return _row(pairwise(empty, coefficient, across), 0)
    counts = ratings.counts.astype(np.int64)
    rows = []
    for assessor in ratings.assessors:
        codes = ratings.row(assessor)
        others = counts - (codes[:, None] == np.arange(len(ratings.scale)))
        enough = others.sum(axis=1) >= max(at_least_judges, 1)
        majority = np.where(enough, decided(others, ties), MISSING)
        names = (assessor, f"all except {assessor}")
        pair = Ratings(np.stack([codes, majority]), ratings.scale, names, ratings.query_ids, ratings.doc_ids)
        undecided = enough & (codes != MISSING) & (majority == MISSING)
        rows.append(_row(pairwise(pair, coefficient, across), int(undecided.sum())))
    return pd.concat(rows, ignore_index=True)


def _row(pair: pd.DataFrame, undecided: int) -> pd.DataFrame:
    row = pair.drop(columns="assessor_b").rename(columns={"assessor_a": "assessor"})
    row.insert(1, "n_undecided", undecided)
    return row
