"""Epsilon-greedy bandit: prefer the run with the largest share of relevant documents, and sometimes any run.

The n-th document comes, with probability min(1, c K / (d^2 n)) for K runs, from a run drawn at random; otherwise from
the run with the largest share of relevant documents among its judged documents (0 if none is judged).

With the defaults (c = 0.01, d = 0.1) the probability is min(1, K / n). So the first K documents of a topic all come
from runs drawn at random, as in `bandit_random` with the same seed, whatever was judged; the n-th document after that
does with probability K / n. With more runs than judgements per topic, the strategy never uses what it learns. In
general, the first c K / d^2 documents (rounded down) come from random runs.

P. Auer, N. Cesa-Bianchi and P. Fischer, Finite-time analysis of the multiarmed bandit problem, Machine Learning 47,
2002, 235-256 (epsilon_n-greedy); for pooling D. E. Losada, J. Parapar and A. Barreiro, SAC 2016, 1027-1034.
"""

from dataclasses import dataclass

import numpy as np

from pooling.adaptive.run_chooser import SCORE_PURPOSE, Bandit
from pooling.adaptive.state import State
from pooling.adaptive.strategy import rng_for


@dataclass(frozen=True, kw_only=True)
class BanditGreedy(Bandit):
    """Epsilon-greedy bandit (Auer et al. 2002): the run with the largest share of relevant documents, or any run.

    With the defaults of `c` and `d`, the first K documents of a topic come from runs drawn at random, if there are K
    runs, and the n-th document after that with probability K / n.

    Parameters
    ----------
    c : float
        Exploration constant, at least 0. The larger it is, the longer runs are drawn at random; 0 means never.
    d : float
        Exploration constant, 0 < d <= 1. The smaller it is, the longer runs are drawn at random.
    seed : int
        Seed of the random numbers, from 0. Required.
    credit : {"one", "all"}
        Which runs learn from a judgement: the run that proposed the document, or all runs that have it.
    rel : float
        Documents with this relevance or more are relevant; above 0.
    depth : int, optional
        Use only the first `depth` ranks of each run, at least 1. By default all ranks are used.

    Raises
    ------
    ValueError
        If a parameter is missing or not allowed.
    """

    name = "bandit_greedy"
    c: float = 0.01
    d: float = 0.1

    def __post_init__(self) -> None:
        super().__post_init__()
        self._normalise_number("c", lambda c: c >= 0, "a number from 0")
        self._normalise_number("d", lambda d: 0 < d <= 1, "above 0 and at most 1")

    def _run_scores(self, state: State) -> np.ndarray:
        judged, relevant = state.memory["judged"], state.memory["relevant"]
        epsilon = self.c * len(judged) / (self.d**2 * (state.n_judged + 1))
        if rng_for(self.seed, state, SCORE_PURPOSE).random() < epsilon:
            return np.zeros(len(judged))
        return np.asarray(relevant / np.maximum(judged, 1))
