"""Agreement on the relevant documents and on the nonrelevant documents separately.

If relevant documents are rare, judges agree on most documents whatever they think of the few relevant ones. Positive
agreement considers only the relevant documents, negative agreement only the others. With the counts of
`agreement.relevance.two_by_two`:

    positive agreement   2 both / (2 both + only_a + only_b)
    negative agreement   2 neither / (2 neither + only_a + only_b)

Positive agreement is the harmonic mean of precision and recall of one relevant set against the other (F1, Dice's
coefficient), and 2 J / (1 + J) for the overlap J.
"""

from __future__ import annotations  # help() shows the names of type aliases

from agreement.coefficients.pairs import Data, check_data
from agreement.estimate import Estimate
from agreement.judgements import Grade
from agreement.relevance.two_by_two import two_by_two


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
