"""Runs and golds for the tests of measures: explicit, from hypothesis, or random with a seed."""

import numpy as np
import pytrec_eval

from agreement.effectiveness.ranked_runs import prepare
from tests.agreement.scoring import (
    DOCS,
    at_ranks,
    gold_of,
    run_of,
    scored_run_of,
    some_gold,
    some_run,
    with_first_topic,
)
from tests.examples import examples

__all__ = [
    "DOCS",
    "at_ranks",
    "by_pytrec_eval",
    "by_topic",
    "fewer",
    "gold_of",
    "matrix_of",
    "random_run_and_gold",
    "ranked",
    "run_of",
    "scored_matrix",
    "scored_run_of",
    "scores_of",
    "some_gold",
    "some_run",
    "with_first_topic",
]

# Every example takes milliseconds in pandas; this many are enough for seven documents.
fewer = examples(40)


def ranked(scores):
    """Return the documents of one topic in document order: score descending, then name descending."""
    return sorted(sorted(scores, reverse=True), key=scores.get, reverse=True)


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
