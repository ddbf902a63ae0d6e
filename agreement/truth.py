"""Truth inference: the true grades and every assessor's errors, estimated from each other.

The model of Dawid and Skene (1979). Item i has a true grade k with probability p_k. Assessor j says l about an item
that is truly k with probability c_j(k, l), whatever others say. With n_ij(l) how often j said l about i (0 or 1),
three steps are repeated, the second and third until the log-likelihood settles:

    start      T_ik = share of the judgements on i that say k                              equation 3.1
    M step     c_j(k, l) = sum over i of T_ik n_ij(l) / sum over i and l of the same       equation 2.3
               p_k = mean over i of T_ik                                                   equation 2.4
    E step     T_ik proportional to p_k times the product over j and l of c_j(k, l)^n_ij(l)   equation 2.5

    log-likelihood = sum over i of log(sum over k of p_k times the product above)          equation 2.7

Nothing is drawn at random, and the start keeps the grades in their places: grade k of the result is grade k of the
scale. The likelihood may have several maxima; this is the one that the start leads to. Grades are taken as labels
without order. Missing judgements are no evidence.

Where no item that an assessor judged has any weight on grade k, the row c_j(k, .) is 0/0: it enters the
computation as 1/n_grades throughout, which says nothing, and is NA in `confusion_frame`.

Undefined: no judgement at all (reason `empty`), or only one assessor (`one_assessor`), whose errors nothing tells.
A warning says that there are fewer than three assessors, which do not tell whose error a disagreement is, or that
the steps did not settle.

References
----------
A. P. Dawid and A. M. Skene (1979). Maximum likelihood estimation of observer error-rates using the EM algorithm.
Journal of the Royal Statistical Society, Series C 28(1), 20-28.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.sparse import csr_array
from scipy.special import logsumexp

from agreement.ratings import MISSING, Ratings

TIE = 1e-12
RULE = "dawid_skene"


@dataclass(frozen=True, eq=False)
class Fit:
    """Where the steps ended.

    Attributes
    ----------
    posterior : ndarray, shape (n_items, n_grades)
        T: the probability of every true grade. Rows sum to 1.
    confusion : ndarray, shape (n_assessors, n_grades, n_grades)
        c: the probability of what an assessor says (last axis), given the true grade. Rows sum to 1.
    weight : ndarray, shape (n_assessors, n_grades)
        The expected number of items of each true grade that an assessor judged; a row of `confusion` rests on it.
    priors : ndarray, shape (n_grades,)
        p: how common every true grade is. They sum to 1.
    log_likelihood : float
        Natural logarithm; never above 0.
    iterations : int
        Number of M steps.
    converged : bool
        Whether the log-likelihood settled.
    """

    posterior: np.ndarray
    confusion: np.ndarray
    weight: np.ndarray
    priors: np.ndarray
    log_likelihood: float
    iterations: int
    converged: bool


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
        return Truth(None, *known, status="undefined", reason="one_assessor" if assessors else "empty")
    found = fit(_said(ratings.codes[busy][:, items], len(ratings.scale)), len(ratings.scale), max_iterations, tolerance)
    return Truth(found, *known, warnings=_warnings(found, assessors))


def fit(said: csr_array, n_grades: int, max_iterations: int = 1000, tolerance: float = 1e-10) -> Fit:
    """The steps of the module.

    Parameters
    ----------
    said : sparse array of shape (n_items, n_assessors * n_grades)
        n_ij(l) at [i, j * n_grades + l]: how often j said l about i. Every item and assessor has a judgement.
    n_grades, max_iterations, tolerance
        As for `dawid_skene`.
    """
    posterior = _start(said, n_grades)
    before, converged = -np.inf, False
    for iteration in range(1, max_iterations + 1):
        confusion, weight, priors = _errors(said, posterior, n_grades)
        posterior, log_likelihood = _truths(said, confusion, priors)
        converged = bool(log_likelihood - before <= tolerance * abs(log_likelihood))
        if converged:
            break
        before = log_likelihood
    return Fit(posterior, confusion, weight, priors, log_likelihood, iteration, converged)


def _said(codes: np.ndarray, n_grades: int) -> csr_array:
    assessor, item = np.nonzero(codes != MISSING)
    column = assessor * n_grades + codes[assessor, item]
    shape = (codes.shape[1], len(codes) * n_grades)
    return csr_array((np.ones(len(item)), (item, column)), shape=shape)


def _start(said: csr_array, n_grades: int) -> np.ndarray:
    n_assessors = said.shape[1] // n_grades
    counts = said @ np.tile(np.eye(n_grades), (n_assessors, 1))
    return counts / counts.sum(axis=1, keepdims=True)


def _errors(said: csr_array, posterior: np.ndarray, n_grades: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The M step: confusion, the weight of its rows, and priors."""
    joint = (said.T @ posterior).reshape(-1, n_grades, n_grades).swapaxes(1, 2)
    weight = joint.sum(axis=2)
    known = weight[:, :, None] > 0
    confusion = np.where(known, joint / np.where(known, weight[:, :, None], 1), 1 / n_grades)
    return confusion, weight, posterior.mean(axis=0)


def _truths(said: csr_array, confusion: np.ndarray, priors: np.ndarray) -> tuple[np.ndarray, float]:
    """The E step: posterior, and the log-likelihood of what it was computed from."""
    n_grades = len(priors)
    with np.errstate(divide="ignore"):  # a grade that is impossible has the logarithm -inf
        evidence = np.log(confusion.swapaxes(1, 2).reshape(-1, n_grades))
        joint = np.log(priors) + said @ evidence
    total = logsumexp(joint, axis=1, keepdims=True)
    return np.exp(joint - total), float(total.sum())


def _warnings(found: Fit, assessors: tuple[str, ...]) -> tuple[str, ...]:
    said = []
    if len(assessors) < 3:
        said.append("two assessors: their disagreements do not tell whose error it is")
    if not found.converged:
        said.append(f"the log-likelihood had not settled after {found.iterations} steps")
    return tuple(said)
