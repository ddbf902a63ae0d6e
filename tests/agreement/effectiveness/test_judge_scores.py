"""Scores under the gold of every judge: by hand, against one gold at a time, and what is no judgement."""

import numpy as np
import pandas as pd
import pytest

from agreement.effectiveness.judge_scores import scores_by_judge
from agreement.effectiveness.scores import score_table
from agreement.golds.make_gold import make_gold

RUN_COLUMNS, JUDGEMENT_COLUMNS = (
    ["system", "query_id", "doc_id", "score"],
    ["assessor", "query_id", "doc_id", "relevance"],
)
RUNS = pd.DataFrame(
    [("a", "q1", "d1", 2), ("a", "q1", "d2", 1), ("b", "q1", "d2", 2), ("b", "q2", "d1", 1)], columns=RUN_COLUMNS
)
JUDGEMENTS = pd.DataFrame(
    [("y", "q1", "d2", 1), ("y", "q2", "d1", 1), ("x", "q1", "d1", 1), ("x", "q1", "d2", 0)], columns=JUDGEMENT_COLUMNS
)


def random_collection(seed: int, n_systems: int = 4, n_topics: int = 5, n_docs: int = 8, judges: str = "uvw"):
    """Runs that rank all documents by chance, and judges who skip some topics and some documents."""
    rng = np.random.default_rng(seed)
    runs = [
        (f"s{system}", f"q{topic}", f"d{document}", rng.random())
        for system in range(n_systems)
        for topic in range(n_topics)
        for document in range(n_docs)
    ]
    judgements = [
        (judge, f"q{topic}", f"d{document}", int(rng.integers(3)))
        for judge in judges
        for topic in range(n_topics)
        if rng.random() < 0.7
        for document in range(n_docs)
        if rng.random() < 0.8
    ]
    return pd.DataFrame(runs, columns=RUN_COLUMNS), pd.DataFrame(judgements, columns=JUDGEMENT_COLUMNS)


def test_by_hand():
    found = scores_by_judge(RUNS, JUDGEMENTS, "AP(rel=1)")

    assert (found.systems, found.query_ids, found.judges) == (("a", "b"), ("q1", "q2"), ("x", "y"))
    # x judged q1 only: there d1 is relevant, which a has first and b has not
    # y: d2 of q1, second for a and first for b; d1 of q2, which b has first and a has not
    assert found.judged.tolist() == [[True, True], [False, True]]
    assert found.scores[:, 0].tolist() == [[1, 0.5], [0, 1]]
    assert found.scores[:, 1, 1].tolist() == [0, 1]


@pytest.mark.parametrize("measure", ["AP(rel=1)", "nDCG@3", "P(rel=2)@5"])
def test_against_one_gold_at_a_time(measure):
    runs, judgements = random_collection(1)
    found = scores_by_judge(runs, judgements, measure)

    assert 0 < found.judged.sum() < found.judged.size
    for place, judge in enumerate(found.judges):
        one = score_table(runs, make_gold(judgements, f"judge:{judge}"), measure)
        assert one.index.tolist() == list(found.systems)
        assert one.columns.tolist() == np.array(found.query_ids)[found.judged[:, place]].tolist()
        assert found.scores[:, found.judged[:, place], place].tolist() == one.to_numpy().tolist()


def test_the_order_of_rows_does_not_matter():
    runs, judgements = random_collection(2)
    there = scores_by_judge(runs, judgements, "AP")
    back = scores_by_judge(runs[::-1], judgements[::-1], "AP")

    assert there.scores.tolist() == back.scores.tolist()
    assert there.judged.tolist() == back.judged.tolist()


def test_missing_and_negative_grades_are_not_judgements():
    more = [("z", "q1", "d1", -1, 0), ("y", "q3", "d1", None, 0), ("x", "q2", "d1", 1, 1)]
    noise = pd.DataFrame(more, columns=[*JUDGEMENT_COLUMNS, "repeat"])
    found = scores_by_judge(RUNS, pd.concat([JUDGEMENTS.assign(repeat=0), noise]), "AP")

    assert found.judges == ("x", "y")
    assert found.query_ids == ("q1", "q2")
    assert found.scores.tolist() == scores_by_judge(RUNS, JUDGEMENTS, "AP").scores.tolist()


def test_no_judgements():
    found = scores_by_judge(RUNS, JUDGEMENTS[:0], "AP")

    assert found.systems == ("a", "b")
    assert found.scores.shape == (2, 0, 0)
    assert found.judged.shape == (0, 0)


def test_a_measure_for_which_lower_is_better_is_refused():
    with pytest.raises(ValueError, match="for which higher is better, not by E@1"):
        scores_by_judge(RUNS, JUDGEMENTS, "E@1")


def test_an_adjudication_is_not_a_judgement():
    ruled = JUDGEMENTS.iloc[:1].assign(adjudicated=True, relevance=0)
    both = pd.concat([JUDGEMENTS.assign(adjudicated=False), ruled, ruled.assign(assessor="z")])

    found = scores_by_judge(RUNS, both, "AP")

    assert found.judges == ("x", "y")
    assert (found.scores == scores_by_judge(RUNS, JUDGEMENTS, "AP").scores).all()
