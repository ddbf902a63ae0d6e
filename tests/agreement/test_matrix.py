"""Runs become integers once, and a gold looks its grades up in them."""

import numpy as np
import pandas as pd
import pytest

from agreement.effectiveness import prepare


def run(*rows):
    return pd.DataFrame(rows, columns=["system", "query_id", "doc_id", "score"])


def gold(*rows):
    return pd.DataFrame(rows, columns=["query_id", "doc_id", "relevance"])


RUNS = run(("b", "2", "x", 1.0), ("b", "2", "y", 2.0), ("a", "1", "x", 1.0), ("a", "2", "z", 1.0), ("a", "2", "x", 1.0))


def test_grades_stand_in_the_order_of_the_documents():
    matrix = prepare(RUNS).under(gold(("2", "x", 3), ("2", "y", 0), ("1", "x", 2), ("1", "w", 1)))
    none = matrix.unjudged

    assert (matrix.systems, matrix.query_ids) == (("a", "b"), ("1", "2"))
    # system a: topic 1: x; topic 2: z, x (tied: z is higher in bytes); system b: no topic 1; topic 2: y, x
    assert matrix.grades.tolist() == [[[2, none], [none, 3]], [[none, none], [0, 3]]]
    assert matrix.retrieved.tolist() == [[1, 2], [0, 2]]
    assert matrix.gold.tolist() == [[2, 1], [3, 0]]
    assert matrix.relevant(1).tolist() == [2, 1]
    assert matrix.judged(1).tolist() == [[1, 0], [0, 1]]
    assert matrix.judged(2).tolist() == [[1, 1], [0, 2]]


def test_the_topics_are_those_of_the_gold():
    matrix = prepare(RUNS).under(gold(("2", "x", 3), ("9", "x", 1)))

    assert matrix.query_ids == ("2", "9")
    assert matrix.retrieved.tolist() == [[2, 0], [2, 0]]
    assert (matrix.grades[:, 1] == matrix.unjudged).all()


def test_minus_one_is_not_judged():
    matrix = prepare(RUNS).under(gold(("1", "x", -1), ("2", "x", -2)))

    assert matrix.judged(2).tolist() == [[0, 1], [0, 1]]


@pytest.mark.parametrize("relevance", [3, 300, 70_000, -128, 2**40, 0.5])
def test_every_grade_is_kept_and_above_what_is_unjudged(relevance):
    matrix = prepare(RUNS).under(gold(("1", "x", relevance), ("2", "w", -1)))

    assert matrix.grades[0, 0, 0] == relevance
    assert matrix.unjudged < min(relevance, -1)


def test_runs_come_in_one_frame_or_in_many():
    one = prepare(RUNS)
    many = prepare(frame for _, frame in RUNS.groupby("system", sort=False))
    truth = gold(("2", "x", 3), ("1", "x", 2))

    assert prepare(one) is one
    assert many.systems.tolist() == one.systems.tolist()
    assert many.under(truth).grades.tolist() == one.under(truth).grades.tolist()


def test_ids_that_came_as_numbers_are_strings():
    matrix = prepare(run(("a", 1, 20, 1.0))).under(gold((1, 20, 3)))

    assert matrix.query_ids == ("1",)
    assert matrix.grades.tolist() == [[[3]]]


def test_the_order_of_rows_does_not_matter():
    truth = gold(("2", "x", 3), ("1", "x", 2), ("2", "y", 1))
    shuffled = RUNS.sample(frac=1, random_state=np.random.default_rng(0))

    assert prepare(shuffled).under(truth).grades.tolist() == prepare(RUNS).under(truth).grades.tolist()


def test_an_empty_gold_has_no_topics():
    matrix = prepare(RUNS).under(gold())

    assert matrix.query_ids == ()
    assert matrix.grades.shape[:2] == (2, 0)


@pytest.mark.parametrize(
    ("runs", "sentence"),
    [
        (run(), "there is no run"),
        ([], "there is no run"),
        (RUNS.drop(columns="score"), "lacking score"),
        (run(("a", None, "x", 1.0)), "a query_id in every row; one is missing"),
        (run(("a", "1", "x", float("nan"))), "finite"),
        (run(("a", "1", "x", float("inf"))), "finite"),
        (run(("a", "1", "x", 1.0), ("a", "1", "x", 2.0)), "system a, topic 1: a document came twice"),
        ([run(("a", "1", "x", 1.0)), run(("a", "1", "y", 1.0))], "system a, topic 1: .* in two frames"),
    ],
)
def test_what_cannot_be_ranked_is_refused(runs, sentence):
    with pytest.raises(ValueError, match=sentence):
        prepare(runs)


@pytest.mark.parametrize(
    ("truth", "sentence"),
    [
        (gold(("1", "x", 1), ("1", "x", 2)), "two grades for one document: topic 1, document x"),
        (gold(("1", "x", None), ("1", "y", 2)), "missing or infinite"),
        (gold(("1", "x", 1)).drop(columns="doc_id"), "a gold has the columns .* lacking doc_id"),
        (gold((None, "x", 1)), "one is missing"),
    ],
)
def test_what_is_no_gold_is_refused(truth, sentence):
    with pytest.raises(ValueError, match=sentence):
        prepare(RUNS).under(truth)
