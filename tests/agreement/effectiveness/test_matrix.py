"""Runs become integers once, and a gold looks its grades up in them."""

from unittest.mock import patch

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement.effectiveness import prepare
from pooling.preparing import interning as _interning
from pooling.ranking import ranked


def run(*rows):
    return pd.DataFrame(rows, columns=["system", "query_id", "doc_id", "score"])


def gold(*rows):
    return pd.DataFrame(rows, columns=["query_id", "doc_id", "relevance"])


RUNS = run(("b", "2", "x", 1.0), ("b", "2", "y", 2.0), ("a", "1", "x", 1.0), ("a", "2", "z", 1.0), ("a", "2", "x", 1.0))


def test_grades_are_in_document_order():
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


def test_a_negative_grade_is_not_judged():
    matrix = prepare(RUNS).under(gold(("1", "x", -1), ("2", "x", -2)))

    assert matrix.judged(2).tolist() == [[0, 0], [0, 0]]


@pytest.mark.parametrize("relevance", [3, 300, 70_000, -128, 2**40, 0.5])
def test_every_grade_is_kept_and_above_what_is_unjudged(relevance):
    matrix = prepare(RUNS).under(gold(("1", "x", relevance), ("2", "w", -1)))

    assert matrix.grades[0, 0, 0] == relevance
    assert matrix.unjudged < min(relevance, -1)


def test_runs_in_one_frame_or_in_several():
    one = prepare(RUNS)
    many = prepare(frame for _, frame in RUNS.groupby("system", sort=False))
    truth = gold(("2", "x", 3), ("1", "x", 2))

    assert prepare(one) is one
    assert many.systems.tolist() == one.systems.tolist()
    assert many.under(truth).grades.tolist() == one.under(truth).grades.tolist()


def test_numeric_ids_become_strings():
    matrix = prepare(run(("a", 1, 20, 1.0))).under(gold((1, 20, 3)))

    assert matrix.query_ids == ("1",)
    assert matrix.grades.tolist() == [[[3]]]


def test_the_order_of_rows_does_not_matter():
    truth = gold(("2", "x", 3), ("1", "x", 2), ("2", "y", 1))
    shuffled = RUNS.sample(frac=1, random_state=np.random.default_rng(0))

    assert prepare(shuffled).under(truth).grades.tolist() == prepare(RUNS).under(truth).grades.tolist()


rows = st.lists(
    st.tuples(st.sampled_from("ab"), st.sampled_from("12"), st.sampled_from("uvwxyé"), st.integers(0, 2)),
    min_size=1,
    unique_by=lambda row: row[:3],
)


@pytest.mark.slow
@given(rows, st.booleans(), st.booleans(), st.booleans())
def test_document_order(lines, sort, in_a_table, by_topic):
    """Whether rows come ranked, ranked but for ties, or anyhow; and however their keys are numbered."""
    runs = run(*((system, topic, doc, float(score)) for system, topic, doc, score in lines))
    runs = runs.sort_values(["system", "query_id", "score"], ascending=[True, True, False]) if sort else runs
    truth = ranked(runs)
    grade = {
        pair: place for place, pair in enumerate(sorted(set(zip(truth["query_id"], truth["doc_id"], strict=True))))
    }

    with (
        patch.object(_interning, "MAX_TABLE_KEYS", _interning.MAX_TABLE_KEYS if in_a_table else 0),
        patch.object(_interning, "MIN_STRETCH", 0 if by_topic else _interning.MIN_STRETCH),
    ):
        matrix = prepare(runs).under(gold(*((*pair, place) for pair, place in grade.items())))

    for (system, topic), rows in truth.groupby(["system", "query_id"]):
        row = matrix.grades[matrix.systems.index(system), matrix.query_ids.index(topic)]
        assert row[: len(rows)].tolist() == [grade[topic, doc] for doc in rows["doc_id"]]
        assert (row[len(rows) :] == matrix.unjudged).all()


@pytest.mark.parametrize("least", [0, 10**6])
def test_items_do_not_depend_on_how_documents_are_numbered(least):
    """Three systems that share documents between topics; the rows of a topic are adjacent, split, or in one frame."""
    one = run(("a", "1", "x", 3), ("a", "1", "y", 2), ("a", "2", "y", 2), ("a", "2", "z", 1))
    two = run(("b", "2", "w", 3), ("b", "1", "x", 2), ("b", "2", "y", 2), ("c", "3", "x", 1))

    with patch.object(_interning, "MIN_STRETCH", least):
        runs = prepare([one, two])

    names = [f"{topic}-{doc}" for topic, doc in zip(runs.topics_of_items, runs.doc_ids_of_items, strict=True)]
    assert [names[item] for item in runs.items[1, 1, :2]] == ["1-w", "1-y"]
    assert [names[item] for item in runs.items[2, 2, :1]] == ["2-x"]
    assert runs.keys.is_monotonic_increasing
    assert sorted(names) == ["0-x", "0-y", "1-w", "1-y", "1-z", "2-x"]


@pytest.mark.parametrize("least", [0, 10**6])
def test_a_document_that_occurs_twice_is_named(least):
    lines = [("b", "1", "x", 3), ("b", "2", "y", 2), ("b", "2", "z", 1), ("b", "2", "y", 1)]

    with (
        patch.object(_interning, "MIN_STRETCH", least),
        pytest.raises(ValueError, match="system 'b', topic '2': document 'y' occurs twice"),
    ):
        prepare([run(("a", "1", "y", 1)), run(*lines)])


@pytest.mark.parametrize("systems", [["a", "a"], ["a", "b"], ["ab", "a"], ["aa", "ab"], ["", ""], ["é", "é"]])
def test_equal_system_names_are_recognised_by_their_bytes(systems):
    runs = run(*((system, "1", f"d{place}", 1) for place, system in enumerate(systems)))

    assert prepare(runs).systems.tolist() == sorted(set(systems))


def test_the_lookup_is_reused_for_the_same_documents_only():
    ranked_runs = prepare(RUNS)
    first, second = gold(("2", "x", 3), ("1", "x", 2)), gold(("2", "x", 0), ("1", "x", 1))
    others = [gold(("2", "y", 3), ("1", "x", 2)), gold(("1", "x", 2), ("2", "x", 3)), gold(("2", "x", 3))]

    for truth in (first, second, *others, first):
        assert ranked_runs.under(truth).grades.tolist() == prepare(RUNS).under(truth).grades.tolist()
        assert ranked_runs.under(truth).gold.tolist() == prepare(RUNS).under(truth).gold.tolist()


def test_judged_only_removes_unjudged_documents():
    # a: x, z, y in topic 2, of which z is unjudged; with -1 for x only y is left
    runs = run(("a", "2", "x", 3.0), ("a", "2", "z", 2.0), ("a", "2", "y", 1.0), ("b", "2", "z", 1.0))
    matrix = prepare(runs).under(gold(("2", "x", 0), ("2", "y", 2)), known=gold(("2", "y", 0))[["query_id", "doc_id"]])
    none = matrix.unjudged

    closed = matrix.judged_only()

    assert closed.grades.tolist() == [[[0, 2]], [[none, none]]]
    assert closed.retrieved.tolist() == [[2], [0]]
    assert closed.known.tolist() == [[[False, True]], [[False, False]]]
    assert closed.gold.tolist() == matrix.gold.tolist()
    assert prepare(runs).under(gold(("2", "x", -1), ("2", "y", -3))).judged_only().retrieved.tolist() == [[0], [0]]


def test_known_documents_of_the_rankings_and_of_the_gold():
    known = pd.DataFrame({"query_id": ["2", "2", "1", "2"], "doc_id": ["x", "w", "z", "x"]})
    matrix = prepare(RUNS).under(gold(("2", "w", 1), ("2", "x", 3), ("2", "y", 0), ("1", "x", 2)), known=known)

    # system a: topic 1: x; topic 2: z, x; b: topic 2: y, x; the gold of topic 2, highest first: x, w, y
    assert matrix.known.tolist() == [[[False, False], [False, True]], [[False, False], [False, True]]]
    assert matrix.gold.tolist()[1] == [3, 1, 0]
    assert matrix.known_gold.tolist()[1] == [True, True, False]


def test_scale_and_collection_size_are_kept():
    truth = gold(("2", "x", 3), ("1", "x", -1))
    matrix = prepare(RUNS).under(truth, scale=(0, 1, 3), collection_size=9)

    assert (matrix.highest, matrix.collection_size, matrix.known) == (3, 9, None)
    assert (prepare(RUNS).under(truth).highest, prepare(RUNS).under(truth).collection_size) == (None, None)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"scale": (0, 1, 2)}, r"Grade 3 is not on the scale 0, 1, 2 \(topic '2', document 'x'\)"),
        ({"scale": (0,)}, "A scale must have two or more numbers of at least 0, lowest first, not 0"),
        ({"scale": (1, 0)}, "lowest first, not 1, 0"),
        ({"scale": (-1, 0, 3)}, "of at least 0"),
        ({"scale": ("no", "yes")}, "numbers"),
        ({"collection_size": 1}, "collection_size must be at least 2, .*, not 1"),
        ({"collection_size": 9.5}, "not 9.5"),
        ({"collection_size": True}, "not True"),
        (
            {"known": pd.DataFrame({"query_id": ["2"]})},
            "known documents needs the columns query_id, doc_id; missing: doc_id",
        ),
        ({"known": pd.DataFrame({"query_id": ["2"], "doc_id": [None]})}, "one is missing"),
    ],
)
def test_invalid_options_are_refused(options, sentence):
    with pytest.raises(ValueError, match=sentence):
        prepare(RUNS).under(gold(("2", "x", 3), ("1", "x", -1)), **options)


def test_an_empty_gold_has_no_topics():
    matrix = prepare(RUNS).under(gold())

    assert matrix.query_ids == ()
    assert matrix.grades.shape[:2] == (2, 0)


@pytest.mark.parametrize(
    ("runs", "sentence"),
    [
        (run(), "there are no runs"),
        ([], "there are no runs"),
        (RUNS.drop(columns="score"), "missing: score"),
        (run(("a", None, "x", 1.0)), "every row of a run needs a query_id"),
        (run(("a", "1", "x", float("nan"))), "finite"),
        (run(("a", "1", "x", float("inf"))), "finite"),
        (run(("a", "1", "x", 1.0), ("a", "1", "x", 2.0)), "system 'a', topic '1': document 'x' occurs twice"),
        (
            [run(("a", "1", "x", 1.0)), run(("a", "1", "y", 1.0))],
            "system 'a' occurs twice, in DataFrames 1 and 2 of 2; all rows of a system",
        ),
    ],
)
def test_invalid_runs_are_refused(runs, sentence):
    with pytest.raises(ValueError, match=sentence):
        prepare(runs)


@pytest.mark.parametrize(
    ("truth", "sentence"),
    [
        (gold(("1", "x", 1), ("1", "x", 2)), "A document has two grades: topic '1', document 'x'"),
        (gold(("1", "x", None), ("1", "y", 2)), "is missing .topic '1', document 'x'"),
        (gold(("1", "x", float("inf"))), "must be finite, not inf .topic '1', document 'x'"),
        (gold(("1", "x", "2")), "A relevance must be a number, not '2' .topic '1', document 'x'"),
        (gold(("1", "x", 1)).drop(columns="doc_id"), "A gold needs the columns .* missing: doc_id"),
        (gold((None, "x", 1)), "one is missing"),
    ],
)
def test_an_invalid_gold_is_refused(truth, sentence):
    with pytest.raises(ValueError, match=sentence):
        prepare(RUNS).under(truth)
