"""UCB bandit: the run whose rate of relevant documents could be the highest, with the doubt that few judgements leave.

A run of which nothing was judged goes first. Then the run with the largest m + sqrt(ln(n) / n_s * min(1/4, V_s)), where
n documents were judged, n_s of them of the run, the share m of these relevant, and
V_s = m (1 - m) + sqrt(2 ln(n) / n_s).

P. Auer, N. Cesa-Bianchi and P. Fischer, Finite-time analysis of the multiarmed bandit problem, Machine Learning 47,
2002, 235-256 (UCB1-tuned; UCB1 is m + sqrt(2 ln(n) / n_s)); for pooling D. E. Losada, J. Parapar and A. Barreiro,
SAC 2016, 1027-1034.
"""

from dataclasses import dataclass

import numpy as np

from pooling.adaptive.run_chooser import Bandit
from pooling.adaptive.state import State


@dataclass(frozen=True, kw_only=True)
class BanditUCB(Bandit):
    """Parameters: `seed`, `credit`, `rel`, `depth` and the bound.

    Parameters
    ----------
    tuned : bool
        UCB1-tuned; otherwise UCB1.
    """

    name = "bandit_ucb"
    tuned: bool = True

    def __post_init__(self):
        super().__post_init__()
        if not isinstance(self.tuned, (bool, np.bool_)):
            raise ValueError(f"tuned {self.tuned!r} is not allowed; it is True or False")

    def _appeal(self, state: State) -> np.ndarray:
        judged, relevant = state.memory["judged"], state.memory["relevant"]
        tried = np.maximum(judged, 1)
        mean, doubt = relevant / tried, np.log(max(state.n_judged, 1)) / tried
        factor = np.minimum(0.25, mean * (1 - mean) + np.sqrt(2 * doubt)) if self.tuned else 2
        return np.where(judged > 0, mean + np.sqrt(doubt * factor), np.inf)
