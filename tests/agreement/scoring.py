"""Small runs and golds for the tests of measures."""

import pandas as pd
from hypothesis import strategies as st

from agreement.effectiveness import evaluate

DOCS = ["a", "b", "C", "d10", "d9", "é", "z"]
TOPICS = ["1", "2", "3"]


def with_first_topic(topics, documents):
    """Return dictionaries by topic that always have the first topic, so that runs and golds have it in common."""
    return st.fixed_dictionaries({topics[0]: documents}, optional=dict.fromkeys(topics[1:], documents))


# Multiples of 1/8 are equal or different in float32, which pytrec_eval uses, exactly as in float64.
eighths = st.integers(-8, 8).map(lambda n: n / 8)
some_run = with_first_topic(TOPICS, st.dictionaries(st.sampled_from(DOCS), eighths, min_size=1))
some_grades = st.dictionaries(st.sampled_from(DOCS), st.integers(-2, 3), min_size=1)
some_judged_grades = some_grades.filter(lambda grades: max(grades.values()) >= 0)
some_gold = st.fixed_dictionaries({"1": some_judged_grades}, optional=dict.fromkeys(TOPICS[1:], some_grades))


def run_of(rankings, system="s"):
    """Return a run from topic -> documents, best first."""
    rows = [(system, topic, doc, float(-place)) for topic, docs in rankings.items() for place, doc in enumerate(docs)]
    return pd.DataFrame(rows, columns=["system", "query_id", "doc_id", "score"])


def scored_run_of(run, system="s"):
    """Return a run from topic -> document -> score."""
    rows = [(system, topic, doc, score) for topic, docs in run.items() for doc, score in docs.items()]
    return pd.DataFrame(rows, columns=["system", "query_id", "doc_id", "score"])


def gold_of(grades):
    """Return a gold from topic -> document -> grade."""
    rows = [(topic, doc, grade) for topic, docs in grades.items() for doc, grade in docs.items()]
    return pd.DataFrame(rows, columns=["query_id", "doc_id", "relevance"])


def known_of(documents):
    """Return the documents that a reader knew, from topic -> documents."""
    rows = [(topic, doc) for topic, docs in documents.items() for doc in docs]
    return pd.DataFrame(rows, columns=["query_id", "doc_id"])


def at_ranks(ranks, relevant_total, retrieved):
    """Return a run and a gold with relevant documents at these ranks, and others that were not retrieved."""
    docs = [f"d{rank:03}" for rank in range(1, retrieved + 1)]
    relevant = [f"d{rank:03}" for rank in ranks] + [f"n{k}" for k in range(relevant_total - len(ranks))]
    return run_of({"q": docs}), gold_of({"q": dict.fromkeys(relevant, 1)})


def graded(grades):
    """Return a run whose documents have these grades by rank, and the gold with the grades."""
    docs = [f"d{rank:03}" for rank in range(1, len(grades) + 1)]
    return run_of({"q": docs}), gold_of({"q": dict(zip(docs, grades, strict=True))})


def score(runs, gold, measure, **options):
    """Return the value of the only system and topic."""
    return evaluate(runs, gold, measure, **options)["value"].item()


def scores(runs, gold, measures, **options):
    """Return the values of the only system and topic, in the order of the measures."""
    return evaluate(runs, gold, measures, **options)["value"].tolist()


def parsed_run(text):
    """Return the run of an oracle case from its lines."""
    rows = [line.split() for line in text.splitlines()]
    return pd.DataFrame(
        [(tag, topic, doc, float(score)) for topic, _, doc, _, score, tag in rows],
        columns=["system", "query_id", "doc_id", "score"],
    )


def parsed_gold(text):
    """Return the gold of an oracle case from its lines."""
    rows = [line.split() for line in text.splitlines()]
    return pd.DataFrame(
        [(topic, doc, int(grade)) for topic, _, doc, grade in rows], columns=["query_id", "doc_id", "relevance"]
    )
