"""Statistical average precision (statAP), for documents that were sampled with known probabilities.

A judged document that was sampled with probability p represents 1 / p documents (Horvitz and Thompson). At a
relevant document of rank k, and with R relevant documents in the topic, the estimates are

    P(k) = (1 + sum of 1 / p over the judged relevant documents above rank k) / k
    R    = sum of 1 / p over the judged relevant documents of the gold
    statAP = (1 / R) sum of P(k) / p over the retrieved judged relevant documents

Source: V. Pavlu and J. A. Aslam (2007), A practical sampling strategy for efficient retrieval evaluation, technical
report, Northeastern University; B. Carterette, V. Pavlu, E. Kanoulas, J. A. Aslam and J. Allan (2008), Evaluation
over thousands of queries, SIGIR, 651-658. The document at rank k is known to be relevant and counts once, not 1 / p
times, as in NIST's statAP_MQ_eval. R is not rounded.

R is unbiased. P(k) assumes that documents are sampled independently. If n of N documents of a stratum are sampled
without replacement, the documents above in the same stratum count too little by (1 - n / N) / (n (1 - 1 / N)). statAP
is a ratio; docs/studies/sampled-estimates.md has its bias and standard error.

Range: at least 0; a ratio of estimates can exceed 1. Relevant is a grade of `rel` and above. A negative relevance means
"not judged" and adds nothing, with or without a row. If all probabilities are 1, statAP equals AP. A topic
without a judged relevant document, and an empty ranking, have statAP 0.
"""

import numpy as np
import pandas as pd

from agreement.checks import described, plain
from agreement.effectiveness.parameters import REL
from agreement.effectiveness.ranked_runs import GradeMatrix, Runs, prepare, share
from agreement.measures.hits import hits
from pooling.inputs import Input, as_gold
from pooling.ranking import check_common_topic


def stat_ap(runs: Runs, gold: Input, rel: int = 1) -> pd.DataFrame:
    """Compute statAP of every ranking.

    Parameters
    ----------
    runs : table, path, dictionary, iterable of these, or RankedRuns
        Rankings with the columns system, query_id, doc_id and score, of all systems in one frame or in several.
    gold : table, path or dictionary
        Columns query_id, doc_id, relevance and inclusion_probability, above 0 and at most 1. The
        probability of a document with a negative relevance ("not judged") is ignored.
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
        The gold lacks the column inclusion_probability, the probability of a judged document is not above 0 and at
        most 1, or the runs or the gold are invalid.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement import stat_ap
    >>> runs = pd.DataFrame(
    ...     [("lsa", "1", "d1", 2), ("lsa", "1", "d2", 1)], columns=["system", "query_id", "doc_id", "score"]
    ... )
    >>> gold = pd.DataFrame({"query_id": "1", "doc_id": ["d1", "d2"], "relevance": [0, 1]})
    >>> gold = gold.assign(inclusion_probability=[1.0, 0.5])
    >>> stat_ap(runs, gold).round(3).to_dict("index")
    {'lsa': {'1': 0.5}}
    """
    rel, ranked_runs = REL.value(rel, "rel"), prepare(runs)
    rows = as_gold(gold)
    matrix = ranked_runs.under(rows)
    check_common_topic(ranked_runs, matrix.query_ids)
    represented = _represented(rows)
    weights = ranked_runs.under(rows.assign(relevance=represented))
    values = share(_summed(matrix, weights, rel), _estimated_relevant(rows, matrix, represented, rel))
    systems, topics = pd.Index(matrix.systems, name="system"), pd.Index(matrix.query_ids, name="query_id")
    return pd.DataFrame(values, index=systems, columns=topics)


def _represented(gold: pd.DataFrame) -> np.ndarray:
    """Return the number of documents that each row represents: 1 / p, and 0 if it was not judged."""
    if "inclusion_probability" not in gold.columns:
        raise ValueError(
            "statAP needs a gold with the column inclusion_probability, the probability of sampling each document."
        )
    judged = gold["relevance"].to_numpy(dtype=np.float64) >= 0
    probability = gold["inclusion_probability"].to_numpy(dtype=np.float64, na_value=np.nan)
    wrong = judged & ~((probability > 0) & (probability <= 1))
    if wrong.any():
        row = gold[wrong].iloc[0]
        raise ValueError(
            f"An inclusion_probability must be above 0 and at most 1, not {plain(row.inclusion_probability)!r} "
            f"({described(row)})."
        )
    return np.asarray(np.divide(1.0, probability, out=np.zeros(len(gold)), where=judged))


def _summed(matrix: GradeMatrix, weights: GradeMatrix, rel: int) -> np.ndarray:
    """Sum P(k) / p over every ranking, shape (n_systems, n_topics)."""
    found = hits(matrix.grades >= rel)
    weight = found.values_of(weights.grades).astype(np.float64)
    so_far = np.cumsum(found.table(weight, 0.0), axis=1)
    above = so_far[found.ranking, found.ordinal - 1] - weight
    return found.summed((1 + above) / found.rank * weight)


def _estimated_relevant(gold: pd.DataFrame, matrix: GradeMatrix, represented: np.ndarray, rel: int) -> np.ndarray:
    """Estimate R of every topic, shape (n_topics,)."""
    topic = pd.Index(matrix.query_ids).get_indexer(pd.Index(gold["query_id"].astype("str")))
    relevant = gold["relevance"].to_numpy(dtype=np.float64) >= rel
    return np.bincount(topic[relevant], represented[relevant], minlength=len(matrix.query_ids))
