"""Hedge: trust in each run, by how it ranked what is judged; what the trusted runs rank highest goes next.

Of N documents that the runs have together, one at rank r of a run has the value v = ln(N / r) / 2 there; a document
that a run of length n lacks has the mean of the values of the ranks from n + 1 to N. A run's loss by a judged document
is v where it is not relevant and -v where it is; its trust is beta^(sum of losses), divided by the sum of all runs. The
unjudged document with the largest mean value, weighted by trust, goes next: it would cost most if it were not relevant.
Ties by THE order.

J. A. Aslam, V. Pavlu and R. Savell, A unified model for metasearch, pooling, and system evaluation, CIKM 2003,
484-491.
"""

from dataclasses import dataclass

import numpy as np

from pooling.adaptive.document_sums import summed_by_document
from pooling.adaptive.rankings import Rankings
from pooling.adaptive.state import State
from pooling.adaptive.strategy import Adaptive, highest


@dataclass(frozen=True, kw_only=True)
class Hedge(Adaptive):
    """Parameters: `rel`, `depth` and the rate of learning.

    Parameters
    ----------
    beta : float
        0 < beta < 1; the smaller, the faster trust is lost.
    """

    name = "hedge"
    beta: float = 0.1

    def __post_init__(self):
        super().__post_init__()
        self._settle_number("beta", lambda beta: 0 < beta < 1, "it is between 0 and 1")

    def _first_memory(self, rankings: Rankings) -> dict[str, np.ndarray]:
        n, lengths = rankings.n_documents, rankings.lengths
        below = np.append(np.cumsum(_values(np.arange(1, n + 1), n)[::-1])[::-1], 0.0)
        return {"loss": np.zeros(rankings.n_runs), "lacking": below[lengths] / np.maximum(n - lengths, 1)}

    def _memory_after(self, before: State, after: State) -> dict[str, np.ndarray]:
        runs, ranks = before.rankings.holders(after.latest)
        values = before.memory["lacking"].copy()
        values[runs] = _values(ranks, before.rankings.n_documents)
        sign = -1 if after.verdicts[after.latest] else 1
        return {"loss": before.memory["loss"] + sign * values, "lacking": before.memory["lacking"]}

    def _choice(self, state: State, available: np.ndarray) -> int:
        loss, lacking, rankings = state.memory["loss"], state.memory["lacking"], state.rankings
        trust = self.beta ** (loss - loss.min())
        trust /= trust.sum()
        values = _values(np.arange(1, rankings.positions.shape[1] + 1), rankings.n_documents)
        gains = values - lacking[:, None]
        return highest(trust @ lacking + summed_by_document(rankings, trust[:, None] * gains), available)


def _values(ranks: np.ndarray, n_documents: int) -> np.ndarray:
    return np.log(n_documents / ranks) / 2
