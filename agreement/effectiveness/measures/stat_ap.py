"""Statistical average precision (statAP), for documents that were drawn into a sample with known probabilities.

A judged document that had the probability p of being drawn stands for 1 / p documents (Horvitz and Thompson). At a
relevant document of rank k, and with R relevant documents in the topic, the estimates are

    P(k) = (1 + sum of 1 / p over the judged relevant documents above rank k) / k
    R    = sum of 1 / p over the judged relevant documents of the gold
    statAP = (1 / R) sum of P(k) / p over the retrieved judged relevant documents

Source: V. Pavlu and J. A. Aslam (2007), A practical sampling strategy for efficient retrieval evaluation, technical
report, Northeastern University; B. Carterette, V. Pavlu, E. Kanoulas, J. A. Aslam and J. Allan (2008), Evaluation
over thousands of queries, SIGIR, 651-658. The document at rank k is known to be relevant and counts once, not 1 / p
times, as in NIST's statAP_MQ_eval. R is not rounded.

R is unbiased. P(k) takes documents as drawn independently of each other: where n of a stratum of N are drawn without
replacement, what stands above in the same stratum counts a share of (1 - n / N) / (n (1 - 1 / N)) too little. statAP is
a ratio; docs/sampled-estimates.md has its bias and standard error.

Range 0 and up: a ratio of estimates, it can exceed 1. Relevant is a grade of `rel` and above; a negative relevance
stands for "not judged" and adds nothing, with or without a row. Where all probabilities are 1 statAP is AP. A topic
without a judged relevant document, and an empty ranking, have statAP 0.
"""

import numpy as np
import pandas as pd

from agreement.effectiveness.hits import hits
from agreement.effectiveness.parameters import REL
from agreement.effectiveness.ranked_runs import GradeMatrix, prepare, share


def stat_ap(runs, gold: pd.DataFrame, rel: int = 1) -> pd.DataFrame:
    """statAP of every ranking.

    Parameters
    ----------
    runs : DataFrame, iterable of DataFrame, or RankedRuns
        As for `prepare`.
    gold : DataFrame
        Columns query_id, doc_id, relevance and inclusion_probability, 0 < p <= 1; where the relevance is negative
        ("not judged") the probability is ignored.
    rel : int
        The lowest relevant grade.

    Returns
    -------
    DataFrame, shape (n_systems, n_topics)
        A row for each system and a column for each topic of the gold, both ascending; a topic that a run lacks
        scores 0.

    Raises
    ------
    ValueError
        The gold lacks the column inclusion_probability, or a judged document has none within (0, 1]; runs or gold
        that `prepare` or `RankedRuns.under` refuse.
    """
    rel, ranked_runs = REL.value(rel, "rel"), prepare(runs)
    matrix = ranked_runs.under(gold)
    stands_for = _stands_for(gold)
    weights = ranked_runs.under(gold.assign(relevance=stands_for))
    values = share(_summed(matrix, weights, rel), _estimated_relevant(gold, matrix, stands_for, rel))
    systems, topics = pd.Index(matrix.systems, name="system"), pd.Index(matrix.query_ids, name="query_id")
    return pd.DataFrame(values, index=systems, columns=topics)


def _stands_for(gold: pd.DataFrame) -> np.ndarray:
    """How many documents each row stands for: 1 / p, and 0 where it was not judged."""
    if "inclusion_probability" not in gold.columns:
        raise ValueError("statAP needs a gold with the column inclusion_probability: how probable each document was")
    judged = gold["relevance"].to_numpy(dtype=np.float64) >= 0
    probability = gold["inclusion_probability"].to_numpy(dtype=np.float64, na_value=np.nan)
    wrong = judged & ~((probability > 0) & (probability <= 1))
    if wrong.any():
        row = gold[wrong].iloc[0]
        place = f"topic {row.query_id}, document {row.doc_id}"
        raise ValueError(f"{place}: an inclusion_probability is above 0 and at most 1; got {row.inclusion_probability}")
    return np.divide(1.0, probability, out=np.zeros(len(gold)), where=judged)


def _summed(matrix: GradeMatrix, weights: GradeMatrix, rel: int) -> np.ndarray:
    """The sum of P(k) / p of every ranking, shape (n_systems, n_topics)."""
    found = hits(matrix.grades >= rel)
    weight = found.of(weights.grades).astype(np.float64)
    so_far = np.cumsum(found.table(weight, 0.0), axis=1)
    above = so_far[found.ranking, found.found - 1] - weight
    return found.summed((1 + above) / found.rank * weight)


def _estimated_relevant(gold: pd.DataFrame, matrix: GradeMatrix, stands_for: np.ndarray, rel: int) -> np.ndarray:
    """R of every topic, shape (n_topics,)."""
    topic = pd.Index(matrix.query_ids).get_indexer(gold["query_id"].astype("str"))
    relevant = gold["relevance"].to_numpy(dtype=np.float64) >= rel
    return np.bincount(topic[relevant], stands_for[relevant], minlength=len(matrix.query_ids))
