"""Systems and judges for the tests of mixed golds."""

import numpy as np
import pandas as pd

from agreement.effectiveness.judge_scores import JudgeScores

RUN_COLUMNS = ["system", "query_id", "doc_id", "score"]
JUDGEMENT_COLUMNS = ["assessor", "query_id", "doc_id", "relevance"]


def two_opposite_judges(topics=("1", "2")):
    """Return runs and judgements: a ranks d before e, b ranks e first; x finds d relevant, y finds e relevant."""
    runs = [
        (system, topic, doc, -float(place))
        for system, docs in (("a", "de"), ("b", "ed"))
        for topic in topics
        for place, doc in enumerate(docs)
    ]
    judgements = [
        (judge, topic, doc, int(doc == relevant))
        for judge, relevant in ("xd", "ye")
        for topic in topics
        for doc in "de"
    ]
    return pd.DataFrame(runs, columns=RUN_COLUMNS), pd.DataFrame(judgements, columns=JUDGEMENT_COLUMNS)


def random_collection(seed, n_systems=4, n_topics=3, judges="uvw", skipping=0.0, n_docs=6):
    """Return random rankings of all documents, and random judgements by judges who may skip topics."""
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
    """Return the scores under two judges; a topic is a pair of score lists, one for each judge."""
    scores = np.array(topics).transpose(2, 0, 1)
    systems = tuple("abcdefgh"[: len(scores)])
    names = tuple(map(str, range(len(topics))))
    return JudgeScores(scores, np.ones((len(topics), 2), dtype=bool), systems, names, ("x", "y"), "AP")


def assert_same(a, b, exact=True):
    """Fail if two results differ in a table or a tau."""
    for name, table in a.tables().items():
        pd.testing.assert_frame_equal(table, b.tables()[name], check_exact=exact, rtol=1e-12, atol=1e-12)
    for reference in a.references:
        assert np.array_equal(a.tau_values(reference), b.tau_values(reference))
