"""THE order of documents: score descending, ties by doc_id descending as UTF-8 bytes.

This is trec_eval's order. The rank column of a run file has no say. No other sort by score exists in Assay.
Scores are finite float64; 0.0 and -0.0 are the same score. UTF-8 sorts as code points do, so Python, numpy
and Arrow strings all compare in byte order.

`ranked` keeps a table; `prepare` makes whole rankings into arrays of integers, once, for everything that goes over
them many times: pools, scores, simulations.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from pooling._io.interning import Chunk, coded, numbered_items, repeated, twice_in_a_system
from pooling._io.order import byte_codes, order, places

__all__ = ["RankedRuns", "byte_codes", "check_whole", "order", "places", "prepare", "ranked"]


def ranked(run: pd.DataFrame) -> pd.DataFrame:
    """The lines of one run or several, ranked.

    Parameters
    ----------
    run : DataFrame
        system, query_id, doc_id, score; more columns travel along.

    Returns
    -------
    DataFrame
        The same rows, sorted by system and query_id (both as bytes), then in THE order, with a new
        column `rank` (int64, from 1 in each topic of a system).
    """
    groups = byte_codes(run["system"]) * run["query_id"].nunique() + byte_codes(run["query_id"])
    rows = order(groups, run["score"].to_numpy(), run["doc_id"])
    return run.iloc[rows].assign(rank=places(groups[rows])).reset_index(drop=True)


@dataclass(frozen=True, eq=False)
class RankedRuns:
    """Runs of several systems as integers, in THE order; made by `prepare`.

    An *item* is a (topic, document) that some run has.

    Attributes
    ----------
    systems, query_ids : Index of str
        Ascending.
    documents : Index of str
    keys : Index of int64
        Of every item: topic * number of documents + document.
    items : ndarray of int32, shape (n_systems, n_topics + 1, n_ranks)
        Item at each rank, and the number of items where the ranking is shorter. The last topic is one that no
        run has.
    retrieved : ndarray of int, shape (n_systems, n_topics + 1)
        Length of each ranking.
    scores : ndarray of float, shape of `items`, or None
        Score at each rank, 0 where the ranking is shorter; None unless they were kept.
    depth : int or None
        Where only the first ranks were kept, how many; deeper ones are as if they were not there.
    """

    systems: pd.Index
    query_ids: pd.Index
    documents: pd.Index
    keys: pd.Index
    items: np.ndarray
    retrieved: np.ndarray
    scores: np.ndarray | None = None
    depth: int | None = None

    @property
    def topics_of_items(self) -> np.ndarray:
        """Position in `query_ids` of every item's topic."""
        return self.keys.to_numpy() // len(self.documents)

    @property
    def doc_ids_of_items(self) -> pd.Index:
        """The document of every item."""
        return self.documents.take(self.keys.to_numpy() % len(self.documents))


def prepare(
    runs: RankedRuns | pd.DataFrame | Iterable[pd.DataFrame], keep_scores: bool = False, depth: int | None = None
) -> RankedRuns:
    """Runs as integers.

    Parameters
    ----------
    runs : DataFrame, iterable of DataFrame, or RankedRuns
        Columns system, query_id, doc_id, score. Of an iterable, one frame at a time is held, but for its
        doc_ids; all rows of a system are in one frame. What is prepared is returned as it is.
    keep_scores : bool
        Keep the scores too; what only needs the order does without, and takes a third of the memory.
    depth : int, optional
        The first ranks of every ranking, where nothing deeper will be looked at: much faster. All by default.

    Raises
    ------
    ValueError
        A column is missing, a system comes in two frames, a document occurs twice in what is kept of a
        ranking, a score is not finite, `depth` is no positive whole number, there is no run; or scores or ranks
        are asked for that the runs were prepared without.
    """
    if depth is not None:
        check_whole("depth", depth)
    if isinstance(runs, RankedRuns):
        return _prepared(runs, keep_scores, depth)
    chunks = [Chunk.of(frame, depth) for frame in ([runs] if isinstance(runs, pd.DataFrame) else runs)]
    chunks = [chunk for chunk in chunks if len(chunk.rank)]
    _check_frames(chunks)
    rows, systems, query_ids, documents = coded(chunks)
    codes, keys = numbered_items(rows, len(query_ids), len(documents))
    shape = (len(systems), len(query_ids) + 1, max(int(one.rank.max()) for one in rows))
    items = np.full(shape, len(keys), dtype=np.int32)
    for one, code in zip(rows, codes, strict=True):
        items.reshape(-1)[one.places(shape)] = code
    if twice_in_a_system(items, len(keys)):
        system, topic, document = repeated(rows, len(documents))
        where = f"system {systems[system]!r}, topic {query_ids[topic]!r}"
        raise ValueError(f"{where}: document {documents[document]!r} came twice")
    scores = np.zeros(shape) if keep_scores else None
    for one in rows if keep_scores else ():
        scores.reshape(-1)[one.places(shape)] = one.score
    retrieved = (items < len(keys)).sum(axis=-1)
    return RankedRuns(systems, query_ids, documents, pd.Index(keys), items, retrieved, scores, depth)


def check_whole(name: str, value: int, least: int = 1) -> None:
    """Raise ValueError unless `value` is a whole number from `least`."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < least:
        raise ValueError(f"{name} must be a whole number from {least}, not {value!r}")


def _prepared(runs: RankedRuns, keep_scores: bool, depth: int | None) -> RankedRuns:
    """Prepared runs, where they have what is asked for."""
    if keep_scores and runs.scores is None:
        raise ValueError("these runs were prepared without their scores: prepare them with keep_scores=True")
    if runs.depth is not None and (depth is None or depth > runs.depth):
        wanted = "all their ranks" if depth is None else f"depth={depth}"
        raise ValueError(f"these runs were prepared with depth={runs.depth}: prepare them with {wanted}")
    return runs


def _check_frames(chunks: list[Chunk]) -> None:
    if not chunks:
        raise ValueError("there are no runs; one or more are needed")
    names = pd.Index([name for chunk in chunks for name in chunk.system[1]])
    if names.has_duplicates:
        raise ValueError(f"system {names[names.duplicated()][0]!r} comes twice; all rows of a system are in one frame")
