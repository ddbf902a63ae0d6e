"""The mean over topics of a view of two or more judges: what papers on test collections report for overlap.

A topic counts where both assessors judged something in it, or, where none are named, where two did; in each topic
the assessors compared are then those who judged in it. Topics in which the view is undefined (nobody found anything
relevant) are left out of the mean, and named with the reason.
"""

from collections.abc import Callable
from dataclasses import replace

from agreement.coefficients.overall import mean_of
from agreement.estimate import Estimate
from agreement.ratings import Ratings

HOW = "mean over topics"


def over_topics(
    view: Callable[..., Estimate], ratings: Ratings, a: str | None = None, b: str | None = None, rel=None
) -> Estimate:
    """The plain mean of the values of the single topics.

    Parameters
    ----------
    view : callable
        `overlap`, `positive_agreement`, or any other that takes (ratings, a, b, rel=) and gives an Estimate.
    ratings : Ratings
    a, b : str, optional
        Two assessors; may be left out where there are only two, and for a view of all together.
    rel : grade, optional
        The lowest grade that is relevant; may be left out where there are two grades.

    Returns
    -------
    Estimate
        `n_averaged` is the number of topics used, `skipped` names those left out and why, `n` counts the items of the
        topics used; undefined where every topic is, or for the reason of the whole where there is no topic.

    Raises
    ------
    ValueError
        As the view does.
    """
    whole = view(ratings, a, b, rel=rel)
    parts = {
        query_id: view(part, a, b, rel=rel) for query_id, part in ratings.by_topic().items() if _counts(part, a, b)
    }
    if not parts:
        return whole
    # The mean takes P(A) along, which a view has not got: its value stands in, and is taken out again.
    mean = mean_of(whole.coefficient, {name: replace(part, observed=part.value) for name, part in parts.items()})
    convention = f"{next(iter(parts.values())).convention.split(',')[0]}, {HOW}"
    dropped = (whole.n or 0) + whole.n_dropped - mean.n
    return replace(mean, observed=None, assessors=whole.assessors, n_dropped=dropped, convention=convention)


def _counts(part: Ratings, a: str | None, b: str | None) -> bool:
    """Whether a topic has two judges to compare."""
    compared = {a, b} if a is not None and b is not None else set(part.assessors)
    idle = compared & set(part.idle)
    return not idle if len(compared) == 2 else len(compared) - len(idle) > 1
