"""Adaptive RBP pooling: the document that could still say most about the runs that could be the best.

A document at rank k of a run weighs w = (1 - p) p^(k-1) in the run's RBP. With base, the weights of the run's relevant
documents, and residual, 1 less the weights of its judged ones, the run matters residual * (base + residual / 2)^3: what
is unknown of it, times the third power of the middle of the range in which its RBP must lie. A document's value is the
sum over runs of its weight times how much the run matters; the highest goes next, ties by THE order.

A. Moffat, W. Webber and J. Zobel, Strategic system comparisons via targeted relevance judgments, SIGIR 2007, 375-382
(their method C; `power=0` is their method B).
"""

from dataclasses import dataclass

import numpy as np

from pooling.adaptive.document_sums import summed_by_document
from pooling.adaptive.rankings import Rankings
from pooling.adaptive.state import State
from pooling.adaptive.strategy import Adaptive, highest


@dataclass(frozen=True, kw_only=True)
class RBPAdaptive(Adaptive):
    """Parameters: `rel`, `depth`, and those of the measure.

    Parameters
    ----------
    p : float
        Persistence, 0 < p < 1.
    power : float
        From 0; how much more the runs matter that could be the best.
    """

    name = "rbp_adaptive"
    p: float = 0.8
    power: float = 3

    def __post_init__(self):
        super().__post_init__()
        self._settle_number("p", lambda p: 0 < p < 1, "the persistence is between 0 and 1")
        self._settle_number("power", lambda power: power >= 0, "it is a number from 0")

    def _first_memory(self, rankings: Rankings) -> dict[str, np.ndarray]:
        return {"base": np.zeros(rankings.n_runs), "residual": np.ones(rankings.n_runs)}

    def _memory_after(self, before: State, after: State) -> dict[str, np.ndarray]:
        runs, ranks = before.rankings.holders(after.latest)
        weights = self._weights(ranks)
        base, residual = before.memory["base"].copy(), before.memory["residual"].copy()
        base[runs] += weights * after.verdicts[after.latest]
        residual[runs] -= weights
        return {"base": base, "residual": residual}

    def _choice(self, state: State, available: np.ndarray) -> int:
        base, residual = state.memory["base"], np.maximum(state.memory["residual"], 0)
        matters = residual * (base + residual / 2) ** self.power
        weights = self._weights(np.arange(1, state.rankings.positions.shape[1] + 1))
        return highest(summed_by_document(state.rankings, matters[:, None] * weights), available)

    def _weights(self, ranks: np.ndarray) -> np.ndarray:
        return (1 - self.p) * self.p ** (ranks - 1)
