"""Non-stationary MaxMean: MaxMean in which old judgements count less, since rankings get worse with depth.

When a document of a run s is judged, its counts become n_s = rate * n_s + 1 and r_s = rate * r_s + (1 if relevant).
The run with the largest (1 + r_s) / (2 + n_s) is next. With rate 1 this is MaxMean; with rate 0 only the latest
judgement of each run counts.

D. E. Losada, J. Parapar and A. Barreiro, Multi-armed bandits for adjudicating documents in pooling-based evaluation of
information retrieval systems, Information Processing and Management 53(5), 2017, 1005-1025 (MM-NS).
"""

from dataclasses import dataclass

import numpy as np

from pooling.adaptive.run_chooser import Bandit, posterior_mean
from pooling.adaptive.state import State


@dataclass(frozen=True, kw_only=True)
class MaxMeanNS(Bandit):
    """Non-stationary MaxMean: (1 + relevant) / (2 + judged) with discounted counts (Losada et al. 2017).

    Parameters
    ----------
    rate : float
        The factor by which the counts of a run are multiplied when its next document is judged; 0 to 1.
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

    name = "maxmean_ns"
    rate: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        self._normalise_number("rate", lambda rate: 0 <= rate <= 1, "between 0 and 1")

    def _run_scores(self, state: State) -> np.ndarray:
        return posterior_mean(state)

    def _discount(self) -> float:
        return self.rate
