"""Greedy bandit: the run with the largest share of relevant documents so far, and now and then any run.

The n-th document comes, with probability min(1, c K / (d^2 n)) for K runs, from a run drawn at random; else from the
run with the largest share of relevant ones among its judged documents (0 where none is judged).

P. Auer, N. Cesa-Bianchi and P. Fischer, Finite-time analysis of the multiarmed bandit problem, Machine Learning 47,
2002, 235-256 (epsilon_n-greedy); for pooling D. E. Losada, J. Parapar and A. Barreiro, SAC 2016, 1027-1034.
"""

from dataclasses import dataclass

import numpy as np

from pooling.adaptive.run_chooser import APPEAL, Bandit
from pooling.adaptive.state import State
from pooling.adaptive.strategy import chance


@dataclass(frozen=True, kw_only=True)
class BanditGreedy(Bandit):
    """Parameters: `seed`, `credit`, `rel`, `depth`, and how much is left to chance.

    Parameters
    ----------
    c : float
        At least 0; the larger, the longer runs are drawn at random. 0 is never.
    d : float
        0 < d <= 1; the smaller, the longer.
    """

    name = "bandit_greedy"
    c: float = 0.01
    d: float = 0.1

    def __post_init__(self):
        super().__post_init__()
        self._settle_number("c", lambda c: c >= 0, "it is a number from 0")
        self._settle_number("d", lambda d: 0 < d <= 1, "it is above 0 and at most 1")

    def _appeal(self, state: State) -> np.ndarray:
        judged, relevant = state.memory["judged"], state.memory["relevant"]
        explores = chance(self.seed, state, APPEAL).random() < self.c * len(judged) / (self.d**2 * (state.n_judged + 1))
        return np.zeros(len(judged)) if explores else relevant / np.maximum(judged, 1)
