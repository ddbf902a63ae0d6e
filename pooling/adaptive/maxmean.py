"""MaxMean: the run with the largest posterior mean of the rate of relevant documents, (1 + r_s) / (2 + n_s).

For a run s, n_s of its documents are judged and r_s of these are relevant. This is the mean of the posterior of
Thompson sampling. Ties between runs are resolved at random.

D. E. Losada, J. Parapar and A. Barreiro, Feeling lucky? Multi-armed bandits for ordering judgements in pooling-based
evaluation, SAC 2016, 1027-1034 (MM); TREC's Common Core track of 2017 was built with a variant.
"""

from dataclasses import dataclass

import numpy as np

from pooling.adaptive.run_chooser import Bandit, posterior_mean
from pooling.adaptive.state import State


@dataclass(frozen=True, kw_only=True)
class MaxMean(Bandit):
    """MaxMean: the run with the largest (1 + relevant) / (2 + judged) (Losada et al. 2016).

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

    name = "maxmean"

    def _run_scores(self, state: State) -> np.ndarray:
        return posterior_mean(state)
