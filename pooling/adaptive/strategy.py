"""The base class of all adaptive strategies, with the methods start, step and next.

A strategy object contains only parameters; everything that changes is in the state. The three methods are pure: they
modify nothing and return the same result for the same arguments. Random numbers depend on the seed, the topic and the
number of judgements, so the same state always proposes the same document. A strategy that scores documents proposes,
of those with the highest score, the one with the largest lot (`pooling.strategies.lots`). Strategies that choose a run
propose its documents in the document order and need no lots.

    strategy = MaxMean(seed=1)
    state = strategy.start(runs, "301")
    doc_id = strategy.next(state)                     # None if no document is left
    state = strategy.step(state, {doc_id: 1})

To let several assessors work on one topic, pass the documents that others are judging to `next` as `exclude`, and pass
judgements to `step` as they arrive. If several assessors judge the same document, the caller combines their judgements
by a named rule and passes the result to `step`. A document that could not be judged stays in `exclude`.
"""

import heapq
import math
import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from numbers import Real
from typing import ClassVar, cast

import numpy as np

from pooling.adaptive.rankings import Rankings, rankings_of
from pooling.adaptive.state import UNJUDGED, State, initial_state
from pooling.ids import id_text
from pooling.ranking import Runs, check_whole
from pooling.strategies.lots import DEFAULT_SEED, lots

TIE = 1e-12


@dataclass(frozen=True, kw_only=True)
class Adaptive:
    """Base class of the adaptive strategies.

    Parameters
    ----------
    rel : float
        Documents with this relevance or more are relevant; above 0.
    depth : int, optional
        Use only the first `depth` ranks of each run, at least 1. By default all ranks are used.

    Raises
    ------
    ValueError
        If a parameter is not allowed.

    Examples
    --------
    >>> import pandas as pd
    >>> from pooling import ADAPTIVE
    >>> rows = [("s", "1", "a", 2.0), ("s", "1", "b", 1.0), ("t", "1", "c", 5.0), ("t", "1", "d", 4.0)]
    >>> runs = pd.DataFrame(rows, columns=["system", "query_id", "doc_id", "score"])
    >>> strategy = ADAPTIVE["maxmean"](seed=1)
    >>> state = strategy.step(strategy.start(runs, "1"), {"a": 1})
    >>> strategy.next(state)  # s has found a relevant document
    'b'
    """

    name: ClassVar[str]
    rel: float = 1
    depth: int | None = None

    def __post_init__(self) -> None:
        if self.depth is not None:
            check_whole("depth", self.depth)
        self._normalise_number("rel", lambda rel: rel > 0, "a number above 0")

    def __str__(self) -> str:
        parameters = ", ".join(f"{field.name}={getattr(self, field.name)}" for field in fields(self) if field.repr)
        return f"{self.name}({parameters})"

    def start(self, runs: Runs, query_id: str | int) -> State:
        """Start a topic.

        Parameters
        ----------
        runs : table, path, dictionary, iterable of these, or RankedRuns
            The runs of all systems: columns system, query_id, doc_id and score.
        query_id : str or int
            The topic.

        Returns
        -------
        State
            The state in which no document of the topic is judged.

        Raises
        ------
        ValueError
            If no run has the topic, or `query_id` is neither a string nor a whole number.
        """
        return self.begin(rankings_of(runs, query_id, self.depth))

    def begin(self, rankings: Rankings) -> State:
        """Start a topic whose rankings are already extracted.

        Parameters
        ----------
        rankings : Rankings
            The rankings of the topic.

        Returns
        -------
        State
            The state in which no document of the topic is judged.
        """
        return initial_state(str(self), rankings, self._initial_memory(rankings))

    def step(self, state: State, judged: Mapping[str, float] | Mapping[int, float]) -> State:
        """Update the state with judgements.

        Parameters
        ----------
        state : State
            The current state; it is not modified.
        judged : mapping of str or int to float
            The relevance (from 0) by doc_id, in the order of judging. Documents that no run has are ignored, because
            a collection may have judgements of documents that were found in another way. A judgement that is known
            already changes nothing. If a judgement changes, the state is as if the new value had been given from the
            beginning.

        Returns
        -------
        State
            The new state.

        Raises
        ------
        ValueError
            If a doc_id is neither a string nor a whole number, a relevance is not a number from 0, the state was made
            by another strategy, or strategy active_sampling did not propose a document.
        """
        self._check_state(state)
        verdicts = self._verdicts(state, judged)
        changed = {p: r for p, r in verdicts.items() if state.verdicts[p] not in (UNJUDGED, r)}
        new = {p: r for p, r in verdicts.items() if state.verdicts[p] == UNJUDGED}
        if changed:
            history = {int(p): changed.get(int(p), int(state.verdicts[p])) for p in state.history}
            state = self._with_verdicts(self.begin(state.rankings), history)
        for position, relevant in new.items():
            self._check_draw(state, position)
            state = self._with_verdicts(state, {position: relevant})
        return state

    def next(self, state: State, exclude: Iterable[str | int] = ()) -> str | None:
        """Propose the next document to judge.

        Parameters
        ----------
        state : State
            The current state.
        exclude : iterable of str or int
            The doc_ids of documents that must not be proposed, for example because an assessor is judging them now,
            or because they could not be judged.

        Returns
        -------
        str or None
            The doc_id of the document; None if no document is left.

        Raises
        ------
        ValueError
            If the state was made by another strategy, or `exclude` is a single string or has a value of another type.
        """
        self._check_state(state)
        available = state.available(exclude)
        return state.rankings.doc_ids[self._choose(state, available)] if available.any() else None

    def expectation(self, state: State, exclude: Iterable[str | int] = ()) -> float | None:
        """How much the strategy expects of the next document, as a number that can be compared between topics.

        Only strategies that choose a run have such a number: the bandits, `maxmean`, `maxmean_ns` and `move_to_front`.

        Parameters
        ----------
        state : State
            The current state.
        exclude : iterable of str or int
            The doc_ids of documents that must not be proposed.

        Returns
        -------
        float or None
            The expectation; None if no document is left.

        Raises
        ------
        ValueError
            If the strategy has no such number, the state was made by another strategy, or `exclude` is a single string.
        """
        self._check_state(state)
        state.available(exclude)
        raise ValueError(
            f"strategy {self.name!r} has no expectation that can be compared between topics; choose one that chooses"
            " runs, such as 'maxmean' or 'move_to_front'"
        )

    def _normalise_number(self, name: str, is_allowed: Callable[[float], bool], allowed: str) -> None:
        """Check a number and normalise its type: 1, 1.0 and numpy's 1 give the same strategy."""
        value = getattr(self, name)
        is_number = isinstance(value, Real) and not isinstance(value, bool) and math.isfinite(value)
        if not is_number or not is_allowed(value):
            raise ValueError(f"{name} must be {allowed}, not {value!r}")
        object.__setattr__(self, name, int(value) if value == int(value) else float(value))

    def _with_verdicts(self, state: State, verdicts: Mapping[int, int]) -> State:
        for position, relevant in verdicts.items():
            after = state.with_verdict(position, bool(relevant))
            state = replace(after, memory=self._updated_memory(state, after))
        return state

    def _verdicts(self, state: State, judged: Mapping[str, float] | Mapping[int, float]) -> dict[int, int]:
        positions = state.rankings.position_of
        named = {id_text("doc_id", doc_id): relevance for doc_id, relevance in judged.items()}
        if len(named) < len(judged):
            twice = next(doc_id for doc_id in judged if not isinstance(doc_id, str) and str(doc_id) in judged)
            raise ValueError(f"document {str(twice)!r} occurs twice, as a string and as a number; once is allowed")
        for doc_id, relevance in named.items():
            if not isinstance(relevance, (Real, np.bool_)) or not relevance >= 0:
                raise ValueError(f"the relevance of document {doc_id!r} must be a number from 0, not {relevance!r}")
        return {positions[doc_id]: int(value >= self.rel) for doc_id, value in named.items() if doc_id in positions}

    def _check_draw(self, state: State, position: int) -> None:
        """Raise ValueError if a document must not be judged next. Most strategies accept judgements in any order."""

    def _check_state(self, state: State) -> None:
        # States of hedge and rbp_adaptive that were stored before ties were resolved by lot have no seed.
        if state.strategy not in (str(self), str(self).replace(f", seed={DEFAULT_SEED})", ")")):
            raise ValueError(f"the state was made by {state.strategy} and cannot be used with {self}")

    def _initial_memory(self, rankings: Rankings) -> dict[str, np.ndarray]:
        """The memory of the strategy before anything is judged."""
        raise NotImplementedError

    def _updated_memory(self, before: State, after: State) -> Mapping[str, np.ndarray]:
        """The memory after one more judgement; `after` still has the memory of `before`."""
        raise NotImplementedError

    def _choose(self, state: State, available: np.ndarray) -> int:
        """The position of the next document, one of those that are available."""
        raise NotImplementedError


def checked_seed(name: str, seed: int | None) -> int:
    """The seed of a strategy; ValueError if it is missing or not a whole number from 0."""
    if seed is None:
        raise ValueError(f"strategy {name!r} draws at random and needs a seed")
    check_whole("seed", seed, least=0)
    return int(seed)


def rng_for(seed: int | None, state: State, purpose: int = 0) -> np.random.Generator:
    """The random generator of a state, from seed, topic and number of judgements; one for each purpose."""
    known_seed = cast(int, seed)  # checked_seed has refused None
    # crc32, because Python's hash of a text differs between processes.
    return np.random.default_rng([known_seed, zlib.crc32(state.rankings.query_id.encode()), state.n_judged, purpose])


def position_of_highest(scores: np.ndarray, available: np.ndarray, rankings: Rankings, seed: int | None) -> int:
    """The position of the highest available score. Scores within 1e-12 of it are tied; ties are resolved by lot."""
    positions = np.flatnonzero(available)
    values = scores[positions]
    best = values.max()
    tied = positions[values >= best - TIE * abs(best)]
    if len(tied) == 1:
        return int(tied[0])
    known_seed = cast(int, seed)  # checked_seed has refused None
    numbers = lots(known_seed, [rankings.query_id] * len(tied), [rankings.doc_ids[position] for position in tied])
    return int(tied[numbers.argmax()])


def positions_by_score(
    scores: np.ndarray, available: np.ndarray, rankings: Rankings, seed: int | None, limit: int | None = None
) -> list[int]:
    """The positions that `position_of_highest` returns one after the other, each without the ones before it."""
    positions = np.flatnonzero(available)
    positions = positions[np.argsort(-scores[positions], kind="stable")]
    keys = -scores[positions]  # ascending
    tied: list[tuple[float, int]] = []  # the lots, negated, and indices of the documents tied with the best one left
    order: list[int] = []
    left = np.ones(len(positions), dtype=bool)
    best = end = 0
    while best < len(positions) and (limit is None or len(order) < limit):
        start, end = end, max(end, int(np.searchsorted(keys, keys[best] + TIE * abs(keys[best]), side="right")))
        for lot, index in zip(_lots_of(positions[start:end], rankings, seed), range(start, end), strict=True):
            heapq.heappush(tied, (-lot, index))
        _, index = heapq.heappop(tied)
        order.append(int(positions[index]))
        left[index] = False
        while best < len(positions) and not left[best]:
            best += 1
    return order


def _lots_of(positions: np.ndarray, rankings: Rankings, seed: int | None) -> list[float]:
    known_seed = cast(int, seed)  # checked_seed has refused None
    doc_ids = [rankings.doc_ids[position] for position in positions]
    return list(map(float, lots(known_seed, [rankings.query_id] * len(doc_ids), doc_ids)))
