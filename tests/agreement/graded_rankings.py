"""Runs and golds for the tests of measures: explicit, from hypothesis, or random with a seed."""

import numpy as np
import pandas as pd
import pytrec_eval
from hypothesis import strategies as st

from agreement.effectiveness.ranked_runs import prepare
from tests.examples import examples

# Every example takes milliseconds in pandas; this many are enough for seven documents.
fewer = examples(40)
DOCS = ["a", "b", "C", "d10", "d9", "é", "z"]
TOPICS = ["1", "2", "3"]
# Multiples of 1/8 are equal or different in trec_eval's float32 exactly as in float64.
some_run = st.dictionaries(
    st.sampled_from(TOPICS),
    st.dictionaries(st.sampled_from(DOCS), st.integers(-8, 8).map(lambda n: n / 8), min_size=1),
    min_size=1,
)
some_gold = st.dictionaries(
    st.sampled_from(TOPICS), st.dictionaries(st.sampled_from(DOCS), st.integers(-2, 3), min_size=1), min_size=1
)


def run_of(rankings, system="s"):
    """Return a run from topic -> documents, best first."""
    rows = [(system, topic, doc, float(-place)) for topic, docs in rankings.items() for place, doc in enumerate(docs)]
    return pd.DataFrame(rows, columns=["system", "query_id", "doc_id", "score"])


def scored_run_of(scores, system="s"):
    """Return a run from topic -> document -> score."""
    rows = [(system, topic, doc, score) for topic, docs in scores.items() for doc, score in docs.items()]
    return pd.DataFrame(rows, columns=["system", "query_id", "doc_id", "score"])


def gold_of(grades):
    """Return a gold from topic -> document -> grade."""
    rows = [(topic, doc, grade) for topic, docs in grades.items() for doc, grade in docs.items()]
    return pd.DataFrame(rows, columns=["query_id", "doc_id", "relevance"])


def ranked(scores):
    """Return the documents of one topic in document order: score descending, then name descending."""
    return sorted(sorted(scores, reverse=True), key=scores.get, reverse=True)


def at_ranks(ranks, relevant_total, retrieved):
    """Return a run and a gold with relevant documents at these ranks, and others that were not retrieved."""
    docs = [f"d{rank:03}" for rank in range(1, retrieved + 1)]
    relevant = [f"d{rank:03}" for rank in ranks] + [f"n{k}" for k in range(relevant_total - len(ranks))]
    return run_of({"q": docs}), gold_of({"q": dict.fromkeys(relevant, 1)})


def matrix_of(rankings, grades, scale=None, collection_size=None):
    """Return the ranks-by-grade matrix of one system."""
    return prepare(run_of(rankings)).under(gold_of(grades), scale=scale, collection_size=collection_size)


def random_run_and_gold(seed, n_topics=6, n_docs=80, depth=60, lowest=-1):
    """Return a random run and gold, topic -> document -> score or grade, with ties and unjudged documents."""
    rng = np.random.default_rng(seed)
    docs = np.array([f"d{i:03}" for i in range(n_docs)])
    run, grades = {}, {}
    for topic in map(str, range(n_topics)):
        retrieved, judged = rng.permutation(docs)[:depth].tolist(), rng.permutation(docs)[: n_docs // 2].tolist()
        run[topic] = {doc: int(score) / 8 for doc, score in zip(retrieved, rng.integers(0, 64, depth), strict=True)}
        grades[topic] = dict(zip(judged, rng.integers(lowest, 4, n_docs // 2).tolist(), strict=True))
    return run, grades


def by_pytrec_eval(run, grades, measure, rel=1):
    """Return the scores of pytrec_eval by topic; 0 for a topic without a ranking or without a relevant document.

    pytrec_eval does not get topics without a grade of `rel` or more, because it may access invalid memory on them.
    """
    safe = {topic: docs for topic, docs in grades.items() if max(docs.values()) >= rel}
    peer = pytrec_eval.RelevanceEvaluator(safe, {measure}, relevance_level=rel).evaluate(run) if safe else {}
    return {topic: next(iter(peer[topic].values())) if topic in peer else 0.0 for topic in grades}


def scored_matrix(run, grades, **options):
    """Return the matrix of one system from documents with scores; `options` are those of `under`."""
    return prepare(scored_run_of(run)).under(gold_of(grades), **options)


def by_topic(matrix, values):
    """Return the values of the first system as topic -> value."""
    return dict(zip(matrix.query_ids, values[0].tolist(), strict=True))


def scores_of(measure, run, grades, **options):
    """Return the scores of one system by topic; `options` are those of `under`."""
    matrix = scored_matrix(run, grades, **options)
    return by_topic(matrix, measure(matrix))
