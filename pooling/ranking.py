"""The document order: score descending, ties by doc_id descending in UTF-8 bytes.

This is trec_eval's order. The rank column of a run file is ignored. No other sort by score exists in Assay. Scores are
finite float64; 0.0 and -0.0 are equal. UTF-8 sorts in the order of code points, so Python, numpy and Arrow strings all
compare in byte order.

`ranked` sorts a DataFrame. `prepare` converts rankings to integer arrays once, for everything that uses them many
times: pools, scores, simulations.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import pandas as pd

from pooling._io.order import byte_codes, order, places, with_ranks
from pooling.inputs import Input, as_runs
from pooling.preparing.chunk import Chunk
from pooling.preparing.files import chunk_of_file, refuse_duplicates, run_paths
from pooling.preparing.interning import encode, first_duplicate, has_duplicates
from pooling.words import count

__all__ = [
    "RankedRuns",
    "Runs",
    "byte_codes",
    "check_common_topic",
    "check_whole",
    "opened",
    "order",
    "places",
    "prepare",
    "prepare_topics",
    "ranked",
]


def ranked(run: Input) -> pd.DataFrame:
    """Sort the rows of one or several runs and add their ranks.

    Parameters
    ----------
    run : table, path, dictionary, or iterable of these
        Columns system, query_id, doc_id and score (finite). Other columns are kept. All rows of a system must be in
        one table.

    Returns
    -------
    DataFrame
        The same rows with an additional column rank (int64, from 1 per system and topic). They are sorted by system
        and query_id (as UTF-8 bytes), then by score descending, ties by doc_id descending in UTF-8 bytes.

    Raises
    ------
    ValueError
        If a column or an id is missing, there is no run, a system is in two tables, a document occurs twice in a
        ranking, or a score is not a finite number.

    Examples
    --------
    >>> import pandas as pd
    >>> from pooling import ranked
    >>> run = pd.DataFrame({"system": "bm25", "query_id": "1", "doc_id": ["a", "b", "c"], "score": [1.0, 2.0, 2.0]})
    >>> ranked(run)
      system query_id doc_id  score  rank
    0   bm25        1      c    2.0     1
    1   bm25        1      b    2.0     2
    2   bm25        1      a    1.0     3
    """
    frames = list(_frames(run))
    chunks = [Chunk.from_frame(frame, None) for frame in frames]
    if not frames or any(map(len, frames)):  # tables without rows stay empty
        _ranked_runs(chunks, False, None)  # raises ValueError if the runs are invalid
    return with_ranks(frames[0] if len(frames) == 1 else pd.concat(frames, ignore_index=True))


@dataclass(frozen=True, eq=False, repr=False)
class RankedRuns:
    """The rankings of several systems as integer arrays; created by `prepare`.

    An *item* is a pair of topic and document that at least one run has. Rankings are in document order: score
    descending, ties by doc_id descending in UTF-8 bytes.

    Attributes
    ----------
    systems : Index of str, shape (n_systems,)
        The names of the systems, ascending.
    query_ids : Index of str, shape (n_topics,)
        The topics, ascending.
    documents : Index of str, shape (n_documents,)
        The doc_ids of all runs.
    keys : Index of int64, shape (n_items,)
        For each item: (position of its topic) * n_documents + (position of its document), ascending.
    items : ndarray of int32, shape (n_systems, n_topics + 1, n_ranks)
        The item at each rank, as a position in `keys`; n_items beyond the end of a ranking. The additional last topic
        is empty in all runs.
    retrieved : ndarray of int, shape (n_systems, n_topics + 1)
        The length of each ranking.
    scores : ndarray of float, shape of `items`, or None
        The score at each rank; 0 beyond the end of a ranking. None unless prepared with `keep_scores=True`.
    depth : int or None
        The number of ranks that were kept; None for all.

    Examples
    --------
    >>> import pandas as pd
    >>> from pooling import prepare
    >>> runs = prepare(pd.DataFrame({"system": "s", "query_id": "1", "doc_id": ["a", "b"], "score": [1.0, 2.0]}))
    >>> [runs.doc_ids_of_items[item] for item in runs.items[0, 0]]
    ['b', 'a']
    """

    systems: pd.Index
    query_ids: pd.Index
    documents: pd.Index
    keys: pd.Index
    items: np.ndarray
    retrieved: np.ndarray
    scores: np.ndarray | None = None
    depth: int | None = None

    def __repr__(self) -> str:
        ranks = count(self.items.shape[2], "rank") + ("" if self.depth is None else f" (depth {self.depth})")
        counts = (len(self.systems), "system"), (len(self.query_ids), "topic"), (len(self.documents), "document")
        return f"RankedRuns: {', '.join(count(number, noun) for number, noun in counts)}, {ranks}"

    @property
    def topics_of_items(self) -> np.ndarray:
        """The position of each item's topic in `query_ids`; ndarray of int64, shape (n_items,)."""
        return self.keys.to_numpy() // len(self.documents)

    @property
    def doc_ids_of_items(self) -> pd.Index:
        """The doc_id of each item; Index of str, shape (n_items,)."""
        return self.documents.take(self.keys.to_numpy() % len(self.documents))


# What every function of both libraries accepts as runs.
Runs: TypeAlias = RankedRuns | Input


def prepare(runs: Runs, keep_scores: bool = False, depth: int | None = None) -> RankedRuns:
    """Rank runs once and convert them to integer arrays.

    Prepare runs once to use them for several pools, scores or simulations.

    Parameters
    ----------
    runs : table, path, dictionary, iterable of these, or RankedRuns
        Columns system, query_id, doc_id and score. All rows of a system must be in one DataFrame. For an iterable, one
        DataFrame at a time is kept in memory, apart from its doc_ids. `RankedRuns` are checked and returned unchanged.
    keep_scores : bool
        Whether to keep the scores, which only the Comb strategies need. Without scores the result takes a third of
        the memory.
    depth : int, optional
        Keep only the first `depth` ranks of every ranking, at least 1. This is much faster if nothing deeper is
        needed. By default all ranks are kept.

    Returns
    -------
    RankedRuns
        The rankings of all systems.

    Raises
    ------
    ValueError
        If a column is missing, there is no run, a system is in two DataFrames (the error gives their positions, from
        1), a document occurs twice in the kept part of a ranking, a score is not finite, or `depth` is not a positive
        whole number; or if `runs` were prepared without the scores or ranks that are now required.

    Examples
    --------
    >>> import pandas as pd
    >>> from pooling import prepare
    >>> rows = [("s", "1", "a", 1.0), ("s", "1", "b", 2.0), ("t", "1", "a", 0.5)]
    >>> runs = prepare(pd.DataFrame(rows, columns=["system", "query_id", "doc_id", "score"]))
    >>> runs.items.shape  # systems, topics + 1, ranks
    (2, 2, 2)
    >>> runs.retrieved[:, 0]
    array([2, 1])
    """
    if depth is not None:
        check_whole("depth", depth)
    if isinstance(runs, RankedRuns):
        return _prepared(runs, keep_scores, depth)
    return _ranked_runs(_chunks(runs, depth, None, keep_scores), keep_scores, depth)


def prepare_topics(runs: Input, topics: Iterable[str]) -> RankedRuns:
    """Rank runs on some topics only, which is faster if the runs have many others.

    The result has all systems, also those without any of the topics. It is for a single use: it does not record that
    other topics are missing from it. A table without any of the topics keeps one of its own, for errors.

    Examples
    --------
    >>> import pandas as pd
    >>> from pooling.ranking import prepare_topics
    >>> rows = [("s", "1", "a", 1.0), ("s", "2", "b", 2.0), ("t", "2", "a", 0.5)]
    >>> runs = prepare_topics(pd.DataFrame(rows, columns=["system", "query_id", "doc_id", "score"]), ["1"])
    >>> runs.systems.tolist(), runs.query_ids.tolist(), runs.retrieved[:, 0].tolist()
    (['s', 't'], ['1'], [1, 0])
    """
    return _ranked_runs(_chunks(runs, None, set(topics), False), False, None)


def _chunks(runs: Input, depth: int | None, topics: set[str] | None, keep_scores: bool) -> list[Chunk]:
    if (paths := run_paths(runs)) is not None:
        return [chunk_of_file(path, depth, topics, keep_scores) for path in paths]
    return [Chunk.from_frame(frame, depth, topics, keep_scores) for frame in _frames(runs)]


def _frames(runs: Input) -> Iterable[pd.DataFrame]:
    frames = as_runs(runs)
    return [frames] if isinstance(frames, pd.DataFrame) else frames


def _ranked_runs(chunks: list[Chunk], keep_scores: bool, depth: int | None) -> RankedRuns:
    _check_frames(chunks)
    chunks = [chunk for chunk in chunks if len(chunk.system[1])]
    rows, systems, query_ids, numbered = encode(chunks)
    keys, documents = numbered.keys, numbered.documents
    shape = (len(systems), len(query_ids) + 1, max(int(one.rank.max(initial=1)) for one in rows))
    items = np.full(shape, len(keys), dtype=np.int32)
    for one in rows:
        items.reshape(-1)[one.positions(shape)] = one.item
    if has_duplicates(items, len(keys)):
        refuse_duplicates(chunks)
        system, item = first_duplicate(rows)
        topic, document = divmod(int(keys[item]), len(documents))
        where = f"system {systems[system]!r}, topic {query_ids[topic]!r}"
        raise ValueError(f"{where}: document {documents[document]!r} occurs twice")
    scores = np.zeros(shape) if keep_scores else None
    if scores is not None:
        for one in rows:
            scores.reshape(-1)[one.positions(shape)] = one.score
    retrieved = (items < len(keys)).sum(axis=-1)
    return RankedRuns(systems, query_ids, documents, pd.Index(keys), items, retrieved, scores, depth)


def check_whole(name: str, value: int, least: int = 1) -> None:
    """Raise ValueError unless `value` is a whole number from `least`."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < least:
        raise ValueError(f"{name} must be a whole number from {least}, not {value!r}")


def opened(runs: Runs) -> RankedRuns | pd.DataFrame | Iterator[pd.DataFrame]:
    """Prepared runs unchanged, and anything else as DataFrames."""
    return runs if isinstance(runs, RankedRuns) else as_runs(runs)


def check_common_topic(runs: RankedRuns, query_ids: Iterable[str], gold: str = "the gold") -> None:
    """Raise ValueError if a gold has topics, and the runs have none of them; `gold` is its name in the message."""
    topics = list(query_ids)
    if topics and (runs.query_ids.get_indexer(pd.Index(topics, dtype="str")) < 0).all():
        raise ValueError(
            f"The runs and {gold} have no topic in common: a topic of the runs is {runs.query_ids[0]!r}, and a topic "
            f"of {gold} is {topics[0]!r}. Topics are compared as strings."
        )


def _prepared(runs: RankedRuns, keep_scores: bool, depth: int | None) -> RankedRuns:
    """The prepared runs, if they have the required scores and ranks."""
    if keep_scores and runs.scores is None:
        raise ValueError("these runs were prepared without scores; prepare them with keep_scores=True")
    if runs.depth is not None and (depth is None or depth > runs.depth):
        required = "all ranks" if depth is None else f"depth={depth}"
        raise ValueError(f"these runs were prepared with depth={runs.depth}; prepare them with {required}")
    return runs


def _check_frames(chunks: list[Chunk]) -> None:
    if not any(len(chunk.rank) for chunk in chunks):
        raise ValueError("there are no runs; at least one is required")
    first: dict[str, int] = {}
    for number, chunk in enumerate(chunks, 1):
        for name in chunk.system[1]:
            if (earlier := first.setdefault(name, number)) != number:
                raise ValueError(
                    f"system {name!r} occurs twice, in DataFrames {earlier} and {number} of {len(chunks)};"
                    " all rows of a system must be in one DataFrame or file"
                )
