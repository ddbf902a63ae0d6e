"""How precise the corrected scores are after n grades of people, by the design of the sample.

The error of the corrected score of a system is the sum of influence * residual over the pairs, of which a sample is
known; the residual is the gain of people minus the gain that is expected for the model's grade. The result of each
design is the covariance matrix of these errors, shape (n_systems, n_systems):

uniform       a simple random sample of all pairs: N (N / n - 1) S
by topic      of each topic, in proportion to its pairs: (N / n - 1) sum of N_t S_t
by grade      strata are the model's grades, with Neyman's allocation: sum of N_h^2 (1 / n_h - 1 / N_h) S_h
by influence  Poisson: each pair with a probability in proportion to its influence on the differences of systems times
              the standard deviation of the residual at its model grade: sum of (1 - pi) / pi e e'

S is the covariance of the errors of the pairs, with one degree of freedom less. The probabilities of the last design
are mixed with equal ones, so that none is near 0 (Zrnic and Candès 2024).

References
----------
W. G. Cochran (1977). Sampling Techniques, 3rd edition, Wiley, chapters 2 and 5.
T. Zrnic and E. Candès (2024). Active statistical inference. ICML 2024, PMLR 235.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

MIXED = 0.2  # share of equal probabilities in those of the design "by influence"
DESIGNS = ("uniform", "by topic", "by grade", "by influence")
Covariance: TypeAlias = Callable[[float], np.ndarray]


@dataclass(frozen=True, eq=False)
class Population:
    """The errors of all pairs, shape (n_systems, n_pairs), the topic and the model's class of each pair, and the
    priority of each pair in the design "by influence", shape (n_pairs,)."""

    errors: np.ndarray
    topic: np.ndarray
    model_class: np.ndarray
    priority: np.ndarray

    def covariance(self, design: str) -> Covariance:
        """Return the function that maps a number of grades to the covariance of the corrected scores."""
        makers: dict[str, Callable[[], Covariance]] = {
            "uniform": lambda: self._proportional(np.zeros_like(self.topic)),
            "by topic": lambda: self._proportional(self.topic),
            "by grade": self._by_grade,
            "by influence": lambda: self._poisson,
        }
        return makers[design]()

    def _proportional(self, strata: np.ndarray) -> Covariance:
        n_pairs = len(strata)
        total = sum(size * covariance for size, covariance in self._strata(strata))
        return lambda n: np.asarray((n_pairs / n - 1) * total)

    def _by_grade(self) -> Covariance:
        strata = list(self._strata(self.model_class))
        sizes = np.array([size for size, _ in strata], dtype=np.float64)
        spread = np.sqrt([np.trace(covariance) for _, covariance in strata])
        matrices = np.stack([covariance for _, covariance in strata])

        def covariance(n: float) -> np.ndarray:
            drawn = _capped(sizes * spread, sizes, n, least=np.minimum(2, sizes))
            return np.asarray(np.tensordot(sizes**2 * (1 / drawn - 1 / sizes), matrices, axes=1))

        return covariance

    def _poisson(self, n: float) -> np.ndarray:
        n_pairs = len(self.priority)
        equal = n / n_pairs
        drawn = _capped(self.priority, np.ones(n_pairs), n, least=np.zeros(n_pairs))
        probability = np.clip((1 - MIXED) * drawn + MIXED * equal, 1e-12, 1)
        return np.asarray((self.errors * ((1 - probability) / probability)) @ self.errors.T)

    def _strata(self, strata: np.ndarray) -> list[tuple[int, np.ndarray]]:
        """The size and the covariance matrix of each stratum."""
        members = [self.errors[:, strata == stratum] for stratum in np.unique(strata)]
        return [(one.shape[1], _covariance(one)) for one in members]


def _covariance(errors: np.ndarray) -> np.ndarray:
    centred = errors - errors.mean(axis=1, keepdims=True)
    return np.asarray(centred @ centred.T / max(errors.shape[1] - 1, 1))


def _capped(priority: np.ndarray, most: np.ndarray, total: float, least: np.ndarray) -> np.ndarray:
    """Divide a total in proportion to a priority, each part between `least` and `most`."""
    parts = np.array(least, dtype=np.float64)
    free = (priority > 0) & (most > least)
    rest = total - parts.sum()
    full = np.zeros(len(parts), dtype=bool)
    while rest > 1e-9 and (open_ := free & ~full).any():
        share = rest * priority[open_] / priority[open_].sum()
        room = (most - parts)[open_]
        parts[open_] += np.minimum(share, room)
        full[np.flatnonzero(open_)[share >= room]] = True
        if (share <= room).all():
            break
        rest = total - parts.sum()
    return np.asarray(np.maximum(parts, least))
