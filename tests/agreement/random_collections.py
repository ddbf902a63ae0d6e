"""Small random collections for the tests of attribution: runs, golds and judgements."""

import numpy as np
import pandas as pd
from hypothesis import strategies as st

from tests.examples import examples

TOPICS = ("1", "2", "3")
DOCUMENTS = tuple("pqrstu")
SYSTEMS = ("a", "b", "c", "d")
RUN, GOLD = ["system", "query_id", "doc_id", "score"], ["query_id", "doc_id", "relevance"]
JUDGEMENTS = ["assessor", *GOLD]

seeds = st.integers(0, 2**32)
few = examples(8)  # each example scores whole runs


def run_of(rankings):
    """Return runs from {system: {query_id: documents, best first}}."""
    rows = [
        (system, query_id, doc_id, float(-rank))
        for system, topics in rankings.items()
        for query_id, doc_ids in topics.items()
        for rank, doc_id in enumerate(doc_ids)
    ]
    return pd.DataFrame(rows, columns=RUN)


def gold_of(grades):
    """Return a gold from {query_id: {doc_id: relevance}}."""
    rows = [(query_id, *graded) for query_id, topic in grades.items() for graded in topic.items()]
    return pd.DataFrame(rows, columns=GOLD)


def random_runs(rng, systems=SYSTEMS):
    """Return rankings of some documents; not every system has every topic."""
    lengths = rng.integers(0, len(DOCUMENTS), size=(len(systems), len(TOPICS)))
    lengths[:, 0] += 1
    return run_of(
        {
            system: {topic: rng.permutation(DOCUMENTS)[:length] for topic, length in zip(TOPICS, row, strict=True)}
            for system, row in zip(systems, lengths, strict=True)
        }
    )


def random_gold(rng, topics=TOPICS, n_documents=6):
    """Return grades from -1 (pooled and not judged) to 3 for some documents of every topic."""
    return gold_of(
        {
            topic: {
                doc_id: int(grade)
                for doc_id, grade, judged in zip(
                    DOCUMENTS, rng.integers(-1, 4, n_documents), rng.random(n_documents) < 0.8, strict=False
                )
                if judged or doc_id == "p"
            }
            for topic in topics
        }
    )


def random_judgements(rng, assessors=("ann", "bob", "cem")):
    """Return the judgements of judges who disagree and do not judge everything; -1 is not a judgement."""
    frames = [random_gold(rng).assign(assessor=assessor) for assessor in assessors]
    return pd.concat(frames, ignore_index=True)[JUDGEMENTS]


def seeded(seed):
    return np.random.default_rng(seed)
