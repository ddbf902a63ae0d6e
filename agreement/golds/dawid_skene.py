"""Truth inference: the true grade of every item and the errors of every assessor (Dawid and Skene 1979).

Assessors err, each in their own way: one is strict, one clicks at random. Where several judged the same items, their
errors and the true grades can be estimated from each other; `agreement.golds.em_steps` has the model and its steps.

Undefined: no judgement at all (reason `empty`), only one assessor (`one_assessor`), whose errors nothing tells, or
nobody known by name (`no_identities`). A warning says that there are fewer than three assessors, which do not tell
whose error a disagreement is, or that the steps did not settle.

References
----------
A. P. Dawid and A. M. Skene (1979). Maximum likelihood estimation of observer error-rates using the EM algorithm.
Journal of the Royal Statistical Society, Series C 28(1), 20-28.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from agreement.golds.em_steps import Fit, Said, fit
from agreement.ratings import MISSING, Ratings

TIE = 1e-12
RULE = "dawid_skene"


@dataclass(frozen=True, eq=False)
class Truth:
    """True grades and errors of assessors, or the reason why there are none; made by `dawid_skene`.

    Attributes
    ----------
    fit : Fit or None
        None where undefined. Its items, assessors and grades are in the order of the following.
    scale : tuple
    assessors : tuple of str
        Those who judged anything.
    query_ids, doc_ids : ndarray of str, shape (n_items,)
        The items that anybody judged.
    n : ndarray of int, shape (n_items,)
        Judgements on each.
    status, reason
        As for `agreement.estimate.Estimate`.
    warnings : tuple of str
    """

    fit: Fit | None
    scale: tuple
    assessors: tuple[str, ...]
    query_ids: np.ndarray
    doc_ids: np.ndarray
    n: np.ndarray
    status: str = "ok"
    reason: str | None = None
    warnings: tuple[str, ...] = ()

    @property
    def defined(self) -> bool:
        """Whether there is a fit."""
        return self.status == "ok"

    def to_gold(self) -> pd.DataFrame:
        """The likeliest grade of every item, the lowest of equally likely ones.

        Returns
        -------
        DataFrame
            gold ("dawid_skene"), query_id, doc_id, relevance, probability (of this grade), n (judgements), by
            query_id, then doc_id; without rows where the truth is undefined.
        """
        posterior = self.fit.posterior if self.defined else np.zeros((0, len(self.scale)))
        best = (posterior >= posterior.max(axis=1, keepdims=True) - TIE).argmax(axis=1)
        items = slice(None) if self.defined else slice(0)
        frame = pd.DataFrame({"gold": RULE, "query_id": self.query_ids[items], "doc_id": self.doc_ids[items]})
        frame["relevance"] = [self.scale[grade] for grade in best]
        frame["probability"] = posterior[np.arange(len(best)), best]
        frame["n"] = self.n[items]
        return frame.sort_values(["query_id", "doc_id"], ignore_index=True)

    def confusion_frame(self) -> pd.DataFrame:
        """What every assessor says of documents of every true grade.

        Returns
        -------
        DataFrame
            assessor, truth, said (grades), probability (NA where `weight` is 0), weight (expected number of items of
            this truth that the assessor judged); without rows where the truth is undefined.
        """
        columns = ["assessor", "truth", "said"]
        names = self.assessors if self.defined else ()
        frame = pd.MultiIndex.from_product([names, self.scale, self.scale], names=columns).to_frame(index=False)
        confusion = self.fit.confusion.ravel() if self.defined else []
        weight = np.repeat(self.fit.weight.ravel(), len(self.scale)) if self.defined else np.zeros(0)
        frame["probability"] = pd.array(confusion, dtype="Float64")
        frame["weight"] = weight
        return frame.assign(probability=frame["probability"].where(weight > 0))


def dawid_skene(ratings: Ratings, max_iterations: int = 1000, tolerance: float = 1e-10) -> Truth:
    """Estimate true grades and the errors of every assessor (Dawid and Skene 1979).

    Parameters
    ----------
    ratings : Ratings
        For relevant and not relevant only, `ratings.binary(rel)`.
    max_iterations : int
        Number of M steps at most.
    tolerance : float
        The steps have settled where the log-likelihood grows by no more than this share of itself.

    Returns
    -------
    Truth

    Raises
    ------
    ValueError
        `max_iterations` is below 1, or `tolerance` below 0.
    """
    if max_iterations < 1 or not tolerance >= 0:
        raise ValueError(f"max_iterations is 1 or more, tolerance 0 or more; got {max_iterations} and {tolerance}")
    judged = ratings.codes != MISSING
    busy, items = judged.any(axis=1), judged.any(axis=0)
    assessors = tuple(name for name, some in zip(ratings.assessors, busy, strict=True) if some)
    known = (ratings.scale, assessors, ratings.query_ids[items], ratings.doc_ids[items], judged[:, items].sum(axis=0))
    if len(assessors) < 2:
        reason = "no_identities" if ratings.anonymous else "one_assessor" if assessors else "empty"
        return Truth(None, *known, status="undefined", reason=reason)
    codes = ratings.codes[busy][:, items]
    assessor, item = np.nonzero(codes != MISSING)
    said = Said(item, assessor, codes[assessor, item], len(ratings.scale))
    found = fit(said, max_iterations, tolerance)
    return Truth(found, *known, warnings=_warnings(found, assessors))


def _warnings(found: Fit, assessors: tuple[str, ...]) -> tuple[str, ...]:
    said = []
    if len(assessors) < 3:
        said.append("two assessors: their disagreements do not tell whose error it is")
    if not found.converged:
        said.append(f"the log-likelihood had not settled after {found.iterations} steps")
    return tuple(said)
