"""Scores of runs under golds, as a table.

Means are over all topics of the gold. A topic without a ranking scores what an empty ranking scores, 0 for nearly every
measure, as trec_eval does with `-c`; `missing="skip"` leaves it out. A topic of the gold without relevant documents
counts with 0.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from agreement.checks import choice, whole_number
from agreement.effectiveness.blockwise import blocks_of
from agreement.effectiveness.measure import Measures, parse_measures
from agreement.effectiveness.ranked_runs import Runs, prepare_for
from agreement.effectiveness.scores import check_judged
from agreement.golds.make_gold import as_golds
from pooling.inputs import Input
from pooling.ranking import check_common_topic
from pooling.run_cache import Executor

MISSING_TOPICS = ("zero", "skip")


def evaluate(
    runs: Runs,
    golds: Input,
    measure: Measures,
    *,
    per_query: bool = True,
    missing: str = "zero",
    judged_only: bool = False,
    scale: Sequence[float] | None = None,
    collection_size: int | None = None,
    known: Input | None = None,
    executor: Executor | None = None,
) -> pd.DataFrame:
    """Score runs under golds.

    Parameters
    ----------
    runs : table, path, dictionary, iterable of these, RankedRuns, or CachedRuns
        Rankings with the columns system, query_id, doc_id and score, of all systems in one frame or in several.
        Other topics than those of the golds are not ranked: their ids and scores are checked, but not whether a
        document occurs twice. Use `prepare` first if the same runs are scored more than once, or
        `pooling.cache_runs` if they do not fit into memory; `CachedRuns` are scored block by block.
    golds : table, path, dictionary, or iterable of these
        Relevance grades with the columns query_id, doc_id and relevance. The name comes from the mapping, or else
        from a column gold.
    measure : measure or iterable of measures
        Names such as "AP", "nDCG@10" or "P(rel=2)@5", or objects of ir_measures.
    per_query : bool
        Return scores of every topic, or means over topics.
    missing : {"zero", "skip"}
        A topic of the gold without a ranking scores 0 (E and RBPResidual, for which lower is better, score 1), or is
        left out of rows and means. With "skip", a system without any topic of the gold has no row.
    judged_only : bool
        Remove unjudged documents from the rankings (trec_eval's `-J`) for every measure. The names of the measures do
        not change; `attrs` records the option.
    scale : sequence of numbers, optional
        Declared grades, lowest first; needed for ERR and graded RBP.
    collection_size : int, optional
        Number of documents in the collection; needed for Specificity and SetAccuracy, and used by ROCAUC.
    known : table, optional
        Documents that the reader knew, with the columns query_id and doc_id; needed for Coverage and Novelty.
    executor : Executor, optional
        Scores several blocks of systems at the same time: an executor of `concurrent.futures`, or
        `dask.distributed.Client.get_executor()`. The scores are the same bytes without it.

    Returns
    -------
    DataFrame
        Columns gold, system, query_id, measure and value; no query_id for means. Sorted by gold and measure in the
        given order, then by system and topic. `attrs` has missing and judged_only.

    Raises
    ------
    ValueError
        No measure, an unknown measure or option, a missing option that a measure needs, a gold without a judged
        document, or invalid runs or golds.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement import evaluate
    >>> runs = pd.DataFrame(
    ...     [("lsa", "1", "d1", 2), ("lsa", "1", "d2", 1), ("bm25", "1", "d2", 2), ("bm25", "1", "d1", 1)],
    ...     columns=["system", "query_id", "doc_id", "score"],
    ... )
    >>> gold = pd.DataFrame([("1", "d1", 1), ("1", "d2", 0)], columns=["query_id", "doc_id", "relevance"])
    >>> evaluate(runs, gold, ["AP", "P@1"], per_query=False)[["system", "measure", "value"]]
      system measure  value
    0   bm25      AP    0.5
    1    lsa      AP    1.0
    2   bm25     P@1    0.0
    3    lsa     P@1    1.0
    """
    choice("missing", missing, MISSING_TOPICS)
    parsed = parse_measures(measure)
    if not parsed:
        raise ValueError("measure must be one or more measures, such as 'AP' or ['AP', 'nDCG@10'], not an empty list.")
    parsed = [replace(measure, judged_only=True) for measure in parsed] if judged_only else parsed
    named = as_golds(golds)
    blocks = blocks_of(runs, named.values(), executor)
    frames = []
    for name, gold in named.items():
        grades = blocks.catalogue.grades_by_item(gold, scale, collection_size, known)
        check_judged(grades, f"the gold {name!r}")
        check_common_topic(blocks.catalogue, grades.query_ids, f"the gold {name!r}")
        scored = blocks.scored(grades, parsed)
        counted = scored.retrieved > 0 if missing == "skip" else np.ones(scored.retrieved.shape, dtype=bool)
        for measure, values in zip(parsed, scored.values, strict=True):
            rows = (_topic_rows if per_query else _mean_rows)(blocks.systems, grades.query_ids, values, counted)
            rows.insert(0, "gold", name)
            rows.insert(len(rows.columns) - 1, "measure", measure.name)
            frames.append(rows)
    scores = pd.concat(frames, ignore_index=True)
    scores.attrs = {"missing": missing, "judged_only": judged_only}
    return scores


def judged_share(runs: Runs, golds: Input, k: int = 10) -> pd.DataFrame:
    """Compute which share of the first k documents was judged.

    Parameters
    ----------
    runs : table, path, dictionary, iterable of these, or RankedRuns
        Rankings with the columns system, query_id, doc_id and score, of all systems in one frame or in several.
        Other topics than those of the golds are not ranked: their ids and scores are checked, but not whether a
        document occurs twice.
    golds : table, path, dictionary, or iterable of these
        Relevance grades with the columns query_id, doc_id and relevance. The name comes from the mapping, or else
        from a column gold. A negative relevance means "not judged".
    k : int
        Number of documents, at least 1.

    Returns
    -------
    DataFrame
        Columns gold, system, k, judged and retrieved (number of documents among the first k, over all topics of the
        gold), and value, judged / retrieved; NA if nothing was retrieved.

    Raises
    ------
    ValueError
        k is less than 1, a gold has no judged document, or the runs or golds are invalid.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement import judged_share
    >>> runs = pd.DataFrame(
    ...     [("lsa", "1", "d1", 2), ("lsa", "1", "d2", 1), ("bm25", "1", "d2", 2), ("bm25", "1", "d1", 1)],
    ...     columns=["system", "query_id", "doc_id", "score"],
    ... )
    >>> gold = pd.DataFrame([("1", "d1", 1), ("1", "d2", 0)], columns=["query_id", "doc_id", "relevance"])
    >>> judged_share(runs, gold.head(1), k=1)[["system", "judged", "retrieved", "value"]]
      system  judged  retrieved  value
    0   bm25       0          1    0.0
    1    lsa       1          1    1.0
    """
    k = whole_number("k", k, 1)
    named = as_golds(golds)
    ranked_runs = prepare_for(runs, named.values())
    frames = []
    for name, gold in named.items():
        matrix = ranked_runs.under(gold)
        check_judged(matrix, f"the gold {name!r}")
        check_common_topic(ranked_runs, matrix.query_ids, f"the gold {name!r}")
        judged = matrix.judged(k).sum(axis=1)
        retrieved = np.minimum(matrix.retrieved, k).sum(axis=1)
        counts = {"gold": name, "system": matrix.systems, "k": k, "judged": judged, "retrieved": retrieved}
        frames.append(pd.DataFrame(counts))
    shares = pd.concat(frames, ignore_index=True)
    retrieved = shares["retrieved"].astype("Float64")
    # NA for a system that retrieved nothing: 0 would mean that nothing was judged.
    return shares.assign(value=shares["judged"] / retrieved.mask(retrieved == 0))


def _topic_rows(systems: pd.Index, query_ids: Sequence[str], values: np.ndarray, counted: np.ndarray) -> pd.DataFrame:
    system, topic = np.nonzero(counted)
    topics = pd.Index(list(query_ids), dtype="str")
    rows = {"system": systems.take(system), "query_id": topics.take(topic), "value": values[system, topic]}
    return pd.DataFrame(rows)


def _mean_rows(
    systems: pd.Index,
    query_ids: Sequence[str],  # noqa: ARG001 - like `_topic_rows`
    values: np.ndarray,
    counted: np.ndarray,
) -> pd.DataFrame:
    n_topics = counted.sum(axis=1)
    has_topics = n_topics > 0
    sums = (values * counted).sum(axis=1)
    return pd.DataFrame({"system": systems[has_topics], "value": sums[has_topics] / n_topics[has_topics]})
