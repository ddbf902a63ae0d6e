"""The EM and variational algorithms of MACE (Hovy and others 2013): true grades, and who knows them.

For each judgement, assessor j knows the true grade with the probability theta_j, the competence, and then gives it.
Otherwise j gives a grade without regard to the item: the grade l with the probability xi_j(l), the strategy. Each grade
is the true one of an item with probability 1/K. So the grade l that j gives an item of the true grade k has

    c_j(k, l) = theta_j [k = l] + (1 - theta_j) xi_j(l)

T_ik is the probability that k is the true grade of item i, and r_ij the one that j, who gave i the grade l, knew it:

    E step     T_ik proportional to the product over j of c_j(k, l)
               r_ij = T_il theta_j / (theta_j + (1 - theta_j) xi_j(l))
    counts     known_j = sum over i of r_ij;  guessed_j(l) = sum of 1 - r_ij over the items to which j gave l
    M step     "em": theta_j and xi_j are shares of these counts, each raised by `smoothing` (0.01 / K)
               "vb": theta_j has the posterior Beta(known_j + 0.5, sum over l of guessed_j(l) + 0.5), and xi_j the
               posterior Dirichlet(guessed_j(l) + 10). The E step uses the exponentials of the expected logarithms,
               exp(digamma(count + prior) - digamma(sum of these)), for theta_j, 1 - theta_j and xi_j(l).

The priors are those of the authors' program. Each random start draws numbers between 1 and 1.5 for theta_j, 1 - theta_j
and xi_j(l), and divides them by their sums. An iteration is an M step and an E step. The objective never falls:

    "em"       sum over i of log(sum over k of the product above / K)
               + smoothing times the sum of the logarithms of all theta_j, 1 - theta_j and xi_j(l)
    "vb"       the evidence lower bound: the first line, with the exponentials, minus the Kullback-Leibler divergences
               of the posteriors of theta_j and xi_j from their priors

The start with the highest objective is the result; the first of those that are equal up to rounding. (The authors'
program compares the first lines only.)

References
----------
D. Hovy, T. Berg-Kirkpatrick, A. Vaswani and E. Hovy (2013). Learning whom to trust with MACE. Proceedings of NAACL-HLT
2013, 1120-1130.
"""

from dataclasses import dataclass

import numpy as np

from agreement.golds.em_steps import Fit, Floats, JudgementList, accuracies, normalised, weights

METHODS = ("vb", "em")
NOISE = 0.5
KNOWS_PRIOR = 0.5  # both parameters of Beta
STRATEGY_PRIOR = 10.0  # all parameters of Dirichlet
SMOOTHING = 0.01  # divided by the number of grades
EQUAL = 1e-9  # objectives that differ by this share are equal


@dataclass(frozen=True, eq=False)
class MaceFit(Fit):
    """The result of MACE.

    `confusion` is c, with posterior means for "vb", and `priors` are equal. `log_likelihood` is the first line of the
    objective.

    Attributes
    ----------
    competence : ndarray, shape (n_assessors,)
        theta; for "vb" the exponential of its expected logarithm, as the authors' program prints it.
    strategy : ndarray, shape (n_assessors, n_grades)
        xi; for "vb" the posterior mean. Rows sum to 1.
    objective : float
        What the algorithm raises, and what decides between the random starts.
    start : int
        The position of the random start that is the result, from 0.
    """

    competence: Floats
    strategy: Floats
    objective: float
    start: int = 0

    @property
    def own_parameters(self) -> dict[str, Floats]:
        """The competence."""
        return {"competence": self.competence}


@dataclass(frozen=True, eq=False)
class Parameters:
    """What an E step uses; shapes (n_assessors,), (n_assessors,) and (n_assessors, n_grades)."""

    knows: Floats
    guesses: Floats
    strategy: Floats


@dataclass(frozen=True, eq=False)
class Counts:
    """Expected numbers of judgements; shapes (n_assessors,) and (n_assessors, n_grades)."""

    known: Floats
    guessed: Floats

    @property
    def either(self) -> Floats:
        """Known, and guessed, shape (n_assessors, 2)."""
        return np.stack([self.known, self.guessed.sum(axis=1)], axis=1)


def fit(
    judgements: JudgementList,
    rng: np.random.Generator,
    method: str = "vb",
    starts: int = 10,
    max_iterations: int = 1000,
    tolerance: float = 1e-8,
) -> MaceFit:
    """Run the algorithm from random starts, and return the best result."""
    fits = [
        fit_from(judgements, random_start(judgements, rng), method, max_iterations, tolerance, start)
        for start in range(starts)
    ]
    best = max(each.objective for each in fits)
    return next(each for each in fits if each.objective >= best - EQUAL * abs(best))


def random_start(judgements: JudgementList, rng: np.random.Generator) -> Parameters:
    """Random parameters near equal probabilities."""
    n_assessors = int(judgements.assessor.max()) + 1
    either = 1 + NOISE * rng.random((n_assessors, 2))
    strategy = 1 + NOISE * rng.random((n_assessors, judgements.n_grades))
    knows, guesses = (either / either.sum(axis=1, keepdims=True)).T
    return Parameters(knows, guesses, strategy / strategy.sum(axis=1, keepdims=True))


def fit_from(
    judgements: JudgementList,
    parameters: Parameters,
    method: str = "vb",
    max_iterations: int = 1000,
    tolerance: float = 1e-8,
    start: int = 0,
) -> MaceFit:
    """Run the algorithm from one start."""
    posterior, _, counts = _e_step(judgements, parameters)
    previous, converged, iterations = -np.inf, False, 0
    while not converged and iterations < max_iterations:
        parameters, bonus = _vb_step(counts) if method == "vb" else _em_step(counts)
        used = counts
        posterior, log_likelihood, counts = _e_step(judgements, parameters)
        objective = log_likelihood + bonus
        converged = bool(objective - previous <= tolerance * abs(objective))
        previous, iterations = objective, iterations + 1
    means = _means(used) if method == "vb" else parameters
    return MaceFit(
        posterior,
        _confusion(means),
        weights(judgements, posterior),
        np.full(judgements.n_grades, 1 / judgements.n_grades),
        log_likelihood,
        iterations,
        converged,
        accuracies(judgements, posterior),
        parameters.knows,
        means.strategy,
        objective,
        start,
    )


def _e_step(judgements: JudgementList, parameters: Parameters) -> tuple[Floats, float, Counts]:
    """The posterior, the log-likelihood of the parameters, and the expected counts."""
    item, assessor, grade, size = judgements.item, judgements.assessor, judgements.grade, judgements.n_grades
    knows = parameters.knows[assessor]
    guesses = parameters.guesses[assessor] * parameters.strategy[assessor, grade]
    n_items, by_guess = int(item.max()) + 1, np.log(guesses)
    given = np.bincount(item * size + grade, np.log(knows + guesses) - by_guess, n_items * size)
    joint = np.bincount(item, by_guess, n_items)[:, None] + given.reshape(n_items, size) - np.log(size)
    posterior, log_likelihood = normalised(joint)
    knew = posterior[item, grade] * knows / (knows + guesses)
    n_assessors = len(parameters.knows)
    guessed = np.bincount(judgements.answer, 1 - knew, n_assessors * size).reshape(n_assessors, size)
    known = np.bincount(assessor, knew, n_assessors)
    return posterior, log_likelihood, Counts(known.astype(np.float64), guessed.astype(np.float64))


def _em_step(counts: Counts) -> tuple[Parameters, float]:
    """The shares of the smoothed counts, and the term of the objective that smoothing adds."""
    smoothing = SMOOTHING / counts.guessed.shape[1]
    either, strategy = counts.either + smoothing, counts.guessed + smoothing
    either = either / either.sum(axis=1, keepdims=True)
    strategy = strategy / strategy.sum(axis=1, keepdims=True)
    bonus = smoothing * float(np.log(either).sum() + np.log(strategy).sum())
    return Parameters(either[:, 0], either[:, 1], strategy), bonus


def _vb_step(counts: Counts) -> tuple[Parameters, float]:
    """The exponentials of the expected logarithms, and minus the divergences from the priors."""
    either, either_divergence = _expected(counts.either, KNOWS_PRIOR)
    strategy, strategy_divergence = _expected(counts.guessed, STRATEGY_PRIOR)
    return Parameters(either[:, 0], either[:, 1], strategy), -either_divergence - strategy_divergence


def _expected(counts: Floats, prior: float) -> tuple[Floats, float]:
    """The exponentials of expected logarithms of Dirichlet distributions, and their divergence from the prior.

    Shapes: `counts` (n, n_categories), as the exponentials.
    """
    from scipy.special import digamma, gammaln  # takes a moment to import

    posterior, size = counts + prior, counts.shape[1]
    total = posterior.sum(axis=1)
    logarithms = digamma(posterior) - digamma(total)[:, None]
    own = gammaln(total) - gammaln(posterior).sum(axis=1)
    of_prior = gammaln(size * prior) - size * gammaln(prior)
    divergence = (own - of_prior + (counts * logarithms).sum(axis=1)).sum()
    return np.asarray(np.exp(logarithms)), float(divergence)


def _means(counts: Counts) -> Parameters:
    """The means of the posteriors."""
    either, strategy = counts.either + KNOWS_PRIOR, counts.guessed + STRATEGY_PRIOR
    either = either / either.sum(axis=1, keepdims=True)
    return Parameters(either[:, 0], either[:, 1], strategy / strategy.sum(axis=1, keepdims=True))


def _confusion(parameters: Parameters) -> Floats:
    size = parameters.strategy.shape[1]
    knows = parameters.knows[:, None, None] * np.eye(size)
    return np.asarray(knows + parameters.guesses[:, None, None] * parameters.strategy[:, None, :])
