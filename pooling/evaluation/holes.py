"""Holes at k: the documents among the first k of a ranking that are not judged.

    holes@k = min(k, retrieved documents) - judged documents among the first k

It is a whole number from 0 to k. With judged@k (`pooling.evaluation.coverage`), the share of holes is 1 - judged@k. A
negative relevance means "not judged". A topic of the runs that the gold lacks has only holes; a topic that a run lacks
has none. Judging the holes of several runs together needs each document once, however many runs retrieved it.
"""

import numpy as np
import pandas as pd

from pooling.evaluation.judged_items import IDS, judged_items, with_text_ids
from pooling.inputs import Input
from pooling.ranking import RankedRuns, Runs, check_whole, prepare


def holes_at(runs: Runs, gold: Input, k: int = 10) -> pd.DataFrame:
    """Count the unjudged documents among the first k of each run and topic.

    Parameters
    ----------
    runs : table, path, dictionary, iterable of these, or RankedRuns
        Columns system, query_id, doc_id and score.
    gold : table, path or dictionary
        Columns query_id, doc_id and relevance. It may be empty: then nothing is judged.
    k : int
        The cutoff, at least 1.

    Returns
    -------
    DataFrame
        One row per system and topic of the runs, sorted by both, with the columns

        - system, query_id (str);
        - holes (int64): unjudged documents among the first k, from 0 to k;
        - n_documents (int64): documents among the first k.

    Raises
    ------
    ValueError
        If `k` is not a positive whole number, the runs and the gold have no common topic, or the gold is invalid.

    Examples
    --------
    >>> import pandas as pd
    >>> from pooling import holes_at
    >>> runs = pd.DataFrame({"system": "s", "query_id": "1", "doc_id": ["a", "b"], "score": [2.0, 1.0]})
    >>> gold = pd.DataFrame({"query_id": ["1"], "doc_id": ["a"], "relevance": [1]})
    >>> holes_at(runs, gold, k=2)
      system query_id  holes  n_documents
    0      s        1      1            2
    """
    ranked, unjudged = _unjudged(runs, gold, k)
    system, topic = (codes.ravel() for codes in np.indices(unjudged.shape[:2]))
    return pd.DataFrame(
        {
            "system": ranked.systems.astype("str").take(system),
            "query_id": ranked.query_ids.astype("str").take(topic),
            "holes": unjudged.sum(axis=2).ravel(),
            "n_documents": ranked.retrieved[:, :-1].ravel().astype(np.int64),
        }
    )


def hole_documents(runs: Runs, gold: Input, k: int = 10) -> pd.DataFrame:
    """List the unjudged documents among the first k of at least one run, each once.

    Parameters
    ----------
    runs : table, path, dictionary, iterable of these, or RankedRuns
        Columns system, query_id, doc_id and score.
    gold : table, path or dictionary
        Columns query_id, doc_id and relevance. It may be empty: then nothing is judged.
    k : int
        The cutoff, at least 1.

    Returns
    -------
    DataFrame
        One row per document with the columns query_id, doc_id (str) and n_systems (int64), the runs that have it among
        their first k; sorted by topic and document.

    Raises
    ------
    ValueError
        If `k` is not a positive whole number, the runs and the gold have no common topic, or the gold is invalid.

    Examples
    --------
    >>> import pandas as pd
    >>> from pooling import hole_documents
    >>> rows = [("s", "1", "a", 2.0), ("s", "1", "b", 1.0), ("t", "1", "b", 5.0)]
    >>> runs = pd.DataFrame(rows, columns=["system", "query_id", "doc_id", "score"])
    >>> gold = pd.DataFrame({"query_id": ["1"], "doc_id": ["a"], "relevance": [1]})
    >>> hole_documents(runs, gold, k=2)
      query_id doc_id  n_systems
    0        1      b          2
    """
    ranked, unjudged = _unjudged(runs, gold, k)
    items, numbers = np.unique(ranked.items[:, :-1][unjudged], return_counts=True)
    columns = {
        "query_id": ranked.query_ids.astype("str").take(ranked.topics_of_items[items]),
        "doc_id": ranked.doc_ids_of_items.astype("str").take(items),
        "n_systems": numbers,
    }
    return pd.DataFrame(columns).sort_values(IDS, kind="stable", ignore_index=True)


def _unjudged(runs: Runs, gold: Input, k: int) -> tuple[RankedRuns, np.ndarray]:
    """Return the first k of the runs, and whether each is unjudged; shape (n_systems, n_topics, at most k)."""
    check_whole("k", k)
    ranked = prepare(runs, depth=k)
    judged = np.zeros(len(ranked.keys) + 1, dtype=bool)
    if len(frame := with_text_ids(gold)):
        judged = judged_items(ranked, frame).judged
    within = np.arange(ranked.items.shape[2]) < ranked.retrieved[:, :-1, None]
    return ranked, within & ~judged[ranked.items[:, :-1]]
