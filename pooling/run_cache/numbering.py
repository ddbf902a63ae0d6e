"""Number the topics and documents of all blocks together."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa

from pooling.preparing.interning import number_items
from pooling.run_cache.files import read_names


@dataclass(frozen=True, eq=False)
class Numbered:
    """The numbers of a set of runs.

    Attributes
    ----------
    documents : Index of str
        The doc_ids of all blocks.
    keys : ndarray of int64, shape (n_items,)
        For each item of the set: (position of its topic) * n_documents + (position of its document), ascending.
    numbers : ndarray of int32
        For each block, the position in `keys` of each of its items; and n_items, for "no document".
    """

    documents: pd.Index
    keys: np.ndarray
    numbers: np.ndarray


def number_blocks(paths: Sequence[Path], query_ids: pd.Index) -> Numbered:
    """Number the items of all blocks.

    Parameters
    ----------
    paths : sequence of Path
        For each block, the file with the query_id and doc_id of its items.
    query_ids : Index of str
        The topics of all blocks, ascending.

    Returns
    -------
    Numbered
    """
    names = [read_names(path).combine_chunks() for path in paths]
    documents = [one["doc_id"].combine_chunks() for one in names]
    items = number_items(documents, [_topics(one, query_ids) for one in names], len(query_ids))
    none = np.array([len(items.keys)], np.int32)
    numbers = np.concatenate([part for codes in items.codes for part in (codes, none)])
    return Numbered(items.documents, items.keys, numbers)


def _topics(names: pa.Table, query_ids: pd.Index) -> np.ndarray:
    """The position of each item's topic among all topics, int32."""
    topic = names["query_id"].combine_chunks()
    positions = query_ids.get_indexer(pd.Index(topic.dictionary.to_pandas(), dtype="str"))
    return np.asarray(positions[topic.indices.to_numpy()], np.int32)
