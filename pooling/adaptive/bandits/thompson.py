"""Thompson sampling: each run draws a rate of relevant documents from what is believed of it; the highest is asked.

The belief begins uniform: with n_s judged documents of the run, r_s of them relevant, it is Beta(1 + r_s,
1 + n_s - r_s).

W. R. Thompson, On the likelihood that one unknown probability exceeds another in view of the evidence of two samples,
Biometrika 25, 1933, 285-294; for pooling D. E. Losada, J. Parapar and A. Barreiro, SAC 2016, 1027-1034.
"""

from dataclasses import dataclass

import numpy as np

from pooling.adaptive.run_chooser import APPEAL, Bandit
from pooling.adaptive.state import State
from pooling.adaptive.strategy import chance


@dataclass(frozen=True, kw_only=True)
class BanditThompson(Bandit):
    """Parameters: `seed`, `credit`, `rel` and `depth`."""

    name = "bandit_thompson"

    def _appeal(self, state: State) -> np.ndarray:
        judged, relevant = state.memory["judged"], state.memory["relevant"]
        return chance(self.seed, state, APPEAL).beta(1 + relevant, 1 + judged - relevant)
