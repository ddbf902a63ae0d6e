"""The document order: score descending, ties by doc_id descending in UTF-8 bytes.

This is trec_eval's order. The rank column of a run file is ignored. No other sort by score exists in Assay. Scores are
finite float64; 0.0 and -0.0 are equal. UTF-8 sorts in the order of code points, so Python, numpy and Arrow strings all
compare in byte order.

`ranked` sorts a DataFrame. `prepare` converts rankings to integer arrays once, for everything that uses them many
times: pools, scores, simulations.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import pandas as pd

from pooling._io.interning import Chunk, encode, first_duplicate, has_duplicates, number_items
from pooling._io.order import byte_codes, order, places

__all__ = ["RankedRuns", "Runs", "byte_codes", "check_whole", "order", "places", "prepare", "ranked"]


def ranked(run: pd.DataFrame) -> pd.DataFrame:
    """Sort the rows of one or several runs and add their ranks.

    Parameters
    ----------
    run : DataFrame
        Columns system, query_id, doc_id (str) and score (float, finite). Other columns are kept.

    Returns
    -------
    DataFrame
        The same rows with an additional column rank (int64, from 1 per system and topic). They are sorted by system
        and query_id (as UTF-8 bytes), then by score descending, ties by doc_id descending in UTF-8 bytes.

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
    groups = byte_codes(run["system"]) * run["query_id"].nunique() + byte_codes(run["query_id"])
    rows = order(groups, run["score"].to_numpy(), run["doc_id"])
    return run.iloc[rows].assign(rank=places(groups[rows])).reset_index(drop=True)


@dataclass(frozen=True, eq=False)
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

    @property
    def topics_of_items(self) -> np.ndarray:
        """The position of each item's topic in `query_ids`; ndarray of int64, shape (n_items,)."""
        return self.keys.to_numpy() // len(self.documents)

    @property
    def doc_ids_of_items(self) -> pd.Index:
        """The doc_id of each item; Index of str, shape (n_items,)."""
        return self.documents.take(self.keys.to_numpy() % len(self.documents))


Runs: TypeAlias = RankedRuns | pd.DataFrame | Iterable[pd.DataFrame]


def prepare(runs: Runs, keep_scores: bool = False, depth: int | None = None) -> RankedRuns:
    """Rank runs once and convert them to integer arrays.

    Prepare runs once to use them for several pools, scores or simulations.

    Parameters
    ----------
    runs : DataFrame, iterable of DataFrame, or RankedRuns
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
    chunks = [Chunk.from_frame(frame, depth) for frame in ([runs] if isinstance(runs, pd.DataFrame) else runs)]
    _check_frames(chunks)
    chunks = [chunk for chunk in chunks if len(chunk.rank)]
    rows, systems, query_ids, documents = encode(chunks)
    codes, keys = number_items(rows, len(query_ids), len(documents))
    shape = (len(systems), len(query_ids) + 1, max(int(one.rank.max()) for one in rows))
    items = np.full(shape, len(keys), dtype=np.int32)
    for one, code in zip(rows, codes, strict=True):
        items.reshape(-1)[one.positions(shape)] = code
    if has_duplicates(items, len(keys)):
        system, topic, document = first_duplicate(rows, len(documents))
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
