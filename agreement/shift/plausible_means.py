"""Draws of the true mean scores of systems under two golds, given their mean scores over topics.

The mean scores over topics are the true means plus an error, which a sample of other topics would change. A rank
correlation of means with errors has a bias: independent errors of the two golds make it too small, and errors that they
share make it too large. Samples of topics add a second error to the first, so that their percentiles have the bias
twice. The draws here remove it, by a normal model of the systems:

    y_k = m_k + e_k          y_k: the pair of mean scores of system k under the two golds, less the mean of all systems
    m_k ~ N(0, S)            the true means
    e_k ~ N(0, V)            their errors

With T = S + V, the posterior distribution of m_k is N(B y_k, B V) with B = S T^-1. A draw is

    m_k = B y_k + (B V)^(1/2) V^(-1/2) e*_k

where e*_k is the error of the system in a bootstrap sample, so that the draw keeps the correlation between the errors
of similar systems (Laird and Louis 1987). If the systems differ much more than their errors, B is the unit matrix and
the draw is that of the plain bootstrap. V is the mean covariance of e*_k over systems. T is drawn anew from an inverse
Wishart distribution around the observed covariance of the n systems, with n - 1 degrees of freedom, because few systems
leave it uncertain; negative eigenvalues of S = T - V are set to 0. Errors that systems share leave fewer degrees of
freedom (Satterthwaite): (n - 1) / (1 - r^2 + r^2 c), where r is the share of V in T, and c is (n - 1) tr(N^2) / tr(N)^2
with N, the covariance of the errors of the systems.

The model treats all systems alike. If similar systems share most of their errors, V is too large for their differences,
and the draws are too close to equal rankings.

References
----------
N. M. Laird and T. A. Louis (1987). Empirical Bayes confidence intervals based on bootstrap samples. Journal of the
American Statistical Association 82(399), 739-750.
C. N. Morris (1983). Parametric empirical Bayes inference: theory and applications. Journal of the American Statistical
Association 78(381), 47-55.
"""

from collections.abc import Callable

import numpy as np

TINY = 1e-12
LEAST_DEGREES = 2.0  # of freedom of a covariance of two golds


def plausible_means(means: np.ndarray, errors: np.ndarray, n_topics: int, rng: np.random.Generator) -> np.ndarray:
    """Draw the true mean scores, less the mean of all systems.

    Parameters
    ----------
    means : ndarray of float, shape (n_systems, 2)
        Mean scores under the two golds. There are three systems or more.
    errors : ndarray of float, shape (n_draws, n_systems, 2)
        Mean scores in bootstrap samples, less `means`.
    n_topics : int
        Number of topics that were resampled, 2 or more.
    rng : numpy.random.Generator
        Source of the draws of T.

    Returns
    -------
    ndarray of float, shape (n_draws, n_systems, 2)
        One draw for each bootstrap sample.

    References
    ----------
    N. M. Laird and T. A. Louis (1987). Empirical Bayes confidence intervals based on bootstrap samples. Journal of the
    American Statistical Association 82(399), 739-750.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(1)
    >>> means = np.array([[0.1, 0.2], [0.3, 0.3], [0.6, 0.5], [0.8, 0.9]])
    >>> errors = rng.normal(0, 1e-6, (5, 4, 2))
    >>> draws = plausible_means(means, errors, 50, rng)
    >>> bool(np.allclose(draws, means - means.mean(axis=0), atol=1e-4))
    True
    """
    n_systems = len(means)
    centred = means - means.mean(axis=0)
    # A sample of n topics has (n - 1) / n of the variance.
    noise = (errors - errors.mean(axis=1, keepdims=True)) * np.sqrt(n_topics / (n_topics - 1))
    variance = np.einsum("dka,dkb->ab", noise, noise) / (len(noise) * (n_systems - 1))
    observed = centred.T @ centred / (n_systems - 1)
    degrees = _degrees(noise, observed, variance, n_topics)
    total = _inverse_wishart(observed, degrees, len(errors), rng)
    true = _by_eigenvalues(total - variance, lambda values: np.maximum(values, 0))
    shrinkage = true @ _by_eigenvalues(true + variance, _reciprocal)
    posterior = shrinkage @ variance
    scaling = _root((posterior + np.swapaxes(posterior, -1, -2)) / 2) @ _inverse_root(variance)
    return np.asarray(np.einsum("dab,kb->dka", shrinkage, centred) + np.einsum("dab,dkb->dka", scaling, noise))


def _degrees(noise: np.ndarray, observed: np.ndarray, variance: np.ndarray, n_topics: int) -> float:
    """Degrees of freedom of the observed covariance of the systems."""
    full = noise.shape[1] - 1
    share = min(float(np.trace(variance)) / max(float(np.trace(observed)), TINY), 1.0)
    concentration = sum(_concentration(noise[:, :, gold], n_topics) for gold in (0, 1)) / 2
    return float(max(full / (1 - share**2 + share**2 * max(concentration, 1.0)), LEAST_DEGREES))


def _concentration(noise: np.ndarray, n_topics: int) -> float:
    """(n - 1) tr(N^2) / tr(N)^2, unbiased by the error of N, which is estimated from n_topics - 1 differences."""
    between = noise.T @ noise / len(noise)
    trace, freedom = float(np.trace(between)), n_topics - 1
    if trace <= TINY:
        return 1.0
    square = (float((between**2).sum()) - trace**2 / freedom) / (1 + 1 / freedom)
    return float((noise.shape[1] - 1) * square / trace**2)


def _inverse_wishart(observed: np.ndarray, degrees: float, draws: int, rng: np.random.Generator) -> np.ndarray:
    """Draw covariances around the observed one, shape (draws, 2, 2), by Bartlett's decomposition."""
    lower = np.zeros((draws, 2, 2))
    lower[:, 0, 0] = np.sqrt(rng.chisquare(degrees, draws))
    lower[:, 1, 1] = np.sqrt(rng.chisquare(degrees - 1, draws))
    lower[:, 1, 0] = rng.normal(size=draws)
    root, inverse = _root(observed), np.linalg.inv(lower / np.sqrt(degrees))
    half = root @ np.swapaxes(inverse, -1, -2)
    return np.asarray(half @ np.swapaxes(half, -1, -2))


def _by_eigenvalues(matrices: np.ndarray, change: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    values, vectors = np.linalg.eigh(matrices)
    return np.asarray((vectors * change(values)[..., None, :]) @ np.swapaxes(vectors, -1, -2))


def _root(matrices: np.ndarray) -> np.ndarray:
    return _by_eigenvalues(matrices, lambda values: np.sqrt(np.where(_is_positive(values), values, 0)))


def _inverse_root(matrices: np.ndarray) -> np.ndarray:
    return _by_eigenvalues(matrices, lambda values: np.sqrt(_reciprocal(values)))


def _reciprocal(values: np.ndarray) -> np.ndarray:
    """1 / value, and 0 for values that are 0 except for rounding."""
    usable = _is_positive(values)
    return np.where(usable, 1 / np.where(usable, values, 1), 0.0)


def _is_positive(values: np.ndarray) -> np.ndarray:
    """Whether eigenvalues are above 0 by more than rounding."""
    return np.asarray(values > TINY * np.maximum(values.max(axis=-1, keepdims=True), 0))
