"""RBP and its residual: by hand, the article's figures, slow twins, bounds, nothing there."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement.measures.rbp import rbp, rbp_residual
from tests.agreement.graded_rankings import (
    by_topic,
    fewer,
    matrix_of,
    random_run_and_gold,
    ranked,
    scored_matrix,
    scores_of,
    some_gold,
    some_run,
)

SCALE = (0, 1, 2, 3)


def slow_rbp(scores, grades, p, gain, cutoff=None):
    return (1 - p) * sum(p**i * gain(grades.get(doc, -1)) for i, doc in enumerate(ranked(scores)[:cutoff]))


def slow_residual(scores, grades, p, cutoff=None):
    seen = ranked(scores)[:cutoff]
    return (1 - p) * sum(p**i for i, doc in enumerate(seen) if grades.get(doc, -1) < 0) + p ** len(seen)


def test_by_hand():
    # ranks: 1 grade 2, 2 unjudged, 3 grade 0, 4 grade 1; p = 1/2: weights 1/2, 1/4, 1/8, 1/16
    matrix = matrix_of({"q": "abcd"}, {"q": {"a": 2, "c": 0, "d": 1}}, scale=(0, 1, 2))

    assert rbp(matrix, p=0.5, rel=1).tolist() == [[1 / 2 + 1 / 16]]
    assert rbp(matrix, p=0.5, rel=2).tolist() == [[1 / 2]]
    assert rbp(matrix, p=0.5).tolist() == [[1 / 2 + 1 / 32]]  # grade 1 of 2 gains a half
    assert rbp(matrix, p=0.5, rel=1, cutoff=3).tolist() == [[1 / 2]]
    # unjudged at rank 2, and all after rank 4: 1/4 + 1/16; after rank 1 all is open: 1/2
    assert rbp_residual(matrix, p=0.5).tolist() == [[1 / 4 + 1 / 16]]
    assert rbp_residual(matrix, p=0.5, rel=1, cutoff=1).tolist() == [[1 / 2]]


def test_the_expected_number_of_documents_a_reader_sees():
    # Moffat and Zobel (2008): a reader with persistence p looks at 1 / (1 - p) documents, so that RBP is the share
    # of relevant ones among them; with all relevant from the top down to rank d it is 1 - p^d.
    docs = [f"d{i:02}" for i in range(20)]
    matrix = matrix_of({"q": docs}, {"q": dict.fromkeys(docs, 1)})

    for p in (0.5, 0.8, 0.95):
        for depth in (1, 5, 20):
            assert rbp(matrix, p, rel=1, cutoff=depth).item() == pytest.approx(1 - p**depth, abs=1e-15)


@fewer
@given(some_run, some_gold, st.sampled_from([0.5, 0.8, 0.95]), st.sampled_from([None, 1, 2, 4]))
def test_against_a_slow_twin(run, grades, p, cutoff):
    matrix = scored_matrix(run, grades, scale=SCALE)
    values = [rbp(matrix, p, 2, cutoff), rbp(matrix, p, cutoff=cutoff), rbp_residual(matrix, p, cutoff=cutoff)]
    ours = [by_topic(matrix, value) for value in values]

    for topic, docs in grades.items():
        scores = run.get(topic, {})
        twins = [
            slow_rbp(scores, docs, p, lambda grade: grade >= 2, cutoff),
            slow_rbp(scores, docs, p, lambda grade: max(grade, 0) / 3, cutoff),
            slow_residual(scores, docs, p, cutoff),
        ]
        assert [score[topic] for score in ours] == pytest.approx(twins, abs=1e-12)


def test_against_a_slow_twin_on_longer_rankings():
    run, grades = random_run_and_gold(4)

    ours = scores_of(rbp, run, grades, scale=SCALE)
    residual = scores_of(rbp_residual, run, grades)

    for topic, docs in grades.items():
        twin = slow_rbp(run[topic], docs, 0.8, lambda grade: max(grade, 0) / 3)
        assert ours[topic] == pytest.approx(twin, abs=1e-12)
        assert residual[topic] == pytest.approx(slow_residual(run[topic], docs, 0.8), abs=1e-12)


@fewer
@given(some_run, some_gold)
def test_score_plus_residual_is_at_most_one(run, grades):
    matrix = scored_matrix(run, grades, scale=SCALE)
    score, residual = by_topic(matrix, rbp(matrix)), by_topic(matrix, rbp_residual(matrix))

    for topic in grades:
        assert 0 <= score[topic] <= score[topic] + residual[topic] <= 1 + 1e-12


def test_degenerate_input():
    matrix = matrix_of({"q": "ab"}, {"p": {"a": 1}, "q": {"a": 0, "b": -1}})

    assert rbp(matrix, rel=1).tolist() == [[0, 0]]
    # nothing was retrieved, so all is open; in q the 0.2 of rank 1 is judged
    assert rbp_residual(matrix).tolist() == [[1, pytest.approx(0.8, abs=1e-15)]]


def test_invalid_arguments_are_refused():
    matrix = matrix_of({"q": "a"}, {"q": {"a": 1}})

    for p in (0, 1, -0.5, float("nan")):
        with pytest.raises(ValueError, match=f"The persistence p must be between 0 and 1, not {p}"):
            rbp(matrix, p=p, rel=1)
        with pytest.raises(ValueError, match="The persistence p"):
            rbp_residual(matrix, p=p)
    with pytest.raises(ValueError, match="graded RBP needs a declared scale"):
        rbp(matrix)
