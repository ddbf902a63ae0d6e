"""Random runs: a run drawn at random brings its next document, whatever was found before.

The baseline of the bandits: D. E. Losada, J. Parapar and A. Barreiro, Feeling lucky? Multi-armed bandits for ordering
judgements in pooling-based evaluation, SAC 2016, 1027-1034.
"""

from dataclasses import dataclass

import numpy as np

from pooling.adaptive.run_chooser import Bandit
from pooling.adaptive.state import State


@dataclass(frozen=True, kw_only=True)
class BanditRandom(Bandit):
    """Parameters: `seed`, `rel` and `depth`; what the runs brought is counted and not looked at, by either `credit`."""

    name = "bandit_random"

    def _appeal(self, state: State) -> np.ndarray:
        return np.zeros(state.rankings.n_runs)
