"""The two-by-two table of two judges: the numbers of items that both, one or neither of them found relevant.

Of the n items that both judged:

                      b: relevant    b: not
    a: relevant       both           only_a
    a: not            only_b         neither

An item is relevant from grade `rel` on. `rel` may be omitted on a scale of two grades; then the higher one is relevant.
If a table of counts is passed instead of Ratings, its grades are 0, 1, ... in the order of its rows and columns, and
`rel` is one of these.

If relevant documents are rare, judges agree on most documents whatever they think of the few relevant ones. Positive
agreement considers only the relevant documents, negative agreement only the others:

    positive agreement   2 both / (2 both + only_a + only_b)
    negative agreement   2 neither / (2 neither + only_a + only_b)

Positive agreement is the harmonic mean of precision and recall of one relevant set against the other (F1, Dice's
coefficient), and 2 J / (1 + J) for the overlap J.
"""

from __future__ import annotations  # help() shows the names of type aliases

from dataclasses import dataclass
from typing import Any

from agreement.coefficients.pairs import Data, check_data, pair_of
from agreement.estimate import Estimate, undefined
from agreement.judgements import Grade, Scale


@dataclass(frozen=True)
class TwoByTwo:
    """The two-by-two table of two judges, or the reason why there is no item to compare.

    Attributes
    ----------
    both, only_a, only_b, neither : int
        Numbers of items that both, one or neither of the judges found relevant.
    reason : str or None
        A key of `agreement.estimate.REASONS` if no item was judged by both.
    convention : str
        The lowest relevant grade, as text.
    fields : dict
        Fields of an `Estimate` of the pair: n, n_values, n_dropped, assessors, topics.
    """

    both: int
    only_a: int
    only_b: int
    neither: int
    reason: str | None
    convention: str
    fields: dict[str, Any]

    @property
    def n(self) -> int:
        """Number of items that both judged."""
        return self.both + self.only_a + self.only_b + self.neither

    def share(self, name: str, part: int, total: int, reason: str = "no_relevant") -> Estimate:
        """`part / total` as an estimate called `name`; undefined with `reason` if the total is 0."""
        return share(name, part, total, self.reason or reason, self.convention, self.fields)


def two_by_two(data: Data, a: str | None = None, b: str | None = None, rel: Grade | None = None) -> TwoByTwo:
    """The two-by-two table of two judges.

    Shapes: `data` (n_grades, n_grades).
    """
    pair = pair_of(data, a, b)
    lowest = relevant_from(pair.scale, rel)
    cut = pair.scale.index(lowest)
    low, high = slice(cut), slice(cut, None)
    return TwoByTwo(
        both=int(pair.table[high, high].sum()),
        only_a=int(pair.table[high, low].sum()),
        only_b=int(pair.table[low, high].sum()),
        neither=int(pair.table[low, low].sum()),
        reason=pair.reason,
        convention=describe_relevant(lowest),
        fields=pair.fields,
    )


def relevant_from(scale: Scale, rel: Grade | None) -> Grade:
    """The lowest relevant grade: `rel`, or the higher of two grades; ValueError if it is unknown or missing."""
    if rel is None and len(scale) == 2:
        return scale[1]
    if rel is None:
        raise ValueError(f"rel, the lowest relevant grade, is required: one of {_joined(scale)}.")
    if rel not in scale:
        raise ValueError(f"rel must be a grade of the scale {_joined(scale)}, not {rel!r}.")
    return rel


def describe_relevant(rel: Grade) -> str:
    """The lowest relevant grade in the words of an estimate's convention."""
    return f"relevant from grade {rel}"


def share(name: str, part: int, total: int, reason: str, convention: str, fields: dict[str, Any]) -> Estimate:
    """`part / total` as an estimate whose convention states both; undefined with `reason` if the total is 0."""
    if not total:
        return undefined(name, reason, convention=convention, **fields)
    return Estimate(part / total, name, convention=f"{convention}, {part} of {total}", **fields)


def _joined(scale: Scale) -> str:
    return ", ".join(map(str, scale))


def positive_agreement(data: Data, a: str | None = None, b: str | None = None, rel: Grade | None = None) -> Estimate:
    """Positive agreement of two judges: agreement on the relevant documents.

    2 both / (2 both + only_a + only_b), where both, only_a and only_b are the numbers of items that both judges, only a
    or only b found relevant. The range is 0 to 1. Not corrected for chance.

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
    Estimate
        `n` counts the items that both judged, `n_dropped` those that only one of them judged. Undefined with the
        reason

        * "empty": there is no judgement.
        * "one_assessor": the ratings have fewer than two assessors.
        * "no_identities": the ratings are anonymous counts.
        * "no_overlap": no item was judged by both, or the table contains only zeros.
        * "no_relevant": neither judge found an item relevant.

    Raises
    ------
    ValueError
        The table is not a square of counts, an assessor is unknown or must be named, `rel` is not on the scale, or
        `rel` is missing on a scale of more than two grades.

    References
    ----------
    D. V. Cicchetti and A. R. Feinstein (1990). High agreement but low kappa: II. Resolving the paradoxes. Journal of
    Clinical Epidemiology 43(6), 551-558. (p_pos)

    Examples
    --------
    >>> from agreement import positive_agreement
    >>> positive_agreement([[80, 10], [0, 10]]).shown()
    '0.667'
    """
    check_data(data, "positive_agreement")
    table = two_by_two(data, a, b, rel)
    return table.share("positive_agreement", 2 * table.both, 2 * table.both + table.only_a + table.only_b)


def negative_agreement(data: Data, a: str | None = None, b: str | None = None, rel: Grade | None = None) -> Estimate:
    """Negative agreement of two judges: agreement on the nonrelevant documents.

    2 neither / (2 neither + only_a + only_b), where neither, only_a and only_b are the numbers of items that no judge,
    only a or only b found relevant. The range is 0 to 1. Not corrected for chance.

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
    Estimate
        `n` counts the items that both judged, `n_dropped` those that only one of them judged. Undefined with the
        reason

        * "empty": there is no judgement.
        * "one_assessor": the ratings have fewer than two assessors.
        * "no_identities": the ratings are anonymous counts.
        * "no_overlap": no item was judged by both, or the table contains only zeros.
        * "no_nonrelevant": both judges found all items relevant.

    Raises
    ------
    ValueError
        The table is not a square of counts, an assessor is unknown or must be named, `rel` is not on the scale, or
        `rel` is missing on a scale of more than two grades.

    References
    ----------
    D. V. Cicchetti and A. R. Feinstein (1990). High agreement but low kappa: II. Resolving the paradoxes. Journal of
    Clinical Epidemiology 43(6), 551-558. (p_neg)

    Examples
    --------
    >>> from agreement import negative_agreement
    >>> negative_agreement([[80, 10], [0, 10]]).shown()
    '0.941'
    """
    check_data(data, "negative_agreement")
    table = two_by_two(data, a, b, rel)
    total = 2 * table.neither + table.only_a + table.only_b
    return table.share("negative_agreement", 2 * table.neither, total, "no_nonrelevant")
