"""Pools: the pairs of topic and document that are judged, and where they come from."""

import inspect
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from pooling.ranking import byte_codes
from pooling.strategies import STRATEGIES


@dataclass(frozen=True, eq=False)
class Pool:
    """What is to be judged.

    Attributes
    ----------
    frame : DataFrame
        One row for each pooled pair: query_id, doc_id, systems (tuple of str, sorted: those that brought
        it), best_rank (int64, from 1: its best rank among them). Sorted by query_id, then doc_id, as bytes.
    strategy : str
        Name of the strategy.
    parameters : dict
        Its parameters.
    seed : int or None
        Its source of chance.
    """

    frame: pd.DataFrame
    strategy: str
    parameters: dict
    seed: int | None = None

    def __len__(self):
        return len(self.frame)

    @property
    def systems(self) -> list[str]:
        """The systems that brought something, sorted."""
        return sorted(set().union(*self.frame["systems"]))

    @property
    def size_by_topic(self) -> pd.Series:
        """Number of pooled documents (int64) by query_id, sorted as bytes."""
        return self.frame.groupby("query_id").size().rename("size")

    def describe(self) -> str:
        """The pool in one sentence."""
        options = ", ".join(f"{name} {value}" for name, value in self.parameters.items())
        sizes = self.size_by_topic
        sentence = (
            f"{self.strategy} ({options}) over {_counted(len(self.systems), 'system')}:"
            f" {_counted(len(self), 'task')} in {_counted(len(sizes), 'topic')}"
        )
        return f"{sentence}, {sizes.min():,} to {sizes.max():,} each (median {sizes.median():,g})"


def pool(
    runs: pd.DataFrame | Iterable[pd.DataFrame],
    strategy: str = "depth",
    seed: int | None = None,
    **parameters,
) -> Pool:
    """Choose what is judged.

    Parameters
    ----------
    runs : DataFrame or iterable of DataFrame
        system, query_id, doc_id, score. An iterable is gone through once, so that a generator that reads
        one file after the other keeps one run in memory at a time; each system is in one frame only.
    strategy : str
        A name in `pooling.strategies.STRATEGIES`.
    seed : int, optional
        The source of chance, for strategies that use chance.
    **parameters
        The strategy's own, such as ``depth=10``.

    Returns
    -------
    Pool

    Raises
    ------
    ValueError
        The strategy or a parameter is unknown, a parameter is missing or not allowed, a system comes in
        two frames, or there is no run at all.
    """
    choose = _strategy(strategy)
    _check_parameters(strategy, choose, parameters)
    frames = [runs] if isinstance(runs, pd.DataFrame) else runs
    occurrences = choose(_each_system_once(frames), **parameters)
    return Pool(_pooled(occurrences), strategy, parameters, seed)


def _strategy(name: str):
    if name not in STRATEGIES:
        raise ValueError(f"strategy {name!r} is unknown; there are: {', '.join(sorted(STRATEGIES))}")
    return STRATEGIES[name]


def _check_parameters(name: str, choose, parameters: dict) -> None:
    known = {p.name: p for p in inspect.signature(choose).parameters.values() if p.kind is p.KEYWORD_ONLY}
    for parameter in parameters:
        if parameter not in known:
            raise ValueError(f"strategy {name!r} has no parameter {parameter!r}; it has: {', '.join(known)}")
    for parameter in known.values():
        if parameter.default is parameter.empty and parameter.name not in parameters:
            raise ValueError(f"strategy {name!r} needs the parameter {parameter.name!r}; none was given")


def _each_system_once(frames: Iterable[pd.DataFrame]) -> Iterable[pd.DataFrame]:
    seen = set()
    for frame in frames:
        systems = set(frame["system"].unique())
        if again := systems & seen:
            raise ValueError(f"system {min(again)!r} comes twice; a system has one run, in one frame")
        seen |= systems
        yield frame
    if not seen:
        raise ValueError("there are no runs; a pool needs at least one")


def _pooled(occurrences: pd.DataFrame) -> pd.DataFrame:
    """The occurrences (system, query_id, doc_id, rank) gathered into one row for each pair."""
    pairs = byte_codes(occurrences["query_id"]) * len(occurrences) + byte_codes(occurrences["doc_id"])
    rows = np.lexsort((byte_codes(occurrences["system"]), pairs))
    starts = np.flatnonzero(np.diff(pairs[rows], prepend=-1))
    sorted_rows = occurrences.iloc[rows]
    frame = sorted_rows.iloc[starts][["query_id", "doc_id"]].reset_index(drop=True)
    frame["systems"] = _slices(sorted_rows["system"].tolist(), starts)
    frame["best_rank"] = np.minimum.reduceat(sorted_rows["rank"].to_numpy(), starts)
    return frame


def _slices(values: list, starts: np.ndarray) -> pd.Series:
    """The stretches of `values` that begin at `starts`, as tuples."""
    ends = [*starts[1:].tolist(), len(values)]
    return pd.Series([tuple(values[a:b]) for a, b in zip(starts.tolist(), ends, strict=False)], dtype=object)


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
