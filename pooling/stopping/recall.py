"""Recall of a review with an interval, from a random sample.

Two samples serve. A sample of *all* documents contains relevant documents, of which the review found some or not: the
share it found estimates recall, with the limits of Clopper and Pearson. A sample of the documents that the review did
*not* judge ("elusion") estimates how many relevant documents it missed: `missed = n_unjudged * relevant / sampled`,
recall = found / (found + missed), with limits from the hypergeometric distribution. Both intervals are exact: each
contains recall with at least the stated confidence if the sample is random, was drawn without a look at the review, and
its size does not depend on the relevance seen in it. The judges of sample and review are taken as right.

W. Webber, Approximate recall confidence intervals, ACM Transactions on Information Systems 31, 2013, article 2,
compares intervals of recall.
"""

from dataclasses import asdict, dataclass

import pandas as pd

from pooling.ranking import check_whole
from pooling.result import Result
from pooling.stopping.exact_limits import check_share, marked_limits, share_limits
from pooling.words import percent

GUARANTEE = (
    "The interval contains recall with at least this confidence if the sample is random and its size does not depend on"
    " what was found in it."
)


@dataclass(frozen=True, repr=False)
class RecallEstimate(Result):
    """Recall with its interval; the result of `sampled_recall` and `elusion_recall`.

    Attributes
    ----------
    value : float or None
        The estimated recall, 0 to 1; None if it is undefined.
    low, high : float or None
        The limits of the interval, 0 to 1; None if undefined.
    confidence : float
        The confidence level.
    n_sampled : int
        The size of the sample: of relevant documents, or of unjudged ones.
    method : {"sampled relevant documents", "elusion"}
        The kind of sample.
    status : {"ok", "undefined"}
        Whether there is a value.
    reason : str
        Why there is none; "" if there is.
    guarantee : str
        What holds, and under which assumption.

    Examples
    --------
    >>> from pooling import sampled_recall
    >>> sampled_recall(0, 0).reason
    'the sample has no relevant document'
    """

    value: float | None
    low: float | None
    high: float | None
    confidence: float
    n_sampled: int
    method: str
    status: str = "ok"
    reason: str = ""
    guarantee: str = GUARANTEE

    def to_frame(self) -> pd.DataFrame:
        """One row with all figures; NA where recall is undefined."""
        return pd.DataFrame([asdict(self)]).astype(dict.fromkeys(("value", "low", "high"), "Float64"))

    def _sentence(self) -> str:
        if self.value is None:
            return f"recall is undefined ({self.reason})"
        interval = f"{percent(self.confidence)} interval {self.low:.3f} to {self.high:.3f}"
        return f"recall {self.value:.3f} ({interval}; {self.method}, n = {self.n_sampled:,})"


def sampled_recall(n_relevant: int, n_found: int, *, confidence: float = 0.95) -> RecallEstimate:
    """Estimate recall from the relevant documents of a random sample of all documents.

    The interval is that of Clopper and Pearson (1934).

    Parameters
    ----------
    n_relevant : int
        The number of relevant documents in the sample, from 0.
    n_found : int
        How many of these the review found by itself, from 0 to `n_relevant`.
    confidence : float
        The confidence level of the interval, between 0 and 1.

    Returns
    -------
    RecallEstimate
        Recall, 0 to 1, with its interval. Undefined, with a reason, if no relevant document was sampled.

    Raises
    ------
    ValueError
        If a number is out of its range.

    Examples
    --------
    >>> from pooling import sampled_recall
    >>> estimate = sampled_recall(10, 9)
    >>> estimate.value, round(estimate.low, 4), round(estimate.high, 4)
    (0.9, 0.555, 0.9975)
    """
    check_whole("n_relevant", n_relevant, 0)
    _check_within("n_found", n_found, n_relevant, "n_relevant")
    check_share("confidence", confidence)
    if n_relevant == 0:
        reason = "the sample has no relevant document"
        return _undefined(reason, confidence, 0, "sampled relevant documents")
    low, high = share_limits(int(n_found), int(n_relevant), confidence)
    return RecallEstimate(n_found / n_relevant, low, high, confidence, int(n_relevant), "sampled relevant documents")


def elusion_recall(
    n_found: int, n_unjudged: int, n_sampled: int, n_relevant: int, *, confidence: float = 0.95
) -> RecallEstimate:
    """Estimate recall from a random sample of the documents that the review did not judge.

    The limits of the number of missed relevant documents are exact for a finite population (Buonaccorsi 1987). They
    give the limits of recall, because the number of found documents is known.

    Parameters
    ----------
    n_found : int
        The number of relevant documents that the review found, from 0, without those of the sample.
    n_unjudged : int
        The number of documents that the review did not judge, from 0, with those of the sample.
    n_sampled : int
        The number of these in the sample, from 0 to `n_unjudged`.
    n_relevant : int
        The number of relevant documents in the sample, from 0 to `n_sampled`.
    confidence : float
        The confidence level of the interval, between 0 and 1.

    Returns
    -------
    RecallEstimate
        Recall of the review, 0 to 1, with its interval. Undefined, with a reason, if the review found nothing or
        nothing was sampled while documents are unjudged.

    Raises
    ------
    ValueError
        If a number is out of its range.

    Examples
    --------
    >>> from pooling import elusion_recall
    >>> estimate = elusion_recall(n_found=90, n_unjudged=1000, n_sampled=100, n_relevant=1)
    >>> estimate.value, round(estimate.low, 4), round(estimate.high, 4)
    (0.9, 0.6338, 0.989)
    """
    check_whole("n_found", n_found, 0)
    check_whole("n_unjudged", n_unjudged, 0)
    _check_within("n_sampled", n_sampled, n_unjudged, "n_unjudged")
    _check_within("n_relevant", n_relevant, n_sampled, "n_sampled")
    check_share("confidence", confidence)
    n_sampled = int(n_sampled)
    if n_found == 0:
        return _undefined("the review found no relevant document", confidence, n_sampled, "elusion")
    if n_sampled == 0 and n_unjudged:
        return _undefined("the sample is empty", confidence, n_sampled, "elusion")
    missed = n_unjudged * n_relevant / n_sampled if n_sampled else 0.0
    least, most = marked_limits(int(n_relevant), n_sampled, int(n_unjudged), confidence)
    value, low, high = (n_found / (n_found + number) for number in (missed, most, least))
    return RecallEstimate(value, low, high, confidence, n_sampled, "elusion")


def _check_within(name: str, value: int, most: int, name_of_most: str) -> None:
    check_whole(name, value, 0)
    if value > most:
        raise ValueError(f"{name} must be at most {name_of_most}, {most}, not {value!r}")


def _undefined(reason: str, confidence: float, n_sampled: int, method: str) -> RecallEstimate:
    return RecallEstimate(None, None, None, confidence, n_sampled, method, "undefined", reason)
