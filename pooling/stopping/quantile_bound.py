"""The quantile bound (QBCB): stop when the review has reached enough of the relevant documents of a random sample.

A simple random sample contains r relevant documents. Order them by their position in the review. The position at which
the review reaches recall R is the R-quantile of the positions of all relevant documents. Its point estimate is the
position of the sampled document number ceil(R r). The upper confidence limit (quantile binomial confidence bound) is
that of number j, the smallest with

    sum over i = 0, ..., j - 1 of C(r, i) R**i (1 - R)**(r - i) >= confidence

If the review stops there, recall is at least R with this confidence. There is no such j if R**r > 1 - confidence: for
recall 0.8 and 95 %, 14 relevant documents are needed. With j = r the rule is the target method. Reviews that stop at
the point estimate have recall below R in about half of the cases.

The binomial distribution supposes many relevant documents. If there are few, the hypergeometric distribution applies,
whose tail is smaller, so the statement holds for them too.

D. D. Lewis, E. Yang and O. Frieder, Certifying one-phase technology-assisted reviews, CIKM 2021, 893-902.
"""

from collections.abc import Collection, Iterable
from math import ceil, log

from pooling.id_lists import id_set
from pooling.ranking import check_whole
from pooling.stopping.exact_limits import binomial_at_most, check_share, hypergeometric_at_least
from pooling.stopping.review import StoppingRule, checked_ids, rule_result
from pooling.words import count, percent

BOUNDS = ("confidence", "point")
TIE = 1e-9  # 0.07 * 100 is 7.000000000000001
ROUNDING = 1e-12  # of a sum of probabilities


def quantile_bound(
    sample: Iterable[str],
    review: Iterable[str],
    relevant: Collection[str],
    *,
    recall: float = 0.8,
    confidence: float = 0.95,
    bound: str = "confidence",
) -> StoppingRule:
    """Find where a review may stop by the quantile bound QBCB (Lewis, Yang and Frieder 2021).

    Parameters
    ----------
    sample : iterable of str
        The judged documents of a simple random sample of all documents, of a size fixed before.
    review : iterable of str
        The judged documents of the review, in its order. It contains a document of the sample where the review would
        have judged it.
    relevant : collection of str
        The relevant ones of all these documents.
    recall : float
        The recall to reach, between 0 and 1.
    confidence : float
        The confidence level of the guarantee, between 0 and 1.
    bound : {"confidence", "point"}
        Whether to stop at the confidence bound of the quantile, or at its point estimate, which has no guarantee.

    Returns
    -------
    StoppingRule
        Where the review may stop. Undefined, with a reason, if the sample has too few relevant documents.

    Raises
    ------
    ValueError
        If an option is out of its range, or a document occurs twice in the sample or in the review.

    Examples
    --------
    >>> from pooling import quantile_bound
    >>> review = [f"d{number}" for number in range(100)]
    >>> sample, relevant = review[::10], review[:50]
    >>> quantile_bound(sample, review, relevant, recall=0.5).stop_after
    41
    >>> quantile_bound(sample, review, relevant, recall=0.5, bound="point").stop_after
    21
    >>> quantile_bound(sample, review, relevant, recall=0.8).reason
    'the sample has 5 relevant documents, and the bound needs 14'
    """
    for name, value in (("recall", recall), ("confidence", confidence)):
        check_share(name, value)
    if bound not in BOUNDS:
        raise ValueError(f"bound must be one of {', '.join(map(repr, BOUNDS))}, not {bound!r}")
    drawn, reviewed = checked_ids("sample", sample), checked_ids("review", review)
    relevant = id_set("relevant", relevant)
    r = sum(doc_id in relevant for doc_id in drawn)
    needed = quantile_number(r, recall, confidence) if bound == "confidence" else ceil(recall * r - TIE) or None
    least = sample_needed(recall, confidence) if bound == "confidence" else 1
    reason = f"the sample has {count(r, 'relevant document')}, and the bound needs {least:,}"
    return rule_result(
        drawn,
        reviewed,
        relevant,
        needed,
        method="quantile bound" if bound == "confidence" else "quantile point estimate",
        recall=recall,
        confidence=confidence,
        guarantee=_guarantee(recall, confidence, bound),
        reason="" if needed else reason,
    )


def quantile_number(n_relevant: int, recall: float, confidence: float) -> int | None:
    """Compute how many relevant documents of a sample a review must reach by the quantile bound.

    Parameters
    ----------
    n_relevant : int
        The number of relevant documents in the sample, from 0.
    recall, confidence : float
        The recall to reach and the confidence level, both between 0 and 1.

    Returns
    -------
    int or None
        The number, from 1 to `n_relevant`; None if even all of them do not suffice.

    Raises
    ------
    ValueError
        If a number is out of its range.

    Examples
    --------
    >>> from pooling import quantile_number
    >>> quantile_number(13, 0.8, 0.95), quantile_number(14, 0.8, 0.95), quantile_number(100, 0.8, 0.95)
    (None, 14, 87)
    """
    check_whole("n_relevant", n_relevant, 0)
    check_share("recall", recall)
    check_share("confidence", confidence)
    low, high = 1, int(n_relevant) + 1
    while low < high:
        middle = (low + high) // 2
        enough = middle <= n_relevant and binomial_at_most(middle - 1, int(n_relevant), recall) >= confidence - ROUNDING
        low, high = (low, middle) if enough else (middle + 1, high)
    return low if low <= n_relevant else None


def sample_needed(recall: float, confidence: float) -> int:
    """The smallest number of relevant documents in a sample with which the bound exists."""
    return ceil(log(1 - confidence) / log(recall) - TIE)


def sample_size_needed(
    n_documents: int, n_relevant: int, *, recall: float, confidence: float, probability: float = 0.95
) -> int | None:
    """Compute how many documents a random sample needs so that the bound probably exists.

    Examples
    --------
    >>> from pooling.stopping.quantile_bound import sample_size_needed
    >>> sample_size_needed(10_000, 500, recall=0.8, confidence=0.95)
    407
    >>> sample_size_needed(10_000, 13, recall=0.8, confidence=0.95) is None
    True
    """
    check_whole("n_documents", n_documents, 0)
    check_whole("n_relevant", n_relevant, 0)
    if n_relevant > n_documents:
        raise ValueError(f"n_relevant must be at most n_documents, {n_documents}, not {n_relevant!r}")
    for name, value in (("recall", recall), ("confidence", confidence), ("probability", probability)):
        check_share(name, value)
    least = sample_needed(recall, confidence)
    if n_relevant < least:
        return None
    low, high = least, int(n_documents)
    while low < high:
        middle = (low + high) // 2
        enough = hypergeometric_at_least(least, int(n_documents), int(n_relevant), middle) >= probability - ROUNDING
        low, high = (low, middle) if enough else (middle + 1, high)
    return low


def _guarantee(recall: float, confidence: float, bound: str) -> str:
    if bound == "point":
        return f"None: recall is below {recall:g} in about half of the reviews that stop here."
    return (
        f"Recall is at least {recall:g} with {percent(confidence)} confidence if the sample is random, its size was"
        " fixed before, and the order of the review does not depend on it."
    )
