"""Strategies that choose a run, and judge the best of its documents that is not judged yet.

The runs stand in an order of how much they appeal to the strategy; runs that appeal the same are put in an order by
chance, anew after each judgement. A run whose documents are all judged or excluded is passed over.

What a judgement teaches goes to the run that brought the document (`credit="one"`: among the runs that have it the
one that stands first, which is the run that was asked wherever one assessor works alone), or to every run that has the
document (`credit="all"`).

Lots between tied runs go by the position of the system in ascending order of names, so that renaming systems may change
them.
"""

from abc import abstractmethod
from dataclasses import dataclass

import numpy as np

from pooling.adaptive.rankings import Rankings
from pooling.adaptive.state import State
from pooling.adaptive.strategy import Adaptive, chance

CREDITS = ("one", "all")
APPEAL = 1  # a source of chance beside the one that settles ties


@dataclass(frozen=True, kw_only=True)
class RunChooser(Adaptive):
    """Base of the strategies that choose a run.

    Parameters
    ----------
    seed : int
        The source of chance, from 0.
    credit : {"one", "all"}
        Who learns of a judgement.
    rel, depth
        As for every adaptive strategy.
    """

    seed: int = None  # None is refused
    credit: str = "one"

    def __post_init__(self):
        super().__post_init__()
        self._settle_seed()
        if self.credit not in CREDITS:
            raise ValueError(f"credit {self.credit!r} is not allowed; it is {' or '.join(CREDITS)}")

    @abstractmethod
    def _appeal(self, state: State) -> np.ndarray:
        """How much each run appeals; the highest is asked first. Float, shape (n_runs,)."""

    def _runs_in_order(self, state: State) -> np.ndarray:
        lots = chance(self.seed, state).random(state.rankings.n_runs)
        return np.lexsort((lots, -self._appeal(state)))

    def _choice(self, state: State, available: np.ndarray) -> int:
        for run in self._runs_in_order(state):
            ranking = state.rankings.positions[run]
            free = available[ranking]
            first = free.argmax()
            if free[first]:
                return int(ranking[first])
        raise AssertionError("an available document is in one of the runs")

    def _credited(self, before: State, position: int) -> np.ndarray:
        """The runs that learn of the judgement of a document."""
        runs, _ = before.rankings.holders(position)
        if self.credit == "all":
            return runs
        order = self._runs_in_order(before)
        return order[np.isin(order, runs)][:1]


@dataclass(frozen=True, kw_only=True)
class Bandit(RunChooser):
    """Base of the strategies that count, for each run, what was judged and what of it was relevant."""

    def _first_memory(self, rankings: Rankings) -> dict[str, np.ndarray]:
        return {"judged": np.zeros(rankings.n_runs), "relevant": np.zeros(rankings.n_runs)}

    def _memory_after(self, before: State, after: State) -> dict[str, np.ndarray]:
        runs, kept = self._credited(before, after.latest), self._kept()
        memory = {name: counts.copy() for name, counts in before.memory.items()}
        memory["judged"][runs] = kept * memory["judged"][runs] + 1
        memory["relevant"][runs] = kept * memory["relevant"][runs] + after.verdicts[after.latest]
        return memory

    def _kept(self) -> float:
        """What part of a run's counts is kept when it learns of a new judgement."""
        return 1.0


def posterior_mean(state: State) -> np.ndarray:
    """Of each run's rate of relevant documents, after a uniform prior: (1 + relevant) / (2 + judged)."""
    return (1 + state.memory["relevant"]) / (2 + state.memory["judged"])
