"""Curves of rankings: precision and recall, plain and interpolated, and ROC; per topic or averaged over topics.

All curves count like the measures: a grade of `rel` or more is relevant, and an unjudged document is not. The topics
are those of the gold. A topic without relevant documents has precision and recall 0 everywhere, and a topic without a
ranking has the scores of an empty ranking.

`pr_curve`
    Precision and recall after each rank, the saw-tooth of Manning, Raghavan and Schuetze (2008), figure 8.2. It is
    averaged at ranks: the means over topics of P@k and of recall at k, TREC's "document level averages". A ranking
    shorter than k keeps its recall, and its precision is divided by k.
`interpolated_pr_curve`
    `agreement.measures.interpolated` at evenly spaced recalls, averaged at each recall (figure 8.3 of the
    same book; TREC's "recall level averages").
`roc_curve`
    The share of the relevant documents retrieved (true positive rate) against the share of the nonrelevant documents
    retrieved (false positive rate), after each rank. Documents that were not retrieved are tied after the ranking,
    which gives a straight line to (1, 1). With `collection_size`, all documents of the collection that are not relevant
    are nonrelevant; without it, the documents judged nonrelevant. The area under a topic's curve is the measure ROCAUC.
    Therefore the curve of a topic without a ranking runs along the bottom: (0, 0), (1, 0), (1, 1). The curve is
    averaged vertically: the mean over topics of the true positive rate at evenly spaced false positive rates (T.
    Fawcett, 2006, An introduction to ROC analysis, Pattern Recognition Letters 27, section 8.1). Topics without
    relevant or without nonrelevant documents have no curve and are left out; `n_topics` is the number of topics used.
"""

from typing import Any

import numpy as np
import pandas as pd

from agreement.effectiveness.ranked_runs import GradeMatrix, Runs, prepare, share
from agreement.measures.interpolated import precision_at_recalls
from agreement.measures.roc import nonrelevant_positions
from pooling.inputs import Input
from pooling.ranking import check_common_topic


def pr_curve(runs: Runs, gold: Input, rel: int = 1, *, per_query: bool = True) -> pd.DataFrame:
    """Compute precision and recall after each rank.

    Parameters
    ----------
    runs : table, path, dictionary, iterable of these, or RankedRuns
        Rankings with the columns system, query_id, doc_id and score, of all systems in one frame or in several.
    gold : table, path or dictionary
        Relevance grades with the columns query_id, doc_id and relevance. A negative relevance means "not judged".
    rel : int
        Lowest relevant grade.
    per_query : bool
        Return a curve for every topic, or the average over topics.

    Returns
    -------
    DataFrame
        Columns system, query_id, rank, recall and precision, sorted by system, topic and rank; recall and precision
        from 0 to 1. Averages have n_topics instead of query_id, and end at the system's longest ranking.

    Raises
    ------
    ValueError
        Invalid runs or gold.

    References
    ----------
    C. D. Manning, P. Raghavan and H. Schuetze (2008). Introduction to Information Retrieval, section 8.4.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement import pr_curve
    >>> runs = pd.DataFrame(
    ...     [("lsa", "1", "d1", 2), ("lsa", "1", "d2", 1), ("bm25", "1", "d2", 2), ("bm25", "1", "d1", 1)],
    ...     columns=["system", "query_id", "doc_id", "score"],
    ... )
    >>> gold = pd.DataFrame([("1", "d1", 1), ("1", "d2", 0)], columns=["query_id", "doc_id", "relevance"])
    >>> pr_curve(runs, gold)
      system query_id  rank  recall  precision
    0   bm25        1     1     0.0        0.0
    1   bm25        1     2     1.0        0.5
    2    lsa        1     1     1.0        1.0
    3    lsa        1     2     1.0        0.5
    """
    matrix = _graded(runs, gold)
    found = np.cumsum(matrix.grades >= rel, axis=-1)
    ranks = np.arange(1, found.shape[-1] + 1)
    rates = {"recall": share(found.astype(float), matrix.relevant(rel)[:, None]), "precision": found / ranks}
    if per_query:
        system, topic, position = np.nonzero(ranks <= matrix.retrieved[..., None])
        values = {name: rate[system, topic, position] for name, rate in rates.items()}
        return _labelled(matrix, system, topic, {"rank": position + 1, **values})
    system, position = np.nonzero(ranks <= matrix.retrieved.max(axis=1, initial=0)[:, None])
    means = {name: rate.sum(axis=1)[system, position] / len(matrix.query_ids) for name, rate in rates.items()}
    return _labelled(matrix, system, None, {"n_topics": len(matrix.query_ids), "rank": position + 1, **means})


def interpolated_pr_curve(
    runs: Runs, gold: Input, rel: int = 1, points: int = 11, *, per_query: bool = True
) -> pd.DataFrame:
    """Compute interpolated precision at evenly spaced recalls.

    Parameters
    ----------
    runs : table, path, dictionary, iterable of these, or RankedRuns
        Rankings with the columns system, query_id, doc_id and score, of all systems in one frame or in several.
    gold : table, path or dictionary
        Relevance grades with the columns query_id, doc_id and relevance. A negative relevance means "not judged".
    rel : int
        Lowest relevant grade.
    points : int
        Number of recalls from 0 to 1, at least 2; 11 gives the recalls 0, 0.1, ..., 1.
    per_query : bool
        Return a curve for every topic, or the average over topics.

    Returns
    -------
    DataFrame
        Columns system, query_id, recall and precision, sorted by system, topic and recall; both from 0 to 1. Averages
        have n_topics instead of query_id.

    Raises
    ------
    ValueError
        There are fewer than 2 points, or the runs or the gold are invalid.

    References
    ----------
    C. D. Manning, P. Raghavan and H. Schuetze (2008). Introduction to Information Retrieval, section 8.4.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement import interpolated_pr_curve
    >>> runs = pd.DataFrame(
    ...     [("lsa", "1", "d1", 2), ("lsa", "1", "d2", 1), ("bm25", "1", "d2", 2), ("bm25", "1", "d1", 1)],
    ...     columns=["system", "query_id", "doc_id", "score"],
    ... )
    >>> gold = pd.DataFrame([("1", "d1", 1), ("1", "d2", 0)], columns=["query_id", "doc_id", "relevance"])
    >>> interpolated_pr_curve(runs, gold, points=2)
      system query_id  recall  precision
    0   bm25        1     0.0        0.5
    1   bm25        1     1.0        0.5
    2    lsa        1     0.0        1.0
    3    lsa        1     1.0        1.0
    """
    recalls = _even(points)
    matrix = _graded(runs, gold)
    precision = precision_at_recalls(matrix, tuple(recalls), rel)
    if per_query:
        system, topic, point = (codes.ravel() for codes in np.indices(precision.shape))
        return _labelled(matrix, system, topic, {"recall": recalls[point], "precision": precision.ravel()})
    n_topics = len(matrix.query_ids)
    system, point = np.nonzero(np.full((len(matrix.systems), points), n_topics > 0))
    values = {"recall": recalls[point], "precision": precision.sum(axis=1)[system, point] / n_topics}
    return _labelled(matrix, system, None, {"n_topics": n_topics, **values})


def roc_curve(
    runs: Runs,
    gold: Input,
    rel: int = 1,
    collection_size: int | None = None,
    points: int = 101,
    *,
    per_query: bool = True,
) -> pd.DataFrame:
    """Compute the ROC curve: the true positive rate against the false positive rate after each rank.

    Parameters
    ----------
    runs : table, path, dictionary, iterable of these, or RankedRuns
        Rankings with the columns system, query_id, doc_id and score, of all systems in one frame or in several.
    gold : table, path or dictionary
        Relevance grades with the columns query_id, doc_id and relevance. A negative relevance means "not judged".
    rel : int
        Lowest relevant grade.
    collection_size : int, optional
        Number of documents in the collection. Without it, only the judged documents count.
    points : int
        Number of false positive rates from 0 to 1 at which topics are averaged, at least 2.
    per_query : bool
        Return a curve for every topic, or the average over topics.

    Returns
    -------
    DataFrame
        Columns system, query_id, false_positive_rate and true_positive_rate, sorted by system and topic, from (0, 0) to
        (1, 1), with a row for each document that counts. Averages have n_topics instead of query_id. Topics without
        relevant or without nonrelevant documents are left out.

    Raises
    ------
    ValueError
        The collection is smaller than the retrieved and relevant documents of a topic, there are fewer than 2 points,
        or the runs or the gold are invalid.

    References
    ----------
    T. Fawcett (2006). An introduction to ROC analysis. Pattern Recognition Letters 27, 861-874.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement import roc_curve
    >>> runs = pd.DataFrame(
    ...     [("lsa", "1", "d1", 2), ("lsa", "1", "d2", 1), ("bm25", "1", "d2", 2), ("bm25", "1", "d1", 1)],
    ...     columns=["system", "query_id", "doc_id", "score"],
    ... )
    >>> gold = pd.DataFrame([("1", "d1", 1), ("1", "d2", 0)], columns=["query_id", "doc_id", "relevance"])
    >>> roc_curve(runs, gold)[["system", "false_positive_rate", "true_positive_rate"]]
      system  false_positive_rate  true_positive_rate
    0   bm25                  0.0                 0.0
    1   bm25                  1.0                 0.0
    2   bm25                  1.0                 1.0
    3    lsa                  0.0                 0.0
    4    lsa                  0.0                 1.0
    5    lsa                  1.0                 1.0
    """
    at = _even(points)
    matrix = _graded(runs, gold, collection_size=collection_size)
    marked, nonrelevant = nonrelevant_positions(matrix, rel)
    relevant = matrix.relevant(rel)
    topics = np.flatnonzero((relevant > 0) & (nonrelevant > 0))
    systems, hit = range(len(matrix.systems)), matrix.grades >= rel
    curves: dict[tuple[int, Any], tuple[np.ndarray, np.ndarray]] = {
        (s, t): _steps(hit[s, t], marked[s, t], (nonrelevant[t], relevant[t]), matrix.retrieved[s, t] == 0)
        for s in systems
        for t in topics
    }
    if not per_query:
        curves = {(s, None): (at, _vertical_mean([curves[s, t] for t in topics], at)) for s in systems if len(topics)}
    lengths = [len(false) for false, _ in curves.values()]
    system = np.repeat([s for s, _ in curves], lengths).astype(int)
    topic = np.repeat([t for _, t in curves], lengths).astype(int) if per_query else None
    false, true = (np.concatenate([np.zeros(0), *(curve[i] for curve in curves.values())]) for i in (0, 1))
    count = {} if per_query else {"n_topics": len(topics)}
    return _labelled(matrix, system, topic, {**count, "false_positive_rate": false, "true_positive_rate": true})


def _graded(runs: Runs, gold: Input, collection_size: int | None = None) -> GradeMatrix:
    """Return the grades of the rankings under a gold that has a topic of the runs."""
    ranked_runs = prepare(runs)
    matrix = ranked_runs.under(gold, collection_size=collection_size)
    check_common_topic(ranked_runs, matrix.query_ids)
    return matrix


def _steps(hit: np.ndarray, miss: np.ndarray, totals: tuple[int, int], empty: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return the false and the true positive rates of one ranking, from (0, 0) to (1, 1)."""
    if empty:
        return np.array([0.0, 1.0, 1.0]), np.array([0.0, 0.0, 1.0])
    counts = hit | miss
    false, true = (np.cumsum(marked[counts]) / total for marked, total in zip((miss, hit), totals, strict=True))
    rest = [] if len(false) and false[-1] == true[-1] == 1 else [1.0]
    return np.concatenate([[0.0], false, rest]), np.concatenate([[0.0], true, rest])


def _vertical_mean(curves: list[tuple[np.ndarray, np.ndarray]], at: np.ndarray) -> np.ndarray:
    """Return the mean true positive rate at each false positive rate; at a vertical step, its upper end."""
    return np.asarray(np.mean([_heights(false, true, at) for false, true in curves], axis=0))


def _heights(false: np.ndarray, true: np.ndarray, at: np.ndarray) -> np.ndarray:
    before = np.searchsorted(false, at, side="right") - 1
    after = np.minimum(before + 1, len(false) - 1)
    width = false[after] - false[before]
    part = share(at - false[before], width)
    return np.asarray(true[before] + part * (true[after] - true[before]))


def _even(points: int) -> np.ndarray:
    if points < 2:
        raise ValueError(f"points must be 2 or more, not {points!r}.")
    return np.asarray(np.arange(points) / (points - 1))


def _labelled(
    matrix: GradeMatrix, system: np.ndarray, topic: np.ndarray | None, values: dict[str, Any]
) -> pd.DataFrame:
    """Return a frame with the names of systems and, unless topics were averaged, of topics."""
    names: dict[str, Any] = {"system": pd.Index(matrix.systems, dtype="str").take(system)}
    if topic is not None:
        names["query_id"] = pd.Index(matrix.query_ids, dtype="str").take(topic)
    return pd.DataFrame({**names, **values})
