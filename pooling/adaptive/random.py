"""Random runs: the next document comes from a run drawn at random. This is the baseline of the bandits.

D. E. Losada, J. Parapar and A. Barreiro, Feeling lucky? Multi-armed bandits for ordering judgements in pooling-based
evaluation, SAC 2016, 1027-1034.
"""

from dataclasses import dataclass

import numpy as np

from pooling.adaptive.run_chooser import Bandit
from pooling.adaptive.state import State


@dataclass(frozen=True, kw_only=True)
class BanditRandom(Bandit):
    """Random runs: the first unjudged document of a run drawn at random (Losada et al. 2016).

    Parameters
    ----------
    seed : int
        Seed of the random numbers, from 0. Required.
    credit : {"one", "all"}
        Which runs count a judgement. It does not affect the order, since the counts are not used.
    rel : float
        Documents with this relevance or more are relevant; above 0.
    depth : int, optional
        Use only the first `depth` ranks of each run, at least 1. By default all ranks are used.

    Raises
    ------
    ValueError
        If a parameter is missing or not allowed.
    """

    name = "bandit_random"

    def _run_scores(self, state: State) -> np.ndarray:
        return np.zeros(state.rankings.n_runs)
