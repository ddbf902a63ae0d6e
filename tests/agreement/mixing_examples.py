"""Judges and systems made up for the tests of mixed golds."""

import numpy as np
import pandas as pd

from agreement.effectiveness.judge_scores import JudgeScores

RUN_COLUMNS = ["system", "query_id", "doc_id", "score"]
JUDGEMENT_COLUMNS = ["assessor", "query_id", "doc_id", "relevance"]


def two_opposite_judges(topics=("1", "2")):
    """a ranks d before e, b the other way; x holds d relevant on every topic, y holds e."""
    runs = [
        (system, topic, doc, -float(place))
        for system, docs in (("a", "de"), ("b", "ed"))
        for topic in topics
        for place, doc in enumerate(docs)
    ]
    judgements = [
        (judge, topic, doc, int(doc == liked)) for judge, liked in ("xd", "ye") for topic in topics for doc in "de"
    ]
    return pd.DataFrame(runs, columns=RUN_COLUMNS), pd.DataFrame(judgements, columns=JUDGEMENT_COLUMNS)


def random_world(seed, n_systems=4, n_topics=3, judges="uvw", skipping=0.0, n_docs=6):
    """Systems that rank all documents by chance; judges who may skip whole topics, and see documents as they like."""
    rng = np.random.default_rng(seed)
    runs = [
        (f"s{system}", f"q{topic}", f"d{document}", float(score))
        for system in range(n_systems)
        for topic in range(n_topics)
        for document, score in enumerate(rng.permutation(n_docs))
    ]
    judgements = [
        (judge, f"q{topic}", f"d{document}", int(rng.integers(3)))
        for judge in judges
        for topic in range(n_topics)
        if judge == judges[0] or rng.random() >= skipping
        for document in range(n_docs)
    ]
    return pd.DataFrame(runs, columns=RUN_COLUMNS), pd.DataFrame(judgements, columns=JUDGEMENT_COLUMNS)


def cube_of(*topics):
    """Two judges; a topic is a pair of score lists."""
    scores = np.array(topics).transpose(2, 0, 1)
    systems = tuple("abcdefgh"[: len(scores)])
    names = tuple(map(str, range(len(topics))))
    return JudgeScores(scores, np.ones((len(topics), 2), dtype=bool), systems, names, ("x", "y"), "AP")


def same(a, b, exact=True):
    for name, table in a.tables().items():
        pd.testing.assert_frame_equal(table, b.tables()[name], check_exact=exact, rtol=1e-12, atol=1e-12)
    for reference in a.references:
        assert np.array_equal(a.tau_values(reference), b.tau_values(reference))
