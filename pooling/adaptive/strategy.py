"""What all adaptive strategies have in common: start, step and next.

A strategy is its parameters; all that changes is in the state. The three methods change nothing and give the same for
the same: chance is drawn from the seed, the topic and the number of judgements, so that the same state proposes the
same document however often it is asked.

    strategy = MaxMean(seed=1)
    state = strategy.start(runs, "301")
    doc_id = strategy.next(state)                     # None where nothing is left
    state = strategy.step(state, {doc_id: 1})

Several assessors work on one topic like this: what others hold at the moment is `exclude`d from `next`, and judgements
come to `step` as they arrive. Where several judge the same document, the caller decides by a named gold rule, and
`step` is told what the rule says, once it does. A document that could not be judged stays in `exclude`.
"""

import math
import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from numbers import Real
from typing import ClassVar

import numpy as np
import pandas as pd

from pooling.adaptive.rankings import Rankings, rankings_of
from pooling.adaptive.state import UNJUDGED, State, begun
from pooling.ranking import RankedRuns, check_whole

TIE = 1e-12


@dataclass(frozen=True, kw_only=True)
class Adaptive:
    """Base of the strategies.

    Parameters
    ----------
    rel : float
        The relevance from which a document counts as relevant.
    depth : int, optional
        Ranks of each run that are looked at, from 1; all where it is left out.
    """

    name: ClassVar[str]
    rel: float = 1
    depth: int | None = None

    def __post_init__(self):
        if self.depth is not None:
            check_whole("depth", self.depth)
        self._settle_number("rel", lambda rel: rel > 0, "a document is relevant from a number above 0")

    def __str__(self):
        parameters = ", ".join(f"{field.name}={getattr(self, field.name)}" for field in fields(self) if field.repr)
        return f"{self.name}({parameters})"

    def start(self, runs: RankedRuns | pd.DataFrame | Iterable[pd.DataFrame], query_id: str) -> State:
        """The state in which nothing of the topic is judged.

        Parameters
        ----------
        runs : RankedRuns, DataFrame or iterable of DataFrame
            Of all systems; as for `pooling.ranking.prepare`.
        query_id : str

        Raises
        ------
        ValueError
            No run has the topic.
        """
        return self.begin(rankings_of(runs, query_id, self.depth))

    def begin(self, rankings: Rankings) -> State:
        """As `start`, with the topic's rankings at hand."""
        return begun(str(self), rankings, self._first_memory(rankings))

    def step(self, state: State, judged: Mapping[str, float]) -> State:
        """The state after more judgements.

        Parameters
        ----------
        state : State
            Stays as it is.
        judged : mapping of str to float
            Relevance by doc_id, in the order in which they were judged. What no run has teaches nothing and is left
            out. A judgement that is there already changes nothing; one that changed its mind counts as if it had
            been so from the beginning.

        Raises
        ------
        ValueError
            A relevance is no number from 0, or the state is of another strategy.
        """
        self._check(state)
        news = self._verdicts(state, judged)
        changed = {p: r for p, r in news.items() if state.verdicts[p] not in (UNJUDGED, r)}
        if changed:
            before = {int(p): changed.get(int(p), int(state.verdicts[p])) for p in state.history}
            return self._after(self.begin(state.rankings), before | news)
        return self._after(state, {p: r for p, r in news.items() if state.verdicts[p] == UNJUDGED})

    def next(self, state: State, exclude: Iterable[str] = ()) -> str | None:
        """The document that should be judged next; None where none is left.

        Parameters
        ----------
        state : State
        exclude : iterable of str
            Documents that are not to be proposed: somebody is at them, or they could not be judged.

        Raises
        ------
        ValueError
            The state is of another strategy, or what is excluded is one string.
        """
        self._check(state)
        available = state.available(exclude)
        return state.rankings.doc_ids[self._choice(state, available)] if available.any() else None

    def _settle_number(self, name: str, is_allowed: Callable[[float], bool], allowed: str) -> None:
        """Refuse a parameter that is no such number; 1, 1.0 and numpy's 1 are one parameter, so one strategy."""
        value = getattr(self, name)
        is_number = isinstance(value, Real) and not isinstance(value, bool) and math.isfinite(value)
        if not is_number or not is_allowed(value):
            raise ValueError(f"{name} {value!r} is not allowed; {allowed}")
        object.__setattr__(self, name, int(value) if value == int(value) else float(value))

    def _settle_seed(self) -> None:
        if self.seed is None:
            raise ValueError(f"strategy {self.name!r} draws at random: give it a seed, to be told and repeated")
        check_whole("seed", self.seed, least=0)
        object.__setattr__(self, "seed", int(self.seed))

    def _after(self, state: State, verdicts: Mapping[int, int]) -> State:
        for position, relevant in verdicts.items():
            after = state.with_verdict(position, relevant)
            state = replace(after, memory=self._memory_after(state, after))
        return state

    def _verdicts(self, state: State, judged: Mapping[str, float]) -> dict[int, int]:
        places = state.rankings.position_of
        for doc_id, relevance in judged.items():
            if not isinstance(relevance, (Real, np.bool_)) or not relevance >= 0:
                raise ValueError(f"document {doc_id!r}: relevance {relevance!r} is not allowed; it is a number from 0")
        return {places[doc_id]: int(value >= self.rel) for doc_id, value in judged.items() if doc_id in places}

    def _check(self, state: State) -> None:
        if state.strategy != str(self):
            raise ValueError(f"the state was made by {state.strategy}; it cannot go on with {self}")

    def _first_memory(self, rankings: Rankings) -> dict[str, np.ndarray]:
        """What the strategy keeps in mind before anything is judged."""
        raise NotImplementedError

    def _memory_after(self, before: State, after: State) -> Mapping[str, np.ndarray]:
        """What it keeps in mind after one more document was judged; `after` still has the memory of before."""
        raise NotImplementedError

    def _choice(self, state: State, available: np.ndarray) -> int:
        """The position of the document to judge, one of those that are available."""
        raise NotImplementedError


def chance(seed: int, state: State, purpose: int = 0) -> np.random.Generator:
    """The source of chance of a state: by seed, topic and number of judgements; one for each purpose."""
    return np.random.default_rng([seed, zlib.crc32(state.rankings.query_id.encode()), state.n_judged, purpose])


def highest(scores: np.ndarray, available: np.ndarray) -> int:
    """Position of the highest score of those available; what is within 1e-12 of it is tied, by THE order."""
    positions = np.flatnonzero(available)
    values = scores[positions]
    best = values.max()
    return int(positions[np.flatnonzero(values >= best - TIE * abs(best))[-1]])
