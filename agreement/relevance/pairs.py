"""Relevant sets of all pairs of judges, as a table."""

from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from agreement.checks import check_ratings
from agreement.coefficients.pairs import all_tables
from agreement.estimate import Estimate
from agreement.judgements import Grade
from agreement.ratings import Ratings
from agreement.relevance.marginals import bias_index, kappa_maximum, prevalence_index
from agreement.relevance.sets import overlap
from agreement.relevance.specific_agreement import negative_agreement, positive_agreement
from agreement.relevance.two_by_two import relevant_from

VIEWS: dict[str, Callable[..., Estimate]] = {
    "overlap": overlap,
    "positive_agreement": positive_agreement,
    "negative_agreement": negative_agreement,
    "prevalence_index": prevalence_index,
    "bias_index": bias_index,
    "kappa_maximum": kappa_maximum,
}


def pairwise_relevance(ratings: Ratings, rel: Grade | None = None) -> pd.DataFrame:
    """The relevant sets of each pair of assessors.

    Parameters
    ----------
    ratings : Ratings
        Any number of assessors, with or without missing judgements.
    rel : int, float or str, optional
        The lowest relevant grade. It may be omitted if there are two grades; then the higher one is relevant.

    Returns
    -------
    DataFrame
        One row for each pair: assessor_a, assessor_b, n (items that both judged), both, only_a, only_b, neither
        (numbers of items that both, one or neither found relevant); and for each of overlap, positive_agreement,
        negative_agreement, prevalence_index, bias_index and kappa_maximum (unpooled) the value (NA if undefined) and,
        with its name as prefix, _reason ("empty", "no_overlap", "no_relevant", "no_nonrelevant" or "one_category").

    Raises
    ------
    ValueError
        `rel` is not on the scale, or it is missing on a scale of more than two grades.

    Examples
    --------
    >>> from agreement import Ratings, pairwise_relevance
    >>> ratings = Ratings.from_matrix([[0, 1, 1, 0], [0, 1, 0, None]], (0, 1), ("ada", "bob"))
    >>> pairwise_relevance(ratings)[["assessor_a", "assessor_b", "n", "both", "only_a", "overlap"]]
      assessor_a assessor_b  n  both  only_a  overlap
    0        ada        bob  3     1       1      0.5
    """
    check_ratings(ratings, "pairwise_relevance")
    binary = ratings.binary(relevant_from(ratings.scale, rel))
    pairs = list(combinations(binary.assessors, 2))
    tables = all_tables(binary)
    no_item = "no_overlap" if binary.n_judgements else "empty"
    rows = [_row(a, b, table, no_item) for (a, b), table in zip(pairs, tables, strict=True)]
    columns = ["assessor_a", "assessor_b", "n", "both", "only_a", "only_b", "neither"]
    columns += [column for name in VIEWS for column in (name, f"{name}_reason")]
    return pd.DataFrame(rows, columns=columns).astype(dict.fromkeys(VIEWS, "Float64"))


def _row(a: str, b: str, table: npt.NDArray[np.int64], no_item: str) -> dict[str, Any]:
    (neither, only_b), (only_a, both) = table.tolist()
    n = neither + only_b + only_a + both
    row: dict[str, Any] = {"assessor_a": a, "assessor_b": b, "n": n}
    row |= {"both": both, "only_a": only_a, "only_b": only_b, "neither": neither}
    for name, view in VIEWS.items():
        estimate = view(table)
        row |= {name: estimate.value, f"{name}_reason": estimate.reason if n else no_item}
    return row
