"""Adaptive RBP pooling: the document that can still change the RBP of the best runs most.

A document at rank k of a run has the weight w = (1 - p) p^(k-1) in the run's rank-biased precision (RBP). Let base be
the sum of the weights of the run's relevant documents, and residual 1 minus the weights of its judged documents. The
importance of the run is residual * (base + residual / 2)^power: the unknown part of its RBP, times a power of the
middle of the range in which its RBP must lie. The score of a document is the sum over runs of its weight times the
importance of the run. The highest score is next; ties are resolved by lot (`pooling.strategies.lots`).

A. Moffat, W. Webber and J. Zobel, Strategic system comparisons via targeted relevance judgments, SIGIR 2007, 375-382
(their method C, power 3; `power=0` is their method B).
"""

from dataclasses import dataclass

import numpy as np

from pooling.adaptive.rankings import Rankings
from pooling.adaptive.state import State
from pooling.adaptive.strategy import Adaptive, checked_seed, position_of_highest
from pooling.strategies.lots import DEFAULT_SEED


@dataclass(frozen=True, kw_only=True)
class RBPAdaptive(Adaptive):
    """Adaptive RBP pooling: the document that can still change the RBP of the best runs most (Moffat et al. 2007).

    Parameters
    ----------
    p : float
        Persistence, 0 < p < 1.
    power : float
        At least 0. The larger it is, the more the runs that may be best count.
    seed : int
        Seed of the lots that decide between documents with the same score, from 0.
    rel : float
        Documents with this relevance or more are relevant; above 0.
    depth : int, optional
        Use only the first `depth` ranks of each run, at least 1. By default all ranks are used.

    Raises
    ------
    ValueError
        If a parameter is missing or not allowed.
    """

    name = "rbp_adaptive"
    p: float = 0.8
    power: float = 3
    seed: int = DEFAULT_SEED

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "seed", checked_seed(self.name, self.seed))
        self._normalise_number("p", lambda p: 0 < p < 1, "between 0 and 1, both excluded")
        self._normalise_number("power", lambda power: power >= 0, "a number from 0")

    def _initial_memory(self, rankings: Rankings) -> dict[str, np.ndarray]:
        return {"base": np.zeros(rankings.n_runs), "residual": np.ones(rankings.n_runs)}

    def _updated_memory(self, before: State, after: State) -> dict[str, np.ndarray]:
        runs, ranks = before.rankings.runs_with(after.latest)
        weights = self._weights(ranks)
        base, residual = before.memory["base"].copy(), before.memory["residual"].copy()
        base[runs] += weights * after.verdicts[after.latest]
        residual[runs] -= weights
        return {"base": base, "residual": residual}

    def _choose(self, state: State, available: np.ndarray) -> int:
        # Rounding may leave a residual a little below 0.
        base, residual = state.memory["base"], np.maximum(state.memory["residual"], 0)
        importance = residual * (base + residual / 2) ** self.power
        weights = self._weights(np.arange(1, state.rankings.positions.shape[1] + 1))
        scores = state.rankings.sum_by_document(importance[:, None] * weights)
        return position_of_highest(scores, available, state.rankings, self.seed)

    def _weights(self, ranks: np.ndarray) -> np.ndarray:
        return np.asarray((1 - self.p) * self.p ** (ranks - 1))
