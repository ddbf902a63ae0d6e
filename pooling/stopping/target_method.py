"""The target method: stop when the review has reached every relevant document of a random sample.

Documents are drawn at random and judged until `target` of them are relevant. Then the documents are reviewed in some
order, such as that of a learner, without regard to the sample. The review stops when it has reached all relevant
documents of the sample.

Each relevant document is equally likely to be in the sample. The review has recall below R when it stops only if all
`target` documents are among the first of its relevant documents that make up the share R, and the probability of that
is less than R**target. So recall is at least

    R = (1 - confidence) ** (1 / target)

with the confidence: 0.741 for 10 documents and 95 %. Cormack and Grossman state 0.70 with 95 %, which is weaker. If
fewer than `target` relevant documents exist, drawing does not end before all documents are judged, and no review is
needed. The statement holds for any order that does not depend on which documents are in the sample.

G. V. Cormack and M. R. Grossman, Engineering quality and reliability in technology-assisted review, SIGIR 2016, 75-84.
"""

from collections.abc import Collection, Iterable

from pooling.id_lists import id_set
from pooling.ranking import check_whole
from pooling.stopping.exact_limits import check_share
from pooling.stopping.review import StoppingRule, checked_ids, rule_result
from pooling.words import count, percent


def target_method(
    sample: Iterable[str],
    review: Iterable[str],
    relevant: Collection[str],
    *,
    target: int = 10,
    confidence: float = 0.95,
) -> StoppingRule:
    """Find where a review may stop by the target method (Cormack and Grossman 2016).

    Parameters
    ----------
    sample : iterable of str
        The judged documents of a random sample, in the order in which they were drawn. Only those up to the
        `target`-th relevant one are used.
    review : iterable of str
        The judged documents of the review, in its order. It contains a document of the sample where the review would
        have judged it.
    relevant : collection of str
        The relevant ones of all these documents.
    target : int
        The number of relevant documents that the sample must have, at least 1.
    confidence : float
        The confidence level of the guarantee, between 0 and 1.

    Returns
    -------
    StoppingRule
        Where the review may stop; `recall` is (1 - confidence) ** (1 / target). Undefined, with a reason, if the sample
        has fewer relevant documents than `target`.

    Raises
    ------
    ValueError
        If `target` or `confidence` is out of its range, a document occurs twice in the sample or in the review, or an
        argument is no list or set of ids.

    Examples
    --------
    >>> from pooling import target_method
    >>> result = target_method(["d", "a", "c", "x"], ["a", "b", "x", "c", "d"], {"a", "b", "c"}, target=2)
    >>> result.stop_after, result.n_sampled, round(result.recall, 3)
    (4, 3, 0.224)
    """
    check_whole("target", target)
    check_share("confidence", confidence)
    drawn, reviewed = checked_ids("sample", sample), checked_ids("review", review)
    relevant = id_set("relevant", relevant)
    places = [place for place, doc_id in enumerate(drawn, 1) if doc_id in relevant]
    enough = len(places) >= target
    used = drawn[: places[target - 1]] if enough else drawn
    reason = f"the sample has {count(len(places), 'relevant document')}, and the method needs {target:,}"
    return rule_result(
        used,
        reviewed,
        relevant,
        int(target) if enough else None,
        method="target method",
        recall=target_recall(target, confidence),
        confidence=confidence,
        guarantee=_guarantee(target, confidence),
        reason="" if enough else reason,
    )


def target_recall(target: int, confidence: float) -> float:
    """The recall that the target method reaches with a confidence, between 0 and 1."""
    return float((1 - confidence) ** (1 / target))


def _guarantee(target: int, confidence: float) -> str:
    return (
        f"Recall is at least {target_recall(target, confidence):.3f} with {percent(confidence)} confidence if the"
        f" sample is random, drawn until {count(target, 'document')} in it are relevant, and the order of the review"
        " does not depend on it."
    )
