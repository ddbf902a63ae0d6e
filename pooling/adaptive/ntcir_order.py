"""NTCIR's order: the documents that most runs retrieve go first, whatever the judgements.

Documents are sorted by the number of runs that have them in their first `depth` ranks, descending; then by the sum of
their ranks in these runs, ascending; ties by lot (`pooling.strategies.lots`). Judgements change nothing. The order is a
strategy like the adaptive ones so that everything that uses these, such as the web application, can use it. The
strategy `ntcir` of `pooling.strategies` makes a pool in the same order.

T. Sakai, S. Tao and Z. Zeng, Relevance assessments for web search evaluation: should we randomise or prioritise the
pooled documents?, ACM TOIS 40(4), 2022, doi:10.1145/3494833 (their strategy PRI).
"""

from dataclasses import dataclass

import numpy as np

from pooling.adaptive.rankings import Rankings
from pooling.adaptive.state import State
from pooling.adaptive.strategy import Adaptive, checked_seed, position_of_highest
from pooling.strategies.lots import DEFAULT_SEED


@dataclass(frozen=True, kw_only=True)
class NTCIROrder(Adaptive):
    """NTCIR's order: by number of runs descending, then by sum of ranks ascending (Sakai et al. 2022).

    Parameters
    ----------
    seed : int
        Seed of the lots that decide between tied documents, from 0.
    rel : float
        Documents with this relevance or more are relevant; above 0. The order does not depend on it.
    depth : int, optional
        Use only the first `depth` ranks of each run, at least 1. By default all ranks are used.

    Raises
    ------
    ValueError
        If a parameter is not allowed.
    """

    name = "ntcir_order"
    seed: int = DEFAULT_SEED

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "seed", checked_seed(self.name, self.seed))

    def _initial_memory(self, rankings: Rankings) -> dict[str, np.ndarray]:
        n_runs, n_ranks = rankings.positions.shape
        counts = rankings.sum_by_document(np.ones((n_runs, n_ranks)))
        sums = rankings.sum_by_document(np.broadcast_to(np.arange(1.0, n_ranks + 1), (n_runs, n_ranks)))
        return {"scores": (counts * (n_runs * n_ranks + 1) - sums).astype(np.int64)}  # whole numbers, so ties are exact

    def _updated_memory(self, before: State, after: State) -> dict[str, np.ndarray]:  # noqa: ARG002
        return dict(before.memory)

    def _choose(self, state: State, available: np.ndarray) -> int:
        return position_of_highest(state.memory["scores"], available, state.rankings, self.seed)
