"""Hedge: weight each run by how it ranks the judged documents, and propose what the weighted runs rank highest.

Let N be the number of documents of all runs together. A document at rank r of a run has the value v = ln(N / r) / 2 in
that run. In a run of length n that lacks the document, v is the mean of the values of ranks n + 1 to N. A run's loss
from a judged document is v if it is not relevant and -v if it is. The weight of a run is beta^(sum of its losses),
normalised over runs. The unjudged document with the largest weighted mean value is next: it would cost most if it were
not relevant. Ties are resolved by lot (`pooling.strategies.lots`).

J. A. Aslam, V. Pavlu and R. Savell, A unified model for metasearch, pooling, and system evaluation, CIKM 2003,
484-491.
"""

from dataclasses import dataclass

import numpy as np

from pooling.adaptive.rankings import Rankings
from pooling.adaptive.state import State
from pooling.adaptive.strategy import Adaptive, checked_seed, position_of_highest
from pooling.strategies.lots import DEFAULT_SEED


@dataclass(frozen=True, kw_only=True)
class Hedge(Adaptive):
    """Hedge: the document with the largest mean value over runs weighted by their losses (Aslam et al. 2003).

    Parameters
    ----------
    beta : float
        Learning rate, 0 < beta < 1. The smaller it is, the faster a run loses weight.
    seed : int
        Seed of the lots that decide between documents with the same score, from 0.
    rel : float
        Documents with this relevance or more are relevant; above 0.
    depth : int, optional
        Use only the first `depth` ranks of each run, at least 1. By default all ranks are used.

    Raises
    ------
    ValueError
        If a parameter is missing or not allowed.
    """

    name = "hedge"
    beta: float = 0.1
    seed: int = DEFAULT_SEED

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "seed", checked_seed(self.name, self.seed))
        self._normalise_number("beta", lambda beta: 0 < beta < 1, "between 0 and 1, both excluded")

    def _initial_memory(self, rankings: Rankings) -> dict[str, np.ndarray]:
        n, lengths = rankings.n_documents, rankings.lengths
        below = np.append(np.cumsum(_values(np.arange(1, n + 1), n)[::-1])[::-1], 0.0)
        # "lacking" is part of stored states: the value of a document in each run that lacks it.
        return {"loss": np.zeros(rankings.n_runs), "lacking": below[lengths] / np.maximum(n - lengths, 1)}

    def _updated_memory(self, before: State, after: State) -> dict[str, np.ndarray]:
        runs, ranks = before.rankings.runs_with(after.latest)
        values = before.memory["lacking"].copy()
        values[runs] = _values(ranks, before.rankings.n_documents)
        sign = -1 if after.verdicts[after.latest] else 1
        return {"loss": before.memory["loss"] + sign * values, "lacking": before.memory["lacking"]}

    def _choose(self, state: State, available: np.ndarray) -> int:
        loss, value_if_missing, rankings = state.memory["loss"], state.memory["lacking"], state.rankings
        # Only differences of losses matter; the powers of large losses would all be 0.
        weights = self.beta ** (loss - loss.min())
        weights /= weights.sum()
        values = _values(np.arange(1, rankings.positions.shape[1] + 1), rankings.n_documents)
        gains = values - value_if_missing[:, None]
        scores = weights @ value_if_missing + rankings.sum_by_document(weights[:, None] * gains)
        return position_of_highest(scores, available, state.rankings, self.seed)


def _values(ranks: np.ndarray, n_documents: int) -> np.ndarray:
    return np.asarray(np.log(n_documents / ranks) / 2)
