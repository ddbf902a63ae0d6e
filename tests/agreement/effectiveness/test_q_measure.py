"""Sakai's Q-measure: by hand, as AP where beta is 0, a slow twin in fractions, properties, nothing there."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement.measures.average_precision import average_precision
from agreement.measures.q_measure import q_measure
from tests.agreement.graded_rankings import (
    at_ranks,
    by_topic,
    fewer,
    matrix_of,
    prepare,
    random_run_and_gold,
    ranked,
    scored_matrix,
    scores_of,
    some_gold,
    some_run,
)
from tests.oracles import oracle


def slow_q(scores, grades, beta, cutoff=None):
    """The blended ratios in fractions, rank by rank."""
    ideal = sorted((max(grade, 0) for grade in grades.values()), reverse=True)
    relevant = sum(grade > 0 for grade in ideal)
    total, gained, found = Fraction(0), 0, 0
    for rank, doc in enumerate(ranked(scores)[:cutoff], start=1):
        grade = grades.get(doc, 0)
        if grade > 0:
            gained, found = gained + grade, found + 1
            total += (found + beta * gained) / (rank + beta * sum(ideal[:rank]))
    return total / (min(cutoff, relevant) if cutoff else relevant) if relevant else Fraction(0)


def test_by_hand():
    # gold: grades 3, 1, 1; ideal cumulated gains 3, 4, 5, 5. Ranks: grade 1, unjudged, grade 3:
    # rank 1: (1 + 1) / (1 + 3) = 1/2; rank 3: (2 + 4) / (3 + 5) = 3/4; (1/2 + 3/4) / 3
    matrix = matrix_of({"q": "abc"}, {"q": {"a": 1, "c": 3, "z": 1}})

    assert q_measure(matrix).item() == pytest.approx(5 / 12, abs=1e-15)
    # beta = 2: (1 + 2) / (1 + 6) and (2 + 8) / (3 + 10)
    assert q_measure(matrix, beta=2).item() == pytest.approx((3 / 7 + 10 / 13) / 3, abs=1e-15)
    # at a cutoff of 1 there is room for one relevant document only: (1/2) / min(1, 3)
    assert q_measure(matrix, cutoff=1).item() == 1 / 2


@pytest.mark.parametrize(
    "case",
    [case for case in oracle("textbook")["cases"] if "AP" in case["want"] and "relevant_at_ranks" in case["given"]],
    ids=lambda case: case["id"],
)
def test_with_beta_0_it_is_the_published_average_precision(case):
    given_ = case["given"]
    runs, gold = at_ranks(given_["relevant_at_ranks"], given_["relevant_total"], given_["retrieved"])

    value = q_measure(prepare(runs).under(gold), beta=0).item()

    assert value == pytest.approx(float(Fraction(case["want"]["AP"])), abs=1e-15)


@fewer
@given(some_run, some_gold, st.sampled_from([0, 1, 10]), st.sampled_from([None, 1, 2, 4]))
def test_against_fractions(run, grades, beta, cutoff):
    ours = scores_of(lambda m: q_measure(m, beta, cutoff), run, grades)
    slow = {topic: float(slow_q(run.get(topic, {}), docs, beta, cutoff)) for topic, docs in grades.items()}

    assert ours == pytest.approx(slow, abs=1e-12)


def test_against_fractions_on_longer_rankings():
    run, grades = random_run_and_gold(2)

    slow = {topic: float(slow_q(run[topic], docs, 1)) for topic, docs in grades.items()}

    assert scores_of(q_measure, run, grades) == pytest.approx(slow, abs=1e-12)


@fewer
@given(some_run, some_gold)
def test_between_average_precision_and_one(run, grades):
    matrix = scored_matrix(run, {topic: {d: min(g, 1) for d, g in docs.items()} for topic, docs in grades.items()})
    q = by_topic(matrix, q_measure(matrix))

    # with binary grades both parts of the blended ratio are shares, and the ideal's is at least precision's
    for topic, ap in by_topic(matrix, average_precision(matrix)).items():
        assert ap - 1e-12 <= q[topic] <= 1 + 1e-12


@fewer
@given(some_gold, st.sampled_from([None, 1, 3]))
def test_the_ideal_ranking_scores_one(grades, cutoff):
    ideal = {topic: {doc: grade + 2 for doc, grade in docs.items()} for topic, docs in grades.items()}

    for topic, score in scores_of(lambda m: q_measure(m, cutoff=cutoff), ideal, grades).items():
        assert score == pytest.approx(float(max(grades[topic].values()) > 0), abs=1e-12)


def test_degenerate_input():
    assert q_measure(matrix_of({"q": "ab"}, {"p": {"a": 1}, "q": {"a": 0, "b": -1}})).tolist() == [[0, 0]]
    assert q_measure(matrix_of({"q": "ab"}, {"q": {}})).shape == (1, 0)


def test_invalid_arguments_are_refused():
    with pytest.raises(ValueError, match="beta must be a number of at least 0, not -1"):
        q_measure(matrix_of({"q": "a"}, {"q": {"a": 1}}), beta=-1)
