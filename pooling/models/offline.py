"""An offline judge: BM25 of topic and document, mapped to grades by the grades that people gave on other topics.

It needs no network and no key. It is a lexical judge and is labelled as one: it knows which words two texts share, and
nothing else. Its use is to run the whole path from a pool to the trust report, and as the least that a model must beat.

1. Each document is scored with BM25 (bm25s, Lucene's variant) for the topic's title and description, and divided by the
   highest score of the topic, so that long topics do not have higher scores.
2. The topics with human grades are drawn into folds. For each fold, isotonic regression (scipy) of the grade on the
   score is fitted on the *other* folds: never falling, least squares.
3. The expected grade of a pair is read off the regression between its steps, and the grade is the nearest one of the
   scale. A topic without human grades is graded by the regression on all topics that have some.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from scipy.optimize import isotonic_regression

from pooling.ranking import check_whole

LABEL = "offline judge: BM25 with isotonic regression, no language model"
COLUMNS = ["query_id", "doc_id", "relevance", "expected"]
FOLDS = 5


def offline_grades(
    topics: pd.DataFrame,
    documents: Mapping[str, str],
    pairs: pd.DataFrame,
    human: pd.DataFrame,
    scale: Sequence[int],
    *,
    seed: int,
    folds: int = FOLDS,
) -> pd.DataFrame:
    """Grade pairs by the words that topic and document share.

    Parameters
    ----------
    topics : DataFrame
        `query_id`, `title`, and optionally `description`.
    documents : mapping
        The text of each doc_id. A document without a text has the score 0.
    pairs : DataFrame
        `query_id` and `doc_id`: what to grade.
    human : DataFrame
        `query_id`, `doc_id` and `relevance`: grades of people for some of the pairs. Negative ones are left out.
    scale : sequence of int
        The grades, lowest first.
    seed : int
        The seed of the folds.
    folds : int
        The number of folds, at least 2 and at most the topics with human grades.

    Returns
    -------
    DataFrame
        `query_id`, `doc_id`, `relevance` (int) and `expected` (float), in the order of the pairs.

    Raises
    ------
    ValueError
        If fewer than two topics have human grades, a pair has an unknown topic, or there are more folds than topics.

    Examples
    --------
    >>> topics = pd.DataFrame({"query_id": ["1", "2"], "title": ["rye bread", "stone bridge"]})
    >>> documents = {"a": "rye bread keeps", "b": "a stone bridge", "c": "white bread"}
    >>> rows = [("1", "a", 1), ("1", "b", 0), ("1", "c", 0), ("2", "a", 0), ("2", "b", 1), ("2", "c", 0)]
    >>> human = pd.DataFrame(rows, columns=["query_id", "doc_id", "relevance"])
    >>> found = offline_grades(topics, documents, human[["query_id", "doc_id"]], human, [0, 1], seed=1, folds=2)
    >>> found["relevance"].tolist()
    [1, 0, 0, 0, 1, 0]
    """
    check_whole("folds", folds)
    scored = pairs[["query_id", "doc_id"]].assign(score=_scores(topics, documents, pairs))
    known = human.loc[human["relevance"] >= 0, ["query_id", "doc_id", "relevance"]]
    graded = scored.merge(known, on=["query_id", "doc_id"])
    fold_of = _folds(sorted(graded["query_id"].unique()), folds, seed)
    expected = np.empty(len(scored))
    of_pairs = scored["query_id"].map(fold_of).fillna(-1).to_numpy()
    of_graded = graded["query_id"].map(fold_of).to_numpy()
    for fold in np.unique(of_pairs):
        others = graded[of_graded != fold]
        expected[of_pairs == fold] = _expected(others, scored["score"].to_numpy()[of_pairs == fold])
    grades = np.asarray(sorted(scale))
    nearest = grades[np.abs(expected[:, None] - grades).argmin(axis=1)]
    return scored.assign(relevance=nearest, expected=expected)[COLUMNS].reset_index(drop=True)


def _scores(topics: pd.DataFrame, documents: Mapping[str, str], pairs: pd.DataFrame) -> np.ndarray:
    """Return the score of each pair as a share of the highest score of its topic, from 0 to 1."""
    import bm25s

    ids = {doc_id: number for number, doc_id in enumerate(documents)}
    index = bm25s.BM25(method="lucene")
    index.index(_tokens(list(documents.values())), show_progress=False)
    queries = topics.set_index("query_id")
    scores = np.zeros(len(pairs))
    for query_id, rows in pairs.reset_index(drop=True).groupby("query_id", sort=False):
        if query_id not in queries.index:
            raise ValueError(f"The pairs have topic {query_id}, which is not among the topics.")
        row = queries.loc[query_id]
        words = _tokens([f"{row['title']} {row.get('description') or ''}"])[0]
        whole = index.get_scores([word for word in words if word in index.vocab_dict]) if words else np.zeros(len(ids))
        at = rows["doc_id"].map(ids)
        own = np.where(at.isna(), 0.0, whole[at.fillna(0).astype(int)])
        scores[rows.index] = own / own.max() if own.max() > 0 else own
    return scores


def _tokens(texts: list[str]) -> list[list[str]]:
    import bm25s

    tokens: list[list[str]] = bm25s.tokenize(texts, return_ids=False, show_progress=False)
    return tokens


def _folds(query_ids: Sequence[str], folds: int, seed: int) -> dict[str, int]:
    """Draw the topics into folds of nearly equal size."""
    if len(query_ids) < 2:
        raise ValueError(f"At least two topics need human grades, not {len(query_ids)}.")
    if not 2 <= folds <= len(query_ids):
        raise ValueError(f"folds must be between 2 and the {len(query_ids):,} topics with human grades, not {folds:,}.")
    order = np.random.default_rng(seed).permutation(len(query_ids))
    return {query_ids[topic]: number % folds for number, topic in enumerate(order)}


def _expected(graded: pd.DataFrame, scores: np.ndarray) -> np.ndarray:
    """Return the expected grades of scores, by isotonic regression on graded pairs with distinct scores pooled."""
    means = graded.groupby("score")["relevance"].agg(["mean", "size"])
    fitted = isotonic_regression(means["mean"].to_numpy(float), weights=means["size"].to_numpy(float)).x
    expected: np.ndarray = np.interp(scores, means.index.to_numpy(float), fitted)
    return expected
