"""The mean over topics of a comparison of judges, which papers on test collections report for overlap.

A topic is used if both judges judged something in it or, if no judges are named, if two judges did; then the judges of
that topic are compared. Topics in which the value is undefined (no judge found anything relevant) are left out of the
mean and named with the reason.
"""

from collections.abc import Callable
from dataclasses import replace

from agreement.coefficients.overall import mean_of
from agreement.estimate import Estimate
from agreement.judgements import Grade
from agreement.ratings import Ratings, check_ratings

COMBINATION = "mean over topics"


def over_topics(
    view: Callable[..., Estimate],
    ratings: Ratings,
    a: str | None = None,
    b: str | None = None,
    rel: Grade | None = None,
) -> Estimate:
    """The mean over topics of overlap or of another comparison of relevant sets.

    Parameters
    ----------
    view : callable
        `overlap`, `positive_agreement`, `negative_agreement`, `prevalence_index`, `bias_index`, `kappa_maximum`, or
        another function with the parameters (ratings, a, b, rel=) that returns an Estimate.
    ratings : Ratings
        Any number of assessors and topics, with or without missing judgements.
    a, b : str, optional
        Two assessors. They may be omitted if there are exactly two, or if the view compares any number.
    rel : int, float or str, optional
        The lowest relevant grade. It may be omitted if there are two grades; then the higher one is relevant.

    Returns
    -------
    Estimate
        `n_averaged` is the number of topics used, `skipped` names the other topics with the reason, and `n` counts the
        items of the topics used. Undefined if the value of each topic is undefined, with one of their reasons, or if no
        topic has two judges, with the reason of the whole data ("empty", "one_assessor", "no_identities" or
        "no_overlap").

    Raises
    ------
    ValueError
        An assessor is unknown or must be named, or `rel` is not on the scale or missing.

    References
    ----------
    E. M. Voorhees (2000). Variations in relevance judgments and the measurement of retrieval effectiveness. Information
    Processing and Management 36(5), 697-716, section 3.

    Examples
    --------
    >>> from agreement import Ratings, over_topics, overlap
    >>> ratings = Ratings([[1, 1, 0, 1], [1, 0, 0, 1]], (0, 1), query_ids=["1", "1", "2", "2"], doc_ids=list("abab"))
    >>> mean = over_topics(overlap, ratings)
    >>> mean.value, mean.n_averaged
    (0.75, 2)
    """
    check_ratings(ratings, "over_topics")
    whole = view(ratings, a, b, rel=rel)
    parts = {
        query_id: view(part, a, b, rel=rel) for query_id, part in ratings.by_topic().items() if _is_used(part, a, b)
    }
    if not parts:
        return whole
    # mean_of also averages P(A), which these comparisons do not have: pass the value instead and remove it afterwards.
    valued = {name: replace(part, observed=part.value) for name, part in parts.items()}
    mean = mean_of(whole.coefficient, valued, "topic")
    convention = f"{next(iter(parts.values())).convention.split(',')[0]}, {COMBINATION}"
    dropped = (whole.n or 0) + whole.n_dropped - (mean.n or 0)
    return replace(mean, observed=None, assessors=whole.assessors, n_dropped=dropped, convention=convention)


def _is_used(part: Ratings, a: str | None, b: str | None) -> bool:
    """Whether a topic has two judges to compare."""
    compared = {a, b} if a is not None and b is not None else set(part.assessors)
    idle = compared & set(part.idle)
    return not idle if len(compared) == 2 else len(compared) - len(idle) > 1
