"""The steps of truth inference: true grades and assessors' errors, estimated from each other in turn.

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

References
----------
A. P. Dawid and A. M. Skene (1979). Maximum likelihood estimation of observer error-rates using the EM algorithm.
Journal of the Royal Statistical Society, Series C 28(1), 20-28.
"""

from dataclasses import dataclass

import numpy as np


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
class Said:
    """Judgements one by one; who judged an item twice is heard twice.

    Attributes
    ----------
    item, assessor, grade : ndarray of int, shape (n_judgements,)
        Positions from 0; every item and every assessor up to the last occurs.
    n_grades : int
    """

    item: np.ndarray
    assessor: np.ndarray
    grade: np.ndarray
    n_grades: int

    @property
    def answer(self) -> np.ndarray:
        """Which of all answers, an assessor's to a grade, each judgement is; shape (n_judgements,)."""
        return self.assessor * self.n_grades + self.grade

    @property
    def n_answers(self) -> int:
        """Number of assessors times number of grades."""
        return (int(self.assessor.max()) + 1) * self.n_grades


def fit(said: Said, max_iterations: int = 1000, tolerance: float = 1e-10) -> Fit:
    """The steps of the module.

    Parameters
    ----------
    said : Said
    max_iterations, tolerance
        As for `dawid_skene`.
    """
    posterior, found = _start(said), None
    for iterations in range(1, max_iterations + 1):
        before = found.log_likelihood if found else -np.inf
        confusion, weight, priors = _errors(said, posterior)
        posterior, log_likelihood = _truths(said, confusion, priors)
        converged = bool(log_likelihood - before <= tolerance * abs(log_likelihood))
        found = Fit(posterior, confusion, weight, priors, log_likelihood, iterations, converged)
        if converged:
            break
    return found


def _start(said: Said) -> np.ndarray:
    counts = _summed(said.item, np.eye(said.n_grades)[said.grade], int(said.item.max()) + 1)
    return counts / counts.sum(axis=1, keepdims=True)


def _errors(said: Said, posterior: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The M step: confusion, the weight of its rows, and priors."""
    size = said.n_grades
    joint = _summed(said.answer, posterior[said.item], said.n_answers).reshape(-1, size, size).swapaxes(1, 2)
    weight = joint.sum(axis=2)
    known = weight[:, :, None] > 0
    confusion = np.where(known, joint / np.where(known, weight[:, :, None], 1), 1 / size)
    return confusion, weight, posterior.mean(axis=0)


def _truths(said: Said, confusion: np.ndarray, priors: np.ndarray) -> tuple[np.ndarray, float]:
    """The E step: posterior, and the log-likelihood of what it was computed from."""
    with np.errstate(divide="ignore"):  # what is impossible has the logarithm -inf
        evidence = np.log(confusion.swapaxes(1, 2).reshape(-1, said.n_grades))
        joint = np.log(priors) + _summed(said.item, evidence[said.answer], int(said.item.max()) + 1)
    top = joint.max(axis=1, keepdims=True)  # finite: some grade is possible
    likelihood = np.exp(joint - top).sum(axis=1, keepdims=True)
    return np.exp(joint - top) / likelihood, float((top + np.log(likelihood)).sum())


def _summed(place: np.ndarray, rows: np.ndarray, n_places: int) -> np.ndarray:
    """The sum of the rows of each place, shape (n_places, n_grades)."""
    return np.stack([np.bincount(place, column, n_places) for column in rows.T], axis=1)
