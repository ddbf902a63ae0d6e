"""Every pair of assessors, seen as two sets of relevant documents: one table of all the views for two."""

from itertools import combinations

import numpy as np
import pandas as pd

from agreement.coefficients.pairs import all_tables
from agreement.ratings import Ratings
from agreement.relevance.marginals import bias_index, kappa_maximum, prevalence_index
from agreement.relevance.sets import overlap
from agreement.relevance.specific_agreement import negative_agreement, positive_agreement
from agreement.relevance.two_by_two import relevant_from

VIEWS = {
    "overlap": overlap,
    "positive_agreement": positive_agreement,
    "negative_agreement": negative_agreement,
    "prevalence_index": prevalence_index,
    "bias_index": bias_index,
    "kappa_maximum": kappa_maximum,
}


def pairwise_relevance(ratings: Ratings, rel=None) -> pd.DataFrame:
    """The relevant sets of every two assessors.

    Parameters
    ----------
    ratings : Ratings
    rel : grade, optional
        The lowest grade that is relevant; may be left out where there are two grades.

    Returns
    -------
    DataFrame
        One row a pair: assessor_a, assessor_b, n (items both judged), both, only_a, only_b, neither; and for each
        of overlap, positive_agreement, negative_agreement, prevalence_index, bias_index and kappa_maximum (unpooled)
        its value (NA where undefined) and, with its name before it, _reason.

    Raises
    ------
    ValueError
        `rel` is not on the scale, or lacks where there are more than two grades.
    """
    binary = ratings.binary(relevant_from(ratings.scale, rel))
    pairs = list(combinations(binary.assessors, 2))
    tables = all_tables(binary) if pairs else ()
    nothing = "no_overlap" if binary.n_judgements else "empty"
    rows = [_row(a, b, table, nothing) for (a, b), table in zip(pairs, tables, strict=True)]
    columns = ["assessor_a", "assessor_b", "n", "both", "only_a", "only_b", "neither"]
    columns += [column for name in VIEWS for column in (name, f"{name}_reason")]
    return pd.DataFrame(rows, columns=columns).astype(dict.fromkeys(VIEWS, "Float64"))


def _row(a: str, b: str, table: np.ndarray, nothing: str) -> dict:
    (neither, only_b), (only_a, both) = table.tolist()
    n = neither + only_b + only_a + both
    row = {"assessor_a": a, "assessor_b": b, "n": n}
    row |= {"both": both, "only_a": only_a, "only_b": only_b, "neither": neither}
    for name, view in VIEWS.items():
        estimate = view(table)
        row |= {name: estimate.value, f"{name}_reason": estimate.reason if n else nothing}
    return row
