"""The EM algorithm of Dawid and Skene (1979): true grades and assessors' errors, estimated from each other in turn.

Item i has a true grade k with probability p_k. Assessor j gives an item with the true grade k the grade l with
probability c_j(k, l), independently of the others. With n_ij(l) = 1 if j gave i the grade l and 0 otherwise, the second
and third steps are repeated until the log-likelihood converges:

    start      T_ik = share of the judgements on i with grade k                            equation 3.1
    M step     c_j(k, l) = sum over i of T_ik n_ij(l) / sum over i and l of the same       equation 2.3
               p_k = mean over i of T_ik                                                   equation 2.4
    E step     T_ik proportional to p_k times the product over j and l of c_j(k, l)^n_ij(l)   equation 2.5

    log-likelihood = sum over i of log(sum over k of p_k times the product above)          equation 2.7

Nothing is random, and the start fixes the order of the grades: grade k of the result is grade k of the scale. The
likelihood may have several maxima; the result is the one reached from this start. Grades are labels without order.
Missing judgements are ignored.

If no item that an assessor judged has any weight on grade k, the row c_j(k, .) is 0/0. The computation uses 1/n_grades
for it, which has no effect, and `Truth.confusion_frame` shows NA.

References
----------
A. P. Dawid and A. M. Skene (1979). Maximum likelihood estimation of observer error-rates using the EM algorithm.
Journal of the Royal Statistical Society, Series C 28(1), 20-28.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.integer[Any]]


@dataclass(frozen=True, eq=False)
class Fit:
    """The result of the EM algorithm of a model.

    Attributes
    ----------
    posterior : ndarray, shape (n_items, n_grades)
        T: the probability of each true grade. Rows sum to 1.
    confusion : ndarray, shape (n_assessors, n_grades, n_grades)
        c: the probability of the grade that an assessor gives (last axis) for each true grade. Rows sum to 1.
    weight : ndarray, shape (n_assessors, n_grades)
        The expected number of items of each true grade that an assessor judged, the basis of a row of `confusion`.
    priors : ndarray, shape (n_grades,)
        p: the share of each true grade. They sum to 1.
    log_likelihood : float
        Natural logarithm; never above 0.
    iterations : int
        Number of M steps.
    converged : bool
        Whether the log-likelihood converged.
    accuracy : ndarray, shape (n_assessors,)
        The mean posterior probability of the grades that an assessor gave.
    """

    posterior: Floats
    confusion: Floats
    weight: Floats
    priors: Floats
    log_likelihood: float
    iterations: int
    converged: bool
    accuracy: Floats

    @property
    def judged(self) -> Integers:
        """The number of judgements of each assessor, shape (n_assessors,)."""
        return np.asarray(np.rint(self.weight.sum(axis=1)).astype(np.int64))

    @property
    def own_parameters(self) -> dict[str, Floats]:
        """The parameters of an assessor that only this model has, by name; each of shape (n_assessors,)."""
        return {}

    def predicted(self, item: Integers, assessor: Integers) -> Floats:
        """The probability of each grade that an assessor gives to an item, shape (n, n_grades).

        Shapes: `item`, `assessor` (n,), positions of known items and assessors.
        """
        return np.asarray(np.einsum("nk,nkl->nl", self.posterior[item], self.confusion[assessor]))


@dataclass(frozen=True, eq=False)
class JudgementList:
    """Judgements one by one; several judgements of an item by the same assessor all count.

    Attributes
    ----------
    item, assessor, grade : ndarray of int, shape (n_judgements,)
        Positions from 0; each item and each assessor up to the last occurs.
    n_grades : int
        Number of grades of the scale.
    """

    item: Integers
    assessor: Integers
    grade: Integers
    n_grades: int

    @property
    def answer(self) -> Integers:
        """The position of each judgement's (assessor, grade) among all such pairs, shape (n_judgements,)."""
        return self.assessor * self.n_grades + self.grade

    @property
    def n_answers(self) -> int:
        """Number of assessors times number of grades."""
        return (int(self.assessor.max()) + 1) * self.n_grades


def fit(judgements: JudgementList, max_iterations: int = 1000, tolerance: float = 1e-10) -> Fit:
    """Run the EM algorithm."""
    posterior, previous, converged, iterations = _start(judgements), -np.inf, False, 0
    while not converged and iterations < max_iterations:
        confusion, weight, priors = _m_step(judgements, posterior)
        posterior, log_likelihood = _e_step(judgements, confusion, priors)
        converged = bool(log_likelihood - previous <= tolerance * abs(log_likelihood))
        previous, iterations = log_likelihood, iterations + 1
    return Fit(
        posterior, confusion, weight, priors, log_likelihood, iterations, converged, accuracies(judgements, posterior)
    )


def accuracies(judgements: JudgementList, posterior: Floats) -> Floats:
    """The mean posterior probability of the grades of each assessor, shape (n_assessors,)."""
    given = posterior[judgements.item, judgements.grade]
    return np.asarray(np.bincount(judgements.assessor, given) / np.bincount(judgements.assessor))


def weights(judgements: JudgementList, posterior: Floats) -> Floats:
    """The expected number of items of each true grade that each assessor judged, shape (n_assessors, n_grades)."""
    return summed(judgements.assessor, posterior[judgements.item], int(judgements.assessor.max()) + 1)


def _start(judgements: JudgementList) -> Floats:
    one_hot = np.eye(judgements.n_grades)[judgements.grade]
    counts = summed(judgements.item, one_hot, int(judgements.item.max()) + 1)
    return np.asarray(counts / counts.sum(axis=1, keepdims=True))


def _m_step(judgements: JudgementList, posterior: Floats) -> tuple[Floats, Floats, Floats]:
    """The confusion, the weight of its rows, and the priors."""
    size = judgements.n_grades
    joint = summed(judgements.answer, posterior[judgements.item], judgements.n_answers)
    joint = joint.reshape(-1, size, size).swapaxes(1, 2)
    weight = joint.sum(axis=2)
    known = weight[:, :, None] > 0
    confusion = np.where(known, joint / np.where(known, weight[:, :, None], 1), 1 / size)
    return confusion, weight, posterior.mean(axis=0)


def _e_step(judgements: JudgementList, confusion: Floats, priors: Floats) -> tuple[Floats, float]:
    """The posterior, and the log-likelihood of the parameters."""
    with np.errstate(divide="ignore"):  # the logarithm of probability 0 is -inf
        evidence = np.log(confusion.swapaxes(1, 2).reshape(-1, judgements.n_grades))
        total = summed(judgements.item, evidence[judgements.answer], int(judgements.item.max()) + 1)
        joint = np.log(priors) + total
    return normalised(joint)


def normalised(joint: Floats) -> tuple[Floats, float]:
    """The posterior and the log-likelihood from the logarithms of joint probabilities, shape (n_items, n_grades)."""
    top = joint.max(axis=1, keepdims=True)  # finite, because at least one grade is possible
    likelihood = np.exp(joint - top).sum(axis=1, keepdims=True)
    return np.exp(joint - top) / likelihood, float((top + np.log(likelihood)).sum())


def summed(group: Integers, rows: Floats, n_groups: int) -> Floats:
    """The sum of the rows of each group, shape (n_groups, n_grades)."""
    return np.stack([np.bincount(group, column, n_groups) for column in rows.T], axis=1)
