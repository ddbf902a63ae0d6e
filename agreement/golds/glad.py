"""Truth inference with abilities of assessors and difficulties of items: GLAD (Whitehill and others 2009).

An error on a difficult item says less about an assessor than one on an easy item. GLAD estimates one number for each
assessor and one for each item, with the EM algorithm.

Assessor j has the ability a_j, and item i the ease e_i > 0, of which the article calls the inverse 1/e_i difficulty.
With s(x) = 1 / (1 + exp(-x)), the assessor gives the true grade of the item with the probability

    p_ij = s(a_j e_i)                                             equation 1

An assessor with ability 0 guesses between two grades, and one below 0 tends to the wrong one. The article has two
grades. The usual extension to K grades, used here, divides 1 - p_ij equally between the K - 1 other grades. Each grade
is the true one with prior probability 1/K. Ability and log(e_i) have normal priors with mean 1 and variance 1.

The algorithm starts with all abilities and all log(e_i) at 1. T_ik is the probability that k is the true grade of i,
and t_ij the T_ik of the grade k that j gave i. Each iteration has one M step and one E step:

    M step     a_j increases by g / h, g = sum over i of (t_ij - p_ij) e_i - (a_j - 1),
                                       h = sum over i of p_ij (1 - p_ij) e_i^2 + 1
               then log(e_i) by g / h, g = sum over j of (t_ij - p_ij) a_j e_i - (log(e_i) - 1),
                                       h = sum over j of p_ij (1 - p_ij) a_j^2 e_i^2 + 1
    E step     T_ik proportional to the product over j of p_ij if j gave i the grade k, and else (1 - p_ij) / (K - 1)

g is the derivative of the expected log-likelihood with its priors, and h its expected curvature, so the M step is one
step of Fisher's scoring for each parameter on its own. An increment that would lower the function is halved until it
does not. So every iteration raises

    objective = sum over i of log(sum over k of the product above / K)
                - sum over j of (a_j - 1)^2 / 2 - sum over i of (log(e_i) - 1)^2 / 2

and any fixed point is a stationary point of it, as with a complete maximisation in each M step. Nothing is random.

References
----------
J. Whitehill, P. Ruvolo, T. Wu, J. Bergsma and J. Movellan (2009). Whose vote should count more: optimal integration of
labels from labelers of unknown expertise. Advances in Neural Information Processing Systems 22, 2035-2043.
K. Lange (1995). A gradient algorithm locally equivalent to the EM algorithm. Journal of the Royal Statistical Society,
Series B 57(2), 425-437.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from agreement.golds.em_steps import Fit, Floats, Integers, JudgementList, accuracies, normalised, summed, weights
from agreement.golds.truth import Truth, check_stopping, infer
from agreement.ratings import Ratings, check_ratings

RULE = "glad"
PRIOR_MEAN = 1.0  # of abilities and of log(e_i); the variance is 1
HALVINGS = 40
SLACK = 1e-12  # a function that falls by this share does so by rounding


def glad(ratings: Ratings, max_iterations: int = 1000, tolerance: float = 1e-10) -> Truth:
    """Infer the true grade of each item, the ability of each assessor and the difficulty of each item with GLAD.

    An assessor gives the true grade with the probability 1 / (1 + exp(-ability / difficulty)), and each other grade
    equally often. The model of the article has two grades; the equal division of errors is the usual extension. Grades
    are labels without order. Ability and log(1 / difficulty) have normal priors with mean 1 and variance 1, and all
    grades the same prior probability. Nothing is random.

    Parameters
    ----------
    ratings : Ratings
        Two or more assessors, with or without missing judgements. For relevance only, pass `ratings.binary(rel)`.
    max_iterations : int, optional
        The largest number of iterations, 1 or more.
    tolerance : float, optional
        The algorithm converges if the log-likelihood with the priors grows by at most this share of itself; 0 or more.

    Returns
    -------
    Truth
        `fit` also has the abilities `ability`, shape (n_assessors,), and `log_ease`, the logarithm of 1 / difficulty,
        shape (n_items,). Undefined with the reason "empty" (no judgement), "one_assessor" (only one assessor has
        judgements) or "no_identities" (the ratings are anonymous counts).

    Raises
    ------
    ValueError
        `max_iterations` is below 1, or `tolerance` below 0.

    References
    ----------
    J. Whitehill, P. Ruvolo, T. Wu, J. Bergsma and J. Movellan (2009). Whose vote should count more: optimal integration
    of labels from labelers of unknown expertise. Advances in Neural Information Processing Systems 22, 2035-2043.

    Examples
    --------
    >>> from agreement import Ratings, glad
    >>> rows = [[0, 1, 1, 0], [0, 1, 0, 0], [0, 1, 1, 1]]
    >>> truth = glad(Ratings.from_matrix(rows, (0, 1), ("ada", "bob", "eve"), axis="assessors"))
    >>> truth.to_gold()["relevance"].tolist()
    [0, 1, 1, 0]
    >>> truth.competence_frame().round(2)
      assessor  n  accuracy  ability
    0      ada  4      0.92     1.10
    1      bob  4      0.75     0.69
    2      eve  4      0.75     0.69
    """
    check_ratings(ratings, RULE)
    check_stopping(max_iterations, tolerance)
    return infer(ratings, RULE, partial(fit, max_iterations=max_iterations, tolerance=tolerance))


@dataclass(frozen=True, eq=False)
class GladFit(Fit):
    """The result of GLAD.

    `confusion` has the mean of p_ij over the items that an assessor judged, and `priors` are equal. `log_likelihood`
    is without the priors of the parameters; the objective with them decides about convergence.

    Attributes
    ----------
    ability : ndarray, shape (n_assessors,)
        a: 0 for an assessor who guesses between two grades, below 0 for one who is usually wrong.
    log_ease : ndarray, shape (n_items,)
        log(e): the natural logarithm of 1/difficulty.
    objective : float
        The log-likelihood with the priors, without constants.
    """

    ability: Floats
    log_ease: Floats
    objective: float

    @property
    def own_parameters(self) -> dict[str, Floats]:
        """The ability."""
        return {"ability": self.ability}

    def predicted(self, item: Integers, assessor: Integers) -> Floats:
        """The probability of each grade that an assessor gives to an item, shape (n, n_grades).

        Shapes: `item`, `assessor` (n,), positions of known items and assessors.
        """
        right = _right(self.ability[assessor] * np.exp(self.log_ease[item]))[:, None]
        truth = self.posterior[item]
        return np.asarray(truth * right + (1 - truth) * (1 - right) / max(truth.shape[1] - 1, 1))


def fit(judgements: JudgementList, max_iterations: int = 1000, tolerance: float = 1e-10) -> GladFit:
    """Run the algorithm."""
    ability = np.full(int(judgements.assessor.max()) + 1, PRIOR_MEAN)
    ease = np.full(int(judgements.item.max()) + 1, PRIOR_MEAN)
    posterior, _ = _e_step(judgements, ability, ease)
    previous, converged, iterations = -np.inf, False, 0
    while not converged and iterations < max_iterations:
        ability, ease = _m_step(judgements, posterior, ability, ease)
        posterior, log_likelihood = _e_step(judgements, ability, ease)
        objective = log_likelihood - _penalty(ability).sum() - _penalty(ease).sum()
        converged = bool(objective - previous <= tolerance * abs(objective))
        previous, iterations = objective, iterations + 1
    return GladFit(
        posterior,
        _confusion(judgements, ability, ease),
        weights(judgements, posterior),
        np.full(judgements.n_grades, 1 / judgements.n_grades),
        log_likelihood,
        iterations,
        converged,
        accuracies(judgements, posterior),
        ability,
        ease,
        float(objective),
    )


def _right(scaled: Floats) -> Floats:
    """The logistic function, without overflow."""
    return np.asarray(np.exp(-np.logaddexp(0, -scaled)))


def _penalty(parameters: Floats) -> Floats:
    return np.asarray((parameters - PRIOR_MEAN) ** 2 / 2)


def _e_step(judgements: JudgementList, ability: Floats, ease: Floats) -> tuple[Floats, float]:
    """The posterior, and the log-likelihood of the parameters."""
    others = np.log(max(judgements.n_grades - 1, 1))
    scaled = ability[judgements.assessor] * np.exp(ease[judgements.item])
    wrong = -np.logaddexp(0, scaled) - others
    evidence = np.where(
        np.eye(judgements.n_grades, dtype=bool)[judgements.grade], -np.logaddexp(0, -scaled)[:, None], wrong[:, None]
    )
    return normalised(summed(judgements.item, evidence, len(ease)) - np.log(judgements.n_grades))


def _m_step(judgements: JudgementList, posterior: Floats, ability: Floats, ease: Floats) -> tuple[Floats, Floats]:
    right = posterior[judgements.item, judgements.grade]
    easy = np.exp(ease)[judgements.item]
    ability = _raised(ability, judgements.assessor, right, lambda own: (own * easy, easy))
    able = ability[judgements.assessor]

    def of_ease(own: Floats) -> tuple[Floats, Floats]:
        scaled = able * np.exp(own)
        return scaled, scaled

    return ability, _raised(ease, judgements.item, right, of_ease)


def _raised(
    parameters: Floats, group: Integers, right: Floats, scaled_and_slope: Callable[[Floats], tuple[Floats, Floats]]
) -> Floats:
    """One step of Fisher's scoring for each parameter.

    `scaled_and_slope` returns a_j e_i and its derivative with respect to the parameter, from the parameter of each
    judgement. Shapes: `parameters` (n_parameters,); `group`, `right` (n_judgements,).
    """
    size = len(parameters)

    def objective(values: Floats) -> Floats:
        scaled, _ = scaled_and_slope(values[group])
        expected = -right * np.logaddexp(0, -scaled) - (1 - right) * np.logaddexp(0, scaled)
        return np.asarray(np.bincount(group, expected, size) - _penalty(values))

    scaled, slope = scaled_and_slope(parameters[group])
    p = _right(scaled)
    gradient = np.bincount(group, (right - p) * slope, size) - (parameters - PRIOR_MEAN)
    curvature = np.bincount(group, p * (1 - p) * slope**2, size) + 1
    step, before = gradient / curvature, objective(parameters)
    for _ in range(HALVINGS):
        lower = objective(parameters + step) < before - SLACK * (1 + np.abs(before))
        if not lower.any():
            return np.asarray(parameters + step)
        step = np.where(lower, step / 2, step)
    return np.asarray(parameters + np.where(lower, 0, step))


def _confusion(judgements: JudgementList, ability: Floats, ease: Floats) -> Floats:
    """The mean probabilities over the items of each assessor, shape (n_assessors, n_grades, n_grades)."""
    right = _right(ability[judgements.assessor] * np.exp(ease[judgements.item]))
    mean = np.bincount(judgements.assessor, right) / np.bincount(judgements.assessor)
    size = judgements.n_grades
    wrong = (1 - mean) / max(size - 1, 1)
    return np.asarray(np.where(np.eye(size, dtype=bool), mean[:, None, None], wrong[:, None, None]))
