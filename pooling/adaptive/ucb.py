"""UCB bandit: the run with the largest upper confidence bound of its rate of relevant documents.

Runs without a judged document go first. Then the run s with the largest m + sqrt(ln(n) / n_s * min(1/4, V_s)), where n
documents are judged, n_s of them of the run, m is the share of relevant ones among these, and
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
    """UCB bandit: the run with the largest upper confidence bound of its rate of relevant documents (Auer et al. 2002).

    Parameters
    ----------
    tuned : bool
        True for UCB1-tuned, m + sqrt(ln(n) / n_s * min(1/4, V_s)); False for UCB1, m + sqrt(2 ln(n) / n_s).
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

    name = "bandit_ucb"
    tuned: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.tuned, (bool, np.bool_)):
            raise ValueError(f"tuned must be True or False, not {self.tuned!r}")

    def _run_scores(self, state: State) -> np.ndarray:
        judged, relevant = state.memory["judged"], state.memory["relevant"]
        tried = np.maximum(judged, 1)
        mean, log_ratio = relevant / tried, np.log(max(state.n_judged, 1)) / tried
        factor = np.minimum(0.25, mean * (1 - mean) + np.sqrt(2 * log_ratio)) if self.tuned else 2
        return np.where(judged > 0, mean + np.sqrt(log_ratio * factor), np.inf)
