"""Truth inference: the true grade of each item and the errors of each assessor (Dawid and Skene 1979).

Each assessor makes errors in their own way: one is strict, one clicks at random. If several assessors judged the same
items, their errors and the true grades can be estimated from each other; `agreement.golds.em_steps` describes the model
and the algorithm.

References
----------
A. P. Dawid and A. M. Skene (1979). Maximum likelihood estimation of observer error-rates using the EM algorithm.
Journal of the Royal Statistical Society, Series C 28(1), 20-28.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from agreement.checks import check_ratings
from agreement.golds.em_steps import Fit, JudgementList, fit
from agreement.judgements import Scale
from agreement.ratings import MISSING, Ratings
from agreement.reasons import REASONS
from pooling.result import Result

TIE = 1e-12
RULE = "dawid_skene"


@dataclass(frozen=True, eq=False, repr=False)
class Truth(Result):
    """Inferred true grades and errors of assessors, or the reason why there are none; returned by `dawid_skene`.

    Parameters
    ----------
    fit : Fit or None
        The estimates: `posterior`, `confusion`, `weight`, `priors`, `log_likelihood`, `iterations` and `converged`.
        None if undefined. Its items, assessors and grades are in the order of the following parameters.
    scale : tuple
        The grades, lowest first.
    assessors : tuple of str
        The assessors with a judgement.
    query_ids, doc_ids : ndarray of str, shape (n_items,)
        The items with a judgement.
    n : ndarray of int, shape (n_items,)
        The number of judgements of each item.
    status : {"ok", "undefined"}
        Whether there is a fit.
    reason : {"empty", "one_assessor", "no_identities"} or None
        Why there is no fit: no judgement, only one assessor, or anonymous counts.
    warnings : tuple of str
        Reasons for caution: fewer than three assessors, or no convergence.

    Examples
    --------
    >>> from agreement import Ratings, dawid_skene
    >>> truth = dawid_skene(Ratings.from_matrix([[0, 1, 1], [0, 1, 0], [0, 1, 1]], scale=(0, 1), axis="assessors"))
    >>> truth.defined, truth.to_gold()["relevance"].tolist()
    (True, [0, 1, 1])
    """

    fit: Fit | None
    scale: Scale
    assessors: tuple[str, ...]
    query_ids: npt.NDArray[Any]
    doc_ids: npt.NDArray[Any]
    n: npt.NDArray[np.integer[Any]]
    status: str = "ok"
    reason: str | None = None
    warnings: tuple[str, ...] = ()

    @property
    def defined(self) -> bool:
        """Whether there is a fit."""
        return self.status == "ok"

    def to_frame(self) -> pd.DataFrame:
        """The most likely grade of each item, with the columns gold, query_id, doc_id, relevance, probability and n."""
        return self.to_gold()

    def _sentence(self) -> str:
        if self.fit is None:
            return f"undefined ({REASONS[self.reason or 'empty']})"
        basis = f"{len(self.n):,} items judged by {len(self.assessors)} assessors, {self.fit.iterations} iterations"
        return "; ".join([basis, *self.warnings])

    def to_gold(self) -> pd.DataFrame:
        """The most likely grade of each item; the lowest of equally likely grades.

        Returns
        -------
        DataFrame
            gold ("dawid_skene"), query_id, doc_id, relevance, probability (of this grade), n (judgements), by query_id,
            then doc_id; without rows if the truth is undefined.
        """
        posterior = np.zeros((0, len(self.scale))) if self.fit is None else self.fit.posterior
        best = (posterior >= posterior.max(axis=1, keepdims=True) - TIE).argmax(axis=1)
        items = slice(None) if self.defined else slice(0)
        frame = pd.DataFrame({"gold": RULE, "query_id": self.query_ids[items], "doc_id": self.doc_ids[items]})
        frame["relevance"] = [self.scale[grade] for grade in best]
        frame["probability"] = posterior[np.arange(len(best)), best]
        frame["n"] = self.n[items]
        return frame.sort_values(["query_id", "doc_id"], ignore_index=True)

    def confusion_frame(self) -> pd.DataFrame:
        """The errors of each assessor: the probability of each grade for items of each true grade.

        Returns
        -------
        DataFrame
            assessor, truth (true grade), judgement (the assessor's grade), probability (NA if `weight` is 0), weight
            (expected number of items of this true grade that the assessor judged); without rows if the truth is
            undefined.
        """
        columns = ["assessor", "truth", "judgement"]
        names = () if self.fit is None else self.assessors
        frame = pd.MultiIndex.from_product([names, self.scale, self.scale], names=columns).to_frame(index=False)
        confusion = np.zeros(0) if self.fit is None else self.fit.confusion.ravel()
        weight = np.zeros(0) if self.fit is None else np.repeat(self.fit.weight.ravel(), len(self.scale))
        frame["probability"] = pd.array(confusion, dtype="Float64")
        frame["weight"] = weight
        return frame.assign(probability=frame["probability"].where(weight > 0))


def dawid_skene(ratings: Ratings, max_iterations: int = 1000, tolerance: float = 1e-10) -> Truth:
    """Infer the true grade of each item and the errors of each assessor with the model of Dawid and Skene.

    The true grades and the error rates of the assessors are estimated in turn until the likelihood converges. Grades
    are labels without order. Nothing is random.

    Parameters
    ----------
    ratings : Ratings
        Two or more assessors, with or without missing judgements. For relevance only, pass `ratings.binary(rel)`.
    max_iterations : int, optional
        The largest number of iterations, 1 or more.
    tolerance : float, optional
        The algorithm converges if the log-likelihood grows by at most this share of itself; 0 or more.

    Returns
    -------
    Truth
        Undefined with the reason "empty" (no judgement), "one_assessor" (only one assessor has judgements) or
        "no_identities" (the ratings are anonymous counts). Its `warnings` state that there are fewer than three
        assessors, in which case the data do not show who made an error, or that the algorithm did not converge.

    Raises
    ------
    ValueError
        `max_iterations` is below 1, or `tolerance` below 0.

    References
    ----------
    A. P. Dawid and A. M. Skene (1979). Maximum likelihood estimation of observer error-rates using the EM algorithm.
    Journal of the Royal Statistical Society, Series C 28(1), 20-28.

    Examples
    --------
    >>> from agreement import Ratings, dawid_skene
    >>> rows = [[0, 1, 1], [0, 1, 0], [0, 1, 1]]
    >>> ratings = Ratings.from_matrix(rows, (0, 1), ("ada", "bob", "eve"), axis="assessors")
    >>> truth = dawid_skene(ratings)
    >>> truth.to_gold()[["doc_id", "relevance", "n"]]
      doc_id  relevance  n
    0      1          0  3
    1      2          1  3
    2      3          1  3
    """
    check_ratings(ratings, "dawid_skene")
    if max_iterations < 1 or not tolerance >= 0:
        raise ValueError(
            f"max_iterations must be 1 or more and tolerance 0 or more, not {max_iterations!r} and {tolerance!r}."
        )
    judged = ratings.codes != MISSING
    active, items = judged.any(axis=1), judged.any(axis=0)
    assessors = tuple(name for name, some in zip(ratings.assessors, active, strict=True) if some)
    known = (ratings.scale, assessors, ratings.query_ids[items], ratings.doc_ids[items], judged[:, items].sum(axis=0))
    if len(assessors) < 2:
        reason = "no_identities" if ratings.anonymous else "one_assessor" if assessors else "empty"
        return Truth(None, *known, status="undefined", reason=reason)
    codes = ratings.codes[active][:, items]
    assessor, item = np.nonzero(codes != MISSING)
    judgements = JudgementList(item, assessor, codes[assessor, item], len(ratings.scale))
    result = fit(judgements, max_iterations, tolerance)
    return Truth(result, *known, warnings=_warnings(result, assessors))


def _warnings(result: Fit, assessors: tuple[str, ...]) -> tuple[str, ...]:
    warnings = []
    if len(assessors) < 3:
        warnings.append("two assessors: their disagreements do not show who made an error")
    if not result.converged:
        warnings.append(f"the log-likelihood did not converge within {result.iterations} iterations")
    return tuple(warnings)
