"""Relevant sets of judges: their overlap, and precision and recall of one against the other.

With A and B the documents that judges a and b found relevant, among those that both judged:

    overlap      |A and B| / |A or B|      range 0 to 1; the same for a and b
    precision    |A and B| / |A|           the share of a's relevant documents that b found relevant
    recall       |A and B| / |B|           the share of b's relevant documents that a found relevant

Overlap is Jaccard's coefficient. For more than two judges it is the size of the intersection of all relevant sets over
the size of their union, among the documents that all judged. Precision and recall treat a's set as the answer of a
system and b's as the truth. They bound the effectiveness of a system that is built to the judgements of one person and
measured with those of another. Their harmonic mean is positive agreement (`agreement.relevance.two_by_two`).
None of these is corrected for chance.

References
----------
M. E. Lesk and G. Salton (1968). Relevance assessments and retrieval system evaluation. Information Storage and
Retrieval 4(4), 343-359.
E. M. Voorhees (2000). Variations in relevance judgments and the measurement of retrieval effectiveness. Information
Processing and Management 36(5), 697-716, section 3.
"""

from __future__ import annotations  # help() shows the names of type aliases

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from agreement.coefficients.pairs import Data, all_tables, check_data
from agreement.estimate import Estimate, undefined
from agreement.judgements import Grade
from agreement.ratings import MISSING, Ratings, check_ratings
from agreement.relevance.marginals import bias_index, kappa_maximum, prevalence_index
from agreement.relevance.two_by_two import (
    describe_relevant,
    negative_agreement,
    positive_agreement,
    relevant_from,
    share,
    two_by_two,
)
from pooling.result import Result


@dataclass(frozen=True, repr=False)
class PrecisionRecall(Result):
    """Precision and recall of one judge's relevant set against another's; returned by `cross_precision_recall`.

    Parameters
    ----------
    precision : Estimate
        The share of the first judge's relevant documents that the second found relevant, 0 to 1.
    recall : Estimate
        The share of the second judge's relevant documents that the first found relevant, 0 to 1.

    Examples
    --------
    >>> from agreement import cross_precision_recall
    >>> result = cross_precision_recall([[80, 10], [0, 10]])
    >>> result.precision.value, result.recall.value
    (1.0, 0.5)
    """

    precision: Estimate
    recall: Estimate

    def to_frame(self) -> pd.DataFrame:
        """A row for precision and one for recall, with the columns of `Estimate.to_frame`."""
        return pd.concat([self.precision.to_frame(), self.recall.to_frame()], ignore_index=True)

    def _sentence(self) -> str:
        return f"precision {self.precision.shown()}, recall {self.recall.shown()}, {self.precision.convention}"

    def _paper_table(self) -> pd.DataFrame:
        rows = [(one.coefficient.replace("_", " "), one.shown(), str(one.n)) for one in (self.precision, self.recall)]
        return pd.DataFrame(rows, columns=["coefficient", "value", "n"])


def overlap(data: Data, a: str | None = None, b: str | None = None, rel: Grade | None = None) -> Estimate:
    """Overlap of relevant sets: intersection over union, of two judges or of all.

    The range is 0 to 1. Not corrected for chance. Only items that all compared judges judged are used.

    Parameters
    ----------
    data : Ratings, or array of int of shape (n_grades, n_grades)
        The judgements, or a table of counts: rows are the grades of the first judge, columns those of the second. The
        grades of a table are 0, 1, ...
    a, b : str, optional
        Two assessors of the ratings. If they are omitted, all assessors with judgements are compared.
    rel : int, float or str, optional
        The lowest relevant grade. It may be omitted if there are two grades; then the higher one is relevant.

    Returns
    -------
    Estimate
        `n` counts the items that all compared judges judged, `n_dropped` those that only some of them judged, and
        `convention` states the sizes of intersection and union. Undefined with the reason

        * "empty": there is no judgement.
        * "one_assessor": the ratings have fewer than two assessors.
        * "no_identities": the ratings are anonymous counts.
        * "no_overlap": no item was judged by all compared judges, or the table contains only zeros.
        * "no_relevant": no compared judge found an item relevant.

    Raises
    ------
    ValueError
        The table is not a square of counts, an assessor is unknown or must be named, `rel` is not on the scale, or
        `rel` is missing on a scale of more than two grades.

    References
    ----------
    M. E. Lesk and G. Salton (1968). Relevance assessments and retrieval system evaluation. Information Storage and
    Retrieval 4(4), 343-359.
    E. M. Voorhees (2000). Variations in relevance judgments and the measurement of retrieval effectiveness. Information
    Processing and Management 36(5), 697-716, section 3.

    Examples
    --------
    >>> from agreement import Ratings, overlap
    >>> overlap([[80, 10], [0, 10]]).value
    0.5
    >>> ratings = Ratings.from_matrix([[0, 1, 2, 2], [0, 2, 2, 1], [0, 2, 2, 0]], scale=(0, 1, 2), axis="assessors")
    >>> print(overlap(ratings, rel=2))
    overlap 0.333, n = 4, relevant from grade 2, 1 of 3
    """
    check_data(data, "overlap")
    if isinstance(data, Ratings) and len(data.assessors) > 2 and a is None and b is None:
        return _overlap_of_all(data, relevant_from(data.scale, rel))
    table = two_by_two(data, a, b, rel)
    return table.share("overlap", table.both, table.both + table.only_a + table.only_b)


def cross_precision_recall(
    data: Data, a: str | None = None, b: str | None = None, rel: Grade | None = None
) -> PrecisionRecall:
    """Precision and recall of a's relevant set if b's relevant set is the truth.

    Both range from 0 to 1 and are not corrected for chance.

    Parameters
    ----------
    data : Ratings, or array of int of shape (n_grades, n_grades)
        The judgements, or a table of counts: rows are the grades of the first judge, columns those of the second. The
        grades of a table are 0, 1, ...
    a, b : str, optional
        Two assessors of the ratings. They may be omitted if there are exactly two.
    rel : int, float or str, optional
        The lowest relevant grade. It may be omitted if there are two grades; then the higher one is relevant.

    Returns
    -------
    PrecisionRecall
        Two estimates. Precision is undefined with the reason "no_relevant" if a found no item relevant, recall if b
        did. Both are undefined with the reason

        * "empty": there is no judgement.
        * "one_assessor": the ratings have fewer than two assessors.
        * "no_identities": the ratings are anonymous counts.
        * "no_overlap": no item was judged by both, or the table contains only zeros.

    Raises
    ------
    ValueError
        The table is not a square of counts, an assessor is unknown or must be named, `rel` is not on the scale, or
        `rel` is missing on a scale of more than two grades.

    References
    ----------
    E. M. Voorhees (2000). Variations in relevance judgments and the measurement of retrieval effectiveness. Information
    Processing and Management 36(5), 697-716, section 3.

    Examples
    --------
    >>> from agreement import cross_precision_recall
    >>> result = cross_precision_recall([[80, 10], [0, 10]])
    >>> result.precision.value, result.recall.value
    (1.0, 0.5)
    """
    check_data(data, "cross_precision_recall")
    table = two_by_two(data, a, b, rel)
    return PrecisionRecall(
        precision=table.share("precision", table.both, table.both + table.only_a),
        recall=table.share("recall", table.both, table.both + table.only_b),
    )


def _overlap_of_all(ratings: Ratings, rel: Grade) -> Estimate:
    judged = ratings.codes != MISSING
    active, some, convention = judged.any(axis=1), int(judged.any(axis=0).sum()), describe_relevant(rel)
    fields: dict[str, Any]
    if active.sum() < 2:
        reason = "one_assessor" if active.any() else "empty"
        fields = {"n": 0, "n_values": 0, "n_dropped": some, "assessors": ratings.assessors}
        return undefined("overlap", reason, convention=convention, **fields)
    by_all = judged[active].all(axis=0)
    n = int(by_all.sum())
    fields = {
        "n": n,
        "n_values": n * int(active.sum()),
        "n_dropped": some - n,
        "assessors": tuple(name for name in ratings.assessors if name not in ratings.idle),
        "topics": ratings.topics_of(by_all),
    }
    relevant = ratings.codes[active][:, by_all] >= ratings.scale.index(rel)
    part, total = int(relevant.all(axis=0).sum()), int(relevant.any(axis=0).sum())
    return share("overlap", part, total, "no_relevant" if n else "no_overlap", convention, fields)


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
