"""Non-stationary MaxMean: as MaxMean, and what a run did long ago counts less, for rankings get worse further down.

When a document of a run is judged, the run's counts become n_s = rate n_s + 1 and r_s = rate r_s + (1 where relevant).
With rate 1 it is MaxMean; with rate 0 only the last judgement of each run counts.

D. E. Losada, J. Parapar and A. Barreiro, Multi-armed bandits for adjudicating documents in pooling-based evaluation of
information retrieval systems, Information Processing and Management 53(5), 2017, 1005-1025 (MM-NS).
"""

from dataclasses import dataclass

import numpy as np

from pooling.adaptive.run_chooser import Bandit, posterior_mean
from pooling.adaptive.state import State


@dataclass(frozen=True, kw_only=True)
class MaxMeanNS(Bandit):
    """Parameters: `seed`, `credit`, `rel`, `depth` and the rate.

    Parameters
    ----------
    rate : float
        What part of a run's past counts when its next document is judged; 0 to 1.
    """

    name = "maxmean_ns"
    rate: float = 0.0

    def __post_init__(self):
        super().__post_init__()
        self._settle_number("rate", lambda rate: 0 <= rate <= 1, "it is between 0 and 1")

    def _appeal(self, state: State) -> np.ndarray:
        return posterior_mean(state)

    def _kept(self) -> float:
        return self.rate
