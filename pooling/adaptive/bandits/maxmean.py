"""MaxMean: the run with the highest expected rate of relevant documents, (1 + r_s) / (2 + n_s).

That is the mean of the belief of Thompson sampling: n_s documents of the run were judged, r_s of them relevant. Runs
with the same mean are drawn from by chance.

D. E. Losada, J. Parapar and A. Barreiro, Feeling lucky? Multi-armed bandits for ordering judgements in pooling-based
evaluation, SAC 2016, 1027-1034 (MM); TREC's Common Core track of 2017 was built with a variant.
"""

from dataclasses import dataclass

import numpy as np

from pooling.adaptive.run_chooser import Bandit, posterior_mean
from pooling.adaptive.state import State


@dataclass(frozen=True, kw_only=True)
class MaxMean(Bandit):
    """Parameters: `seed`, `credit`, `rel` and `depth`."""

    name = "maxmean"

    def _appeal(self, state: State) -> np.ndarray:
        return posterior_mean(state)
