"""Base classes of strategies that choose a run and propose its first document that is not judged yet.

The strategy gives each run a score. The run with the highest score goes first; ties are resolved at random, again after
each judgement. Runs without an available document are skipped.

With `credit="one"`, a judgement counts for the run that proposed the document: of the runs that have it, the first one
by score. If one assessor works alone, this is the run that was chosen. With `credit="all"`, it counts for every run
that has the document.

The random numbers of tied runs are assigned in ascending order of the system names, so renaming systems may change the
result.
"""

from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from pooling.adaptive.rankings import Rankings
from pooling.adaptive.state import State
from pooling.adaptive.strategy import Adaptive, checked_seed, rng_for

CREDITS = ("one", "all")
SCORE_PURPOSE = 1  # random numbers for scores, independent of those that resolve ties


@dataclass(frozen=True, kw_only=True)
class RunChooser(Adaptive):
    """Base of the strategies that choose a run.

    Parameters
    ----------
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

    seed: int | None = None  # None is refused
    credit: str = "one"

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "seed", checked_seed(self.name, self.seed))
        if self.credit not in CREDITS:
            raise ValueError(f"credit must be {' or '.join(map(repr, CREDITS))}, not {self.credit!r}")

    @abstractmethod
    def _run_scores(self, state: State) -> np.ndarray:
        """The score of each run; the highest goes first. Float, shape (n_runs,)."""

    def _runs_in_order(self, state: State) -> np.ndarray:
        numbers = rng_for(self.seed, state).random(state.rankings.n_runs)
        return np.lexsort((numbers, -self._run_scores(state)))

    def expectation(self, state: State, exclude: Iterable[str | int] = ()) -> float | None:
        """The score of the run that proposes the next document.

        Parameters
        ----------
        state : State
            The current state.
        exclude : iterable of str
            The doc_ids of documents that must not be proposed.

        Returns
        -------
        float or None
            The score; the higher, the more the strategy expects of the document. None if no document is left.

        Raises
        ------
        ValueError
            If the state was made by another strategy, or `exclude` is a single string.
        """
        self._check_state(state)
        available = state.available(exclude)
        return float(self._run_scores(state)[self._proposal(state, available)[0]]) if available.any() else None

    def _choose(self, state: State, available: np.ndarray) -> int:
        return self._proposal(state, available)[1]

    def _proposal(self, state: State, available: np.ndarray) -> tuple[int, int]:
        """The run that proposes the next document, and the position of the document."""
        for run in self._runs_in_order(state):
            ranking = state.rankings.positions[run]
            is_available = available[ranking]
            first = is_available.argmax()
            if is_available[first]:
                return int(run), int(ranking[first])
        raise AssertionError("every available document is in one of the runs")

    def _credited_runs(self, before: State, position: int) -> np.ndarray:
        """The runs for which the judgement of a document counts."""
        runs, _ = before.rankings.runs_with(position)
        if self.credit == "all":
            return runs
        order = self._runs_in_order(before)
        return order[np.isin(order, runs)][:1]


@dataclass(frozen=True, kw_only=True)
class Bandit(RunChooser):
    """Base of the strategies that count the judged and the relevant documents of each run.

    Parameters
    ----------
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

    def _initial_memory(self, rankings: Rankings) -> dict[str, np.ndarray]:
        return {"judged": np.zeros(rankings.n_runs), "relevant": np.zeros(rankings.n_runs)}

    def _updated_memory(self, before: State, after: State) -> dict[str, np.ndarray]:
        runs, discount = self._credited_runs(before, after.latest), self._discount()
        memory = {name: counts.copy() for name, counts in before.memory.items()}
        memory["judged"][runs] = discount * memory["judged"][runs] + 1
        memory["relevant"][runs] = discount * memory["relevant"][runs] + after.verdicts[after.latest]
        return memory

    def _discount(self) -> float:
        """The factor for the counts of a run when it learns of a new judgement."""
        return 1.0


def posterior_mean(state: State) -> np.ndarray:
    """The posterior mean of each run's rate of relevant documents, uniform prior: (1 + relevant) / (2 + judged)."""
    return np.asarray((1 + state.memory["relevant"]) / (2 + state.memory["judged"]))
