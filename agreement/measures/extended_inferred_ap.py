"""Extended inferred average precision (xinfAP), for a pool with different sampling rates in its strata.

Of the N documents of a stratum of a topic, n were sampled and judged, and r of these are relevant. Each of the r
represents w = N / n documents. At a relevant document of rank k, the expected precision is

    E(k) = 1 / k + (1 / k) sum over strata of p (r' + e) / (n' + 3 e)

where p documents of the stratum are above rank k, n' of them judged and r' of them relevant. Then

    xinfAP = (sum of w E(k) over the retrieved relevant documents) / (sum of w over the relevant ones of the gold)

This is the mean of the expected values of the strata, weighted by their estimated number of relevant documents.

Source: E. Yilmaz, E. Kanoulas and J. A. Aslam (2008), A simple and efficient sampling method for estimating AP and
NDCG, SIGIR, 603-610, section 3, with the smoothing of NIST's sample_eval.pl, e = 0.00001 and 3 e in the denominator.
If no document of a stratum above was judged, a third of it is assumed to be relevant (infAP: a half). Unlike that
script, rankings are not cut at rank 1,000, and relevant is a grade of `rel` and above. Range 0 to 1.

A relevance of 0 or more means judged, and a negative one "pooled and not judged". A document that is not in the gold
was not pooled and counts as nonrelevant. With a fully judged pool, xinfAP equals AP except for the smoothing. A stratum
without judged documents adds no relevant documents. A topic without a judged relevant
document, and an empty ranking, have xinfAP 0.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from agreement.checks import described
from agreement.effectiveness.parameters import REL
from agreement.effectiveness.ranked_runs import GradeMatrix, Runs, prepare, share
from agreement.measures.hits import Hits, hits
from pooling.inputs import Input, as_gold
from pooling.ranking import check_common_topic

SMOOTHING = 0.00001


def extended_inferred_ap(runs: Runs, gold: Input, rel: int = 1) -> pd.DataFrame:
    """Compute xinfAP of every ranking.

    Parameters
    ----------
    runs : table, path, dictionary, iterable of these, or RankedRuns
        Rankings with the columns system, query_id, doc_id and score, of all systems in one frame or in several.
    gold : table, path or dictionary
        Columns query_id, doc_id, relevance and stratum (any name), with one row for each document of the pool, judged
        or not; a relevance of -1 means "not judged". Strata of different topics are different, also if their names are
        equal.
    rel : int
        Lowest relevant grade.

    Returns
    -------
    DataFrame, shape (n_systems, n_topics)
        One row for each system and one column for each topic of the gold, both ascending. A topic without a ranking
        scores 0.

    Raises
    ------
    ValueError
        The gold lacks the column stratum, a row has no stratum, or the runs or the gold are invalid.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement import extended_inferred_ap
    >>> runs = pd.DataFrame(
    ...     [("lsa", "1", "d1", 2), ("lsa", "1", "d2", 1)], columns=["system", "query_id", "doc_id", "score"]
    ... )
    >>> gold = pd.DataFrame({"query_id": "1", "doc_id": ["d1", "d2"], "relevance": [0, 1], "stratum": "top"})
    >>> extended_inferred_ap(runs, gold).round(3).to_dict("index")
    {'lsa': {'1': 0.5}}
    """
    rel, ranked_runs = REL.value(rel, "rel"), prepare(runs)
    rows = as_gold(gold)
    matrix = ranked_runs.under(rows)
    check_common_topic(ranked_runs, matrix.query_ids)
    strata = _strata(rows)
    positions = ranked_runs.under(rows.assign(relevance=strata))
    values = _scores(matrix, _Pool.from_strata(positions), _weights(rows, matrix, strata), rel)
    systems, topics = pd.Index(matrix.systems, name="system"), pd.Index(matrix.query_ids, name="query_id")
    return pd.DataFrame(values, index=systems, columns=topics)


@dataclass(frozen=True, eq=False)
class _Pool:
    """The ranks of pooled documents, and the stratum (an integer from 0) at each."""

    at: Hits
    stratum: np.ndarray

    @classmethod
    def from_strata(cls, strata: GradeMatrix) -> "_Pool":
        """Return the pooled documents of a matrix with strata instead of grades."""
        at = hits(strata.grades != strata.unjudged)
        return cls(at, at.values_of(strata.grades).astype(np.int64))


@dataclass(frozen=True, eq=False)
class _Weights:
    """Number of documents that a judged document represents, shape (n_topics, n_strata), and by row of the gold."""

    table: np.ndarray
    of_row: np.ndarray
    topic_of_row: np.ndarray
    relevance: np.ndarray

    def estimated_relevant(self, rel: int) -> np.ndarray:
        """Estimate the number of relevant documents of each topic, shape (n_topics,)."""
        relevant = self.relevance >= rel
        return np.bincount(self.topic_of_row[relevant], self.of_row[relevant], minlength=len(self.table))


def _strata(gold: pd.DataFrame) -> np.ndarray:
    """Return the stratum of each row as an integer from 0."""
    if "stratum" not in gold.columns:
        raise ValueError(
            "xinfAP needs a gold with the column stratum, the part of the pool from which a document was sampled."
        )
    codes, _ = pd.factorize(gold["stratum"], sort=False)
    if (codes < 0).any():
        row = gold[codes < 0].iloc[0]
        raise ValueError(f"Every document needs a stratum, but {described(row)} has none.")
    return codes.astype(np.int64)


def _weights(gold: pd.DataFrame, matrix: GradeMatrix, strata: np.ndarray) -> _Weights:
    shape = (len(matrix.query_ids), strata.max(initial=0) + 1)
    topic = pd.Index(matrix.query_ids).get_indexer(pd.Index(gold["query_id"].astype("str")))
    relevance = gold["relevance"].to_numpy(dtype=np.float64)
    part = topic * shape[1] + strata
    pooled = np.bincount(part, minlength=shape[0] * shape[1])
    judged = np.bincount(part[relevance >= 0], minlength=shape[0] * shape[1])
    weights = share(pooled, judged)
    return _Weights(weights.reshape(shape), weights[part], topic, relevance)


def _scores(matrix: GradeMatrix, pool: _Pool, weights: _Weights, rel: int) -> np.ndarray:
    """Compute xinfAP, shape (n_systems, n_topics)."""
    grades = pool.at.values_of(matrix.grades)
    relevant = grades >= rel
    precision = (1 + _expected_above(pool, relevant, grades >= 0)) / pool.at.rank
    weight = np.where(relevant, weights.table[pool.at.topic, pool.stratum], 0.0)
    return share(pool.at.summed(weight * precision), weights.estimated_relevant(rel))


def _expected_above(pool: _Pool, relevant: np.ndarray, judged: np.ndarray) -> np.ndarray:
    """Return the expected number of relevant documents above each pooled document, shape (n_documents,).

    The expected number of a stratum changes only at the ranks of its documents. The changes are summed by rank.
    """
    group = pool.at.ranking * (pool.stratum.max(initial=0) + 1) + pool.stratum
    order = np.argsort(group, kind="stable")
    begins = np.flatnonzero(np.diff(group[order], prepend=-1))
    lengths = np.diff(begins, append=len(order))

    def so_far(marked: np.ndarray) -> np.ndarray:
        count = np.cumsum(marked[order])
        before: np.ndarray = np.repeat(count[begins] - marked[order][begins], lengths)
        return np.asarray(count - before)

    pooled = so_far(np.ones(len(order), dtype=np.int64))
    expected = pooled * (so_far(relevant) + SMOOTHING) / (so_far(judged) + 3 * SMOOTHING)
    changes = np.diff(expected, prepend=0.0)
    changes[begins] = expected[begins]
    by_position = np.empty(len(order))
    by_position[order] = changes
    summed = np.cumsum(pool.at.table(by_position, 0.0), axis=1)
    above: np.ndarray = summed[pool.at.ranking, pool.at.ordinal - 1] - by_position
    return above
