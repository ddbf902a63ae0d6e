"""The expected gain of a grade of people for each pair."""

import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement import evaluate, prepare
from agreement.trust.grade_chances import grade_chances, nearest_positions
from agreement.trust.model_files import read_model_grades
from agreement.trust.who_judges import who_judges
from pooling import pool, read_qrels
from tests.examples import examples
from tests.realdata import dl19_runs, real_data

SCALE = (0, 1, 2)


def frame(rows, *columns):
    return pd.DataFrame(list(rows), columns=list(columns))


def runs_of(rankings):
    """Rankings by system and topic, the best document first."""
    rows = [
        (system, query_id, doc_id, -place)
        for system, topics in rankings.items()
        for query_id, ranking in topics.items()
        for place, doc_id in enumerate(ranking)
    ]
    return frame(rows, "system", "query_id", "doc_id", "score")


def gold_of(**topics):
    rows = [(query_id, doc_id, grade) for query_id, grades in topics.items() for doc_id, grade in grades.items()]
    return frame(rows, "query_id", "doc_id", "relevance")


TWO = runs_of({"s": {"1": "abc"}, "t": {"1": "cab"}})
MODEL = gold_of(**{"1": {"a": 1, "b": 0, "c": 1, "d": 1}})


def gains_of(result):
    return dict(zip(result.pairs["doc_id"], result.pairs["gain"], strict=True))


# By hand.


def test_chances_by_hand():
    # Three grades; before anybody graded, 1 : 1/2 : 1/4 for the model's grade 0. Two people said 1 and 2 there:
    # (0 + 4 * 4/7) / 6, (1 + 4 * 2/7) / 6, (1 + 4 * 1/7) / 6.
    chances = grade_chances(np.array([0.0, 1, 2]), np.array([0, 0]), np.array([1, 2]), 4)
    assert chances.shares[0] == pytest.approx([16 / 42, 15 / 42, 11 / 42], rel=1e-14)
    assert chances.shares[1] == pytest.approx([1 / 4, 1 / 2, 1 / 4], rel=1e-14)
    assert chances.n_known.tolist() == [2, 0, 0]
    assert chances.spread[1] == pytest.approx(np.sqrt(1 / 2), rel=1e-14)  # (1 + 0 + 1) / 4


def test_precision_by_hand():
    # P@2: s has a and b, t has c and a. a is in both, so its grade moves nothing; b and c move the pair by 1/2; d is in
    # none. On the scale 0, 1, the chances are 2/3 and 1/3, so a grade has the standard deviation sqrt(2) / 3.
    result = who_judges(TWO, MODEL, "P@2", scale=(0, 1))
    expected = np.sqrt(2) / 3 / 2
    assert gains_of(result) == pytest.approx({"b": expected, "c": expected, "a": 0, "d": 0}, abs=1e-15)
    assert result.pairs["doc_id"].tolist() == ["b", "c", "a", "d"]
    assert result.pairs["why"].tolist() == [
        "rank 2 in 1 of 2 systems; people's grades vary by 0.47 where the model says 0.",
        "rank 1 in 1 of 2 systems; people's grades vary by 0.47 where the model says 1.",
        "ranks 1 to 2 in 2 of 2 systems; people's grades vary by 0.47 where the model says 1.",
        "in none of 2 systems; people's grades vary by 0.47 where the model says 1.",
    ]
    assert result.summary() == (
        "1 pair of 4 has half of the expected gain (P@2, 2 systems, 1 topic). Document b of topic 1 teaches most:"
        " rank 2 in 1 of 2 systems; people's grades vary by 0.47 where the model says 0."
    )
    assert result.gain == {"1": {"a": 0, "b": pytest.approx(expected), "c": pytest.approx(expected), "d": 0}}


def test_a_ratio_by_hand():
    # R@1 with a and c relevant: s finds a, t finds c: 1/2 each. d is in no ranking, but if it became irrelevant nothing
    # changes for the difference. a: relevant 1/2 - 1/2, not 0 - 1. Its difference is 0 or -1.
    result = who_judges(TWO, MODEL.iloc[:3], "R@1", scale=(0, 1))
    deviation = np.sqrt(2) / 3
    assert gains_of(result) == pytest.approx({"a": deviation, "c": deviation, "b": 0}, abs=1e-15)


def test_known_grades_replace_those_of_the_model_and_leave_the_list():
    known = gold_of(**{"1": {"b": 1, "z": 0}})
    result = who_judges(TWO, MODEL, "P@2", known, scale=(0, 1))
    assert sorted(gains_of(result)) == ["a", "c", "d"]
    assert result.n_known == 2
    # The model's grade 0 has one grade of people, 1; nobody is left with this grade.
    assert result.pairs["spread"].tolist() == pytest.approx([np.sqrt(2) / 3] * 3)


def test_a_model_that_people_confirm_leaves_little_to_learn():
    known = gold_of(**{"2": {f"k{number}": number % 2 for number in range(200)}})
    model = pd.concat([MODEL, known])
    runs = pd.concat([TWO, runs_of({"s": {"2": ["k0"]}, "t": {"2": ["k1"]}})])
    sure = who_judges(runs, model, "P@2", known, scale=(0, 1))
    unsure = who_judges(runs, model, "P@2", scale=(0, 1))
    assert gains_of(sure)["b"] < gains_of(unsure)["b"] / 3


def test_adjacent_systems_only():
    # Under P@1 with a and c relevant: s 1, t 1, u 0. d is first in u only: both pairs with u move; next to each other
    # are s and t, and t and u.
    runs = runs_of({"s": {"1": "abc"}, "t": {"1": "cab"}, "u": {"1": "dab"}})
    model = gold_of(**{"1": {"a": 1, "b": 0, "c": 1, "d": 0}})
    both, next_ones = (who_judges(runs, model, "P@1", scale=(0, 1), pairs=which) for which in ("all", "adjacent"))
    deviation = np.sqrt(2) / 3
    assert gains_of(both)["d"] == pytest.approx(2 * deviation)
    assert gains_of(next_ones)["d"] == pytest.approx(deviation)
    assert next_ones.systems == "adjacent"


# An independent implementation: one gold after the other, scored from the start.


def slow_gains(runs, model, measure, scale, shares):
    """Every document with every grade, with `evaluate`."""
    gains = {}
    for row in model.itertuples():
        means = []
        for grade in scale:
            gold = model.assign(relevance=model["relevance"].mask(model.index == row.Index, grade))
            scores = evaluate(prepare(runs), gold, measure, scale=scale)
            means.append(scores.groupby("system")["value"].mean().to_numpy())
        scores, share = np.array(means), shares[int(row.relevance)][:, None]
        total = 0.0
        for first in range(scores.shape[1]):
            difference = scores[:, first + 1 :] - scores[:, [first]]
            mean = (difference * share).sum(axis=0)
            total += np.sqrt(((difference - mean) ** 2 * share).sum(axis=0)).sum()
        gains[row.query_id, row.doc_id] = total
    return gains


@pytest.mark.slow
@pytest.mark.parametrize("measure", ["P(rel=2)@3", "nDCG@3", "AP", "DCG@2", "RBP(rel=1)", "ERR@3", "Bpref"])
def test_gains_match_golds_scored_one_by_one(measure):
    rng = np.random.default_rng(7)
    rankings = {
        system: {query_id: rng.permutation(list("abcdef"))[: rng.integers(2, 6)].tolist() for query_id in ("1", "2")}
        for system in "stu"
    }
    model = gold_of(**{query_id: dict(zip("abcdeg", rng.integers(0, 3, 6), strict=True)) for query_id in ("1", "2")})
    result = who_judges(runs_of(rankings), model, measure, scale=SCALE)
    shares = grade_chances(np.array(SCALE, float), np.zeros(0, int), np.zeros(0, int)).shares
    expected = slow_gains(runs_of(rankings), model, measure, SCALE, shares)
    found = result.pairs.set_index(["query_id", "doc_id"])["gain"].to_dict()
    assert found == pytest.approx(expected, abs=1e-12)


# Properties.

TOPIC = st.permutations("abcd")


@pytest.mark.slow
@examples(30)
@given(st.lists(TOPIC, min_size=2, max_size=4), st.lists(st.integers(0, 2), min_size=5, max_size=5), st.booleans())
def test_gains_are_sorted_and_ignore_names_and_order(rankings, grades, is_ratio):
    measure = "nDCG@2" if is_ratio else "P@2"
    model = gold_of(**{"1": dict(zip("abcde", grades, strict=True))})
    result = who_judges(runs_of({f"s{n}": {"1": r} for n, r in enumerate(rankings)}), model, measure, scale=SCALE)
    assert (np.diff(result.pairs["gain"]) <= 0).all()
    assert (result.pairs["gain"] >= 0).all()
    renamed = runs_of({f"x{n}": {"1": r} for n, r in enumerate(rankings[::-1])})
    again = who_judges(renamed, model[::-1], measure, scale=SCALE)
    assert gains_of(again) == pytest.approx(gains_of(result), abs=1e-12)


@examples(20)
@given(TOPIC, st.lists(st.integers(0, 2), min_size=4, max_size=4))
def test_systems_that_rank_alike_teach_nothing(ranking, grades):
    model = gold_of(**{"1": dict(zip("abcd", grades, strict=True))})
    result = who_judges(runs_of({"s": {"1": ranking}, "t": {"1": ranking}}), model, "nDCG", scale=SCALE)
    assert (result.pairs["gain"] == 0).all()
    assert result.summary().startswith("No grade of people is expected to change a difference of systems")


def test_gains_feed_ask_people():
    result = who_judges(TWO, MODEL, "P@2", scale=(0, 1))
    sample = pool(TWO, "ask_people", size=2, seed=1, gain=result.gain, tau=0.01)
    assert set(sample.frame["doc_id"]) == {"b", "c"}


# Degenerate and invalid input.


def test_one_system_and_everything_known():
    one = who_judges(TWO[TWO["system"] == "s"], MODEL, "P@2", scale=(0, 1))
    assert (one.pairs["gain"] == 0).all()
    known = who_judges(TWO, MODEL, "P@2", MODEL, scale=(0, 1))
    assert len(known.pairs) == 0
    assert known.gain == {}
    assert "No grade of people" in repr(known)
    assert known.to_dict()["pairs"] == []


def test_pairs_without_a_grade_are_counted():
    result = who_judges(TWO, MODEL[MODEL["doc_id"] != "b"], "P@2", scale=(0, 1))
    assert result.n_without_grade == 1
    assert result.summary().endswith("1 pair of the systems without a grade of the model left out.")


def test_negative_grades_are_no_grades_and_fractions_count_as_the_nearest():
    model = gold_of(**{"1": {"a": 0.5, "b": -1, "c": 0.25}})
    result = who_judges(TWO, model, "P@2", scale=(0, 1))
    assert sorted(gains_of(result)) == ["a", "c"]
    assert nearest_positions(pd.Series([0, 0.49, 0.5, 1.5, 3]), np.array([0.0, 1, 3]), "x").tolist() == [0, 0, 1, 1, 2]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"scale": (1,)}, "A scale must have two or more different grades"),
        ({"scale": ("low", "high")}, "scale must have numbers, lowest first, not ('low', 'high')"),
        ({"model": MODEL.assign(relevance=7)}, "the model has the grade 7.0, but the scale is from 0 to 1. Map its"),
        ({"model": MODEL.assign(relevance=-1)}, "The model has no grade."),
        ({"model": pd.concat([MODEL, MODEL])}, "Document 'a' of topic '1' has two grades of the model."),
        ({"model": MODEL.assign(query_id="9")}, "The runs and the model have no topic in common"),
        ({"grades": MODEL.assign(relevance=0.5)}, "The grade 0.5 of people for document 'a' of topic '1' is not on"),
        ({"pairs": "some"}, "pairs must be one of all, adjacent, not 'some'"),
        ({"prior": 0}, "prior must be a number above 0, not 0"),
        ({"measure": "XYZ"}, "Unknown measure 'XYZ'"),
    ],
)
def test_invalid_input_is_refused(options, sentence):
    arguments = {"runs": TWO, "model": MODEL, "measure": "P@2", "scale": (0, 1)} | options
    with pytest.raises(ValueError, match=re.escape(sentence)):
        who_judges(**arguments)


@pytest.mark.slow
def test_gains_of_dl19_find_the_pairs_that_move_the_ranking():
    """The sum of a fifth of the pairs by gain: the true effects of NIST's grades are larger there than elsewhere."""
    runs = prepare(dl19_runs())
    file = real_data("dl19", "model_judges") / "gpt-4o.umbrela.txt"
    model = read_model_grades({"gpt-4o": file}, duplicates="last").golds["gpt-4o"]
    result = who_judges(runs, model, "nDCG@10", scale=(0, 1, 2, 3))
    nist = read_qrels(real_data("dl19", "judges", "nist.qrels"))
    joined = result.pairs.merge(nist, on=["query_id", "doc_id"])
    weight = joined["gain"] / joined["spread"]
    moved = weight * (joined["relevance"] - joined["model_grade"]).abs()
    top = len(joined) // 5
    assert moved[:top].mean() > 5 * moved[top:].mean()
