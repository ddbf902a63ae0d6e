"""Pools: the pairs of topic and document to judge, and how they were selected."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from pooling.choices import SCORE_PRECISIONS
from pooling.errors import path_list
from pooling.inputs import Input
from pooling.pools.frames import by_bytes, pooled, united
from pooling.pools.pairs import checked_judged, checked_pairs, pairs_of
from pooling.pools.provenance import (
    ADDED,
    SUBTRACTED_SAMPLE,
    TWO_SAMPLES,
    added_counts,
    combined,
    describe,
    is_sample,
    judged_record,
    lot_seed,
    provenance,
)
from pooling.pools.strategy_options import checked_strategy
from pooling.ranking import Runs, byte_codes, check_common_topic, prepare
from pooling.result import Result
from pooling.strategies import NEED_SCORES
from pooling.strategies.lots import order_by_lot
from pooling.text_tables import rounded
from pooling.words import count


@dataclass(frozen=True, eq=False, repr=False)
class Pool(Result):
    """A pool: the topic-document pairs to judge. `pool` and `read_pool` create it.

    Attributes
    ----------
    frame : DataFrame
        One row per pooled pair, sorted by query_id, then doc_id (as bytes), with the columns

        - query_id, doc_id (str);
        - systems (tuple of str): the systems that contribute the document, sorted; empty if it was added;
        - best_rank (Int64): its best rank among them, from 1; NA if it was added;
        - stratum (str): the stratum from which it was drawn, "hand" or "search" if it was added, otherwise "";
        - inclusion_probability (float64): 0 < p <= 1;
        - priority (float64): within a topic, documents with a higher priority should be judged earlier.
    strategy : str
        The name of the strategy, or "union" or "difference".
    parameters : dict
        The parameters of the strategy. If documents were added, `added` counts those added by hand ("hand"), by
        search ("search"), and those that had been drawn and became certain ("made_certain"). If judged documents were
        left out, `judged` has the number of judged documents ("documents"), the number of these that the strategy
        selected ("left_out"), and the checksum of the judged documents ("sha256").
    seed : int or None
        The seed of the strategy: of its random sample, or of the lots that decide between tied documents. None if the
        strategy has none ("depth"), and for unions and differences.
    inputs : dict of str to str
        The SHA-256 checksum of each run file by its name; empty if unknown.
    score_precision : str or None
        The precision with which the scores were read, "float64" or "float32"; None if unknown.
    runs : tuple of str
        The systems whose runs were passed, sorted, also those without a document in the pool; empty if unknown.

    Examples
    --------
    >>> import pandas as pd
    >>> from pooling import pool
    >>> rows = [("s", "1", "a", 2.0), ("s", "1", "b", 1.0), ("t", "1", "b", 5.0), ("t", "1", "c", 4.0)]
    >>> made = pool(pd.DataFrame(rows, columns=["system", "query_id", "doc_id", "score"]), depth=1)
    >>> made.frame[["query_id", "doc_id", "systems", "best_rank"]]
      query_id doc_id systems  best_rank
    0        1      a    (s,)          1
    1        1      b    (t,)          1
    >>> len(made)
    2
    """

    frame: pd.DataFrame
    strategy: str
    parameters: dict[str, Any]
    seed: int | None = field(default=None, kw_only=True)
    inputs: dict[str, str] = field(default_factory=dict, kw_only=True)
    score_precision: str | None = field(default=None, kw_only=True)
    runs: tuple[str, ...] = field(default=(), kw_only=True)

    def __len__(self) -> int:
        return len(self.frame)

    @property
    def systems(self) -> list[str]:
        """The systems whose runs were pooled, sorted, also those that contribute no document."""
        return sorted(set(self.runs).union(*self.frame["systems"]))

    @property
    def size_by_topic(self) -> "pd.Series[int]":
        """The number of pooled documents (int64) by query_id, sorted as bytes."""
        return self.frame.groupby("query_id").size().rename("size")

    def to_tasks(self) -> pd.DataFrame:
        """List the tasks in judging order.

        Returns
        -------
        DataFrame
            Columns query_id and doc_id: topic by topic, within a topic by priority descending, ties by lot. The lots
            have the seed of the pool (of a union or difference: that of its first pool), or 0 if it has none.
        """
        documents, priority = self.frame[["query_id", "doc_id"]], self.frame["priority"].to_numpy()
        rows = order_by_lot(byte_codes(documents["query_id"]), priority, documents, lot_seed(provenance(self)))
        return documents.iloc[rows].reset_index(drop=True)

    def union(self, other: "Pool") -> "Pool":
        """Combine two pools: the documents that are in either.

        A document in both pools keeps its stratum of this pool; the systems of both contribute it. In priority, the
        documents of this pool come first, in their order, then those that only the other has. If one of the pools is
        a sample, documents of the other pool are certain (p = 1), and the rest keeps its probability.

        Parameters
        ----------
        other : Pool
            The other pool.

        Returns
        -------
        Pool
            A pool with the strategy "union".

        Raises
        ------
        ValueError
            If both pools are samples, so that inclusion probabilities are unknown; or if the pools were made from
            different files of the same name.
        """
        if is_sample(self) and is_sample(other):
            raise ValueError(TWO_SAMPLES)
        parameters, inputs, precision = combined(self, other)
        frame = united(self.frame, other.frame)
        systems = tuple(sorted({*self.runs, *other.runs}))
        return Pool(frame, "union", parameters, inputs=inputs, score_precision=precision, runs=systems)

    def difference(self, other: "Pool") -> "Pool":
        """Subtract a pool: the documents that are in this pool and not in the other.

        Parameters
        ----------
        other : Pool
            The pool to subtract.

        Returns
        -------
        Pool
            A pool with the strategy "difference". The remaining documents keep their inclusion probabilities.

        Raises
        ------
        ValueError
            If the other pool is a sample, so that inclusion probabilities are unknown; or if the pools were made from
            different files of the same name.
        """
        if is_sample(other):
            raise ValueError(SUBTRACTED_SAMPLE)
        kept = ~pairs_of(self.frame).isin(pairs_of(other.frame))
        parameters, inputs, precision = combined(self, other)
        frame = self.frame[kept].reset_index(drop=True)
        return Pool(frame, "difference", parameters, inputs=inputs, score_precision=precision, runs=self.runs)

    def with_documents(self, documents: Input, how: str = "hand") -> "Pool":
        """Add documents that were found by hand or by search.

        New documents get the lowest priority of the pool and the inclusion probability 1. A document that is in the
        pool already is not changed, except that one drawn with p < 1 becomes certain (p = 1), as it would be in the
        pool without the draw.

        Parameters
        ----------
        documents : table, path or dictionary
            Columns query_id and doc_id.
        how : {"hand", "search"}
            How the documents were found; this is the stratum of the new ones.

        Returns
        -------
        Pool
            The extended pool, or this pool if nothing changes.

        Raises
        ------
        ValueError
            If `how` is unknown, a column is missing, or a query_id or doc_id is missing or not a valid id.
        """
        if how not in ADDED:
            raise ValueError(f"how must be {' or '.join(map(repr, ADDED))}, not {how!r}")
        additions = checked_pairs(documents, "documents to add")
        new = additions[~pairs_of(additions).isin(pairs_of(self.frame))]
        certain = pairs_of(self.frame).isin(pairs_of(additions)) & self.frame["inclusion_probability"].lt(1).to_numpy()
        if not len(new) and not certain.any():
            return self
        existing = self.frame.assign(inclusion_probability=self.frame["inclusion_probability"].mask(certain, 1.0))
        parameters = self.parameters | {"added": added_counts(self, how, len(new), int(certain.sum()))}
        if not len(new):
            return replace(self, frame=existing, parameters=parameters)
        lowest = existing["priority"].min() if len(existing) else 0.0
        no_systems = pd.Series([()] * len(new), index=new.index, dtype=object)
        rows = new.assign(systems=no_systems, best_rank=pd.array([pd.NA] * len(new), "Int64"))
        rows = rows.assign(stratum=how, inclusion_probability=1.0, priority=lowest - 1)
        return replace(self, frame=by_bytes(pd.concat([existing, rows], ignore_index=True)), parameters=parameters)

    def to_frame(self) -> pd.DataFrame:
        """Return `frame`."""
        return self.frame

    def _sentence(self) -> str:
        return self.describe()

    def _paper_table(self) -> pd.DataFrame:
        """The number of tasks of each topic."""
        return rounded(self.size_by_topic.rename("tasks").rename_axis("topic").reset_index())

    def describe(self) -> str:
        """Describe the pool in one sentence.

        Returns
        -------
        str
            The strategy with its parameters, and the numbers of systems, tasks, topics, and documents per topic.
        """
        sizes = self.size_by_topic
        over = f" over {count(len(self.systems), 'system')}" if self.systems else ""
        sentence = f"{describe(provenance(self))}{over}: "
        if not len(sizes):
            sentence += "no document is left to judge"
        else:
            sentence += f"{count(len(self), 'task')} in {count(len(sizes), 'topic')}, {_each(sizes)}"
        if judged := self.parameters.get("judged"):
            because = "it is" if judged["left_out"] == 1 else "they are"
            sentence += f"; {count(judged['left_out'], 'document')} left out because {because} judged"
        added = int(self.frame["stratum"].isin(ADDED).sum())
        return f"{sentence}; {count(added, 'document')} added by hand or search" if added else sentence


def pool(
    runs: Runs,
    strategy: str = "depth",
    *,
    seed: int | None = None,
    judged: Input | None = None,
    inputs: Mapping[str, str] | None = None,
    score_precision: str | None = None,
    **parameters: Any,
) -> Pool:
    """Select the documents to judge from runs.

    Parameters
    ----------
    runs : table, path, dictionary, iterable of these, or RankedRuns
        Columns system, query_id, doc_id and score. All rows of a system must be in one DataFrame. An iterable is
        consumed once: a generator that reads one file at a time keeps only one run in memory.
    strategy : str
        The name of a strategy in `pooling.STRATEGIES`.
    seed : int, optional
        The seed, from 0. Strategies that draw a sample ("random", "stratified", "stat_ap") need one. In the others it
        decides which of the tied documents at the end of the pool are selected, and is 0 by default. Strategy "depth"
        takes none.
    judged : table, path or dictionary, optional
        Existing judgements, with the columns query_id, doc_id and, optionally, relevance. The strategy selects as if
        there were none, and then the judged documents are left out: a top-up contains only what is not judged yet. A
        negative relevance means "not judged". The pool records how many documents were left out.
    inputs : mapping of str to str, optional
        The SHA-256 checksums of the run files by name, to be recorded (see `checksums`).
    score_precision : {"float64", "float32"}, optional
        The precision with which the scores were read, to be recorded.
    **parameters
        The parameters of the strategy, such as ``depth=10`` or ``size=100``. Each strategy documents its own.

    Returns
    -------
    Pool
        The selected pairs of topic and document with their provenance.

    Raises
    ------
    ValueError
        If the strategy or a parameter is unknown, a parameter or the seed is missing or not allowed, a column or an id
        is missing, a relevance is not a number, a system is in two DataFrames, or there is no run.

    Examples
    --------
    >>> import pandas as pd
    >>> from pooling import pool
    >>> rows = [("s", "1", "a", 2.0), ("s", "1", "b", 1.0), ("t", "1", "b", 5.0), ("t", "1", "c", 4.0)]
    >>> runs = pd.DataFrame(rows, columns=["system", "query_id", "doc_id", "score"])
    >>> pool(runs, "rrf", size=2).describe()
    'rrf (size 2, k 60, seed 0) over 2 systems: 2 tasks in 1 topic, 2 each'
    >>> gold = pd.DataFrame({"query_id": ["1"], "doc_id": ["a"], "relevance": [1]})
    >>> pool(runs, depth=1, judged=gold).describe()
    'depth (depth 1) over 2 systems: 1 task in 1 topic, 1 each; 1 document left out because it is judged'
    """
    choose, options = checked_strategy(strategy, seed, parameters)
    if score_precision not in (None, *SCORE_PRECISIONS):
        raise ValueError(f"score_precision {score_precision!r} is unknown; choose from: {', '.join(SCORE_PRECISIONS)}")
    needs_scores = strategy in NEED_SCORES
    depth = None if needs_scores else options.get("depth")  # scores are normalised over whole rankings
    judged_pairs = None if judged is None else pairs_of(checked_judged(judged))
    ranked_runs = prepare(runs, keep_scores=needs_scores, depth=depth)
    if judged_pairs is not None:
        check_common_topic(ranked_runs, judged_pairs.get_level_values("query_id").unique(), "the judged documents")
    frame = pooled(ranked_runs, choose(ranked_runs, **options))
    recorded = {name: value for name, value in options.items() if name != "seed"}
    if judged_pairs is not None:
        is_judged = pairs_of(frame).isin(judged_pairs)
        frame = frame[~is_judged].reset_index(drop=True)
        recorded["judged"] = judged_record(judged_pairs, int(is_judged.sum()))
    return Pool(
        frame,
        strategy,
        _json_value(recorded),
        seed=_json_value(options.get("seed")),
        inputs=dict(inputs or {}),
        score_precision=score_precision,
        runs=tuple(ranked_runs.systems),
    )


def checksums(paths: Iterable[str | PathLike[str]]) -> dict[str, str]:
    """Compute the SHA-256 checksums of files.

    Parameters
    ----------
    paths : iterable of path
        The files. They are read as they are on disk, without decompression.

    Returns
    -------
    dict of str to str
        The hexadecimal checksum of each file by its name. If two files have the same name, as many parent folders
        as needed precede all names.

    Raises
    ------
    OSError
        If a file cannot be read.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from pooling import checksums
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "a.run")
    ...     _ = path.write_text("1 Q0 d1 1 2.5 s")
    ...     {name: checksum[:8] for name, checksum in checksums([path]).items()}
    {'a.run': 'fc10dff9'}
    """
    listed = path_list("paths", paths)
    files = sorted({path.absolute() for path in listed})
    folders = 0
    while len({_last_parts(path, folders) for path in files}) < len(files):
        folders += 1
    return {_last_parts(path, folders): _sha256(path) for path in files}


def _last_parts(path: Path, folders: int) -> str:
    """The name of a file with its last parent folders."""
    return "/".join(path.parts[-folders - 1 :])


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _json_value(value: Any) -> Any:
    """A parameter as JSON reads it back: lists for tuples, numbers of Python for those of numpy."""
    if isinstance(value, dict):
        return {name: _json_value(part) for name, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_json_value(part) for part in value]
    return value.item() if isinstance(value, np.generic) else value


def _each(sizes: "pd.Series[int]") -> str:
    """The smallest, largest and median size."""
    if sizes.min() == sizes.max():
        return f"{sizes.min():,} each"
    return f"{sizes.min():,} to {sizes.max():,} each (median {sizes.median():,g})"
