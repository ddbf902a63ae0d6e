"""Thompson sampling: each run draws a rate of relevant documents from its posterior; the largest draw is next.

The prior is uniform. If n_s documents of a run s are judged and r_s of them are relevant, its posterior is
Beta(1 + r_s, 1 + n_s - r_s).

W. R. Thompson, On the likelihood that one unknown probability exceeds another in view of the evidence of two samples,
Biometrika 25, 1933, 285-294; for pooling D. E. Losada, J. Parapar and A. Barreiro, SAC 2016, 1027-1034.
"""

from dataclasses import dataclass

import numpy as np

from pooling.adaptive.run_chooser import SCORE_PURPOSE, Bandit
from pooling.adaptive.state import State
from pooling.adaptive.strategy import rng_for


@dataclass(frozen=True, kw_only=True)
class BanditThompson(Bandit):
    """Thompson sampling: the run with the largest draw from Beta(1 + relevant, 1 + judged - relevant).

    The source is Thompson (1933); Losada, Parapar and Barreiro (2016) apply it to pooling.

    Parameters
    ----------
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

    name = "bandit_thompson"

    def _run_scores(self, state: State) -> np.ndarray:
        judged, relevant = state.memory["judged"], state.memory["relevant"]
        return rng_for(self.seed, state, SCORE_PURPOSE).beta(1 + relevant, 1 + judged - relevant)
