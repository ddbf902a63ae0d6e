"""Bounds: exercise 8.9, by hand, against all rankings and all ways of judging, properties, what is refused."""

from dataclasses import replace
from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement.effectiveness.bounds import ap_bounds, score_bounds
from agreement.effectiveness.measure import parse_measure
from agreement.effectiveness.ranked_runs import prepare
from agreement.measures.rbp import rbp_residual
from tests.agreement.graded_rankings import at_ranks, fewer, gold_of, random_run_and_gold, run_of, scored_run_of
from tests.oracles import oracle

SCALE = (0, 1, 2, 3)
BINARY = [
    "AP",
    "AP@3",
    "AP(rel=2)",
    "P@3",
    "R@3",
    "F(beta=2)@3",
    "Rprec",
    "BreakEven(rel=2)",
    "RR",
    "RR@2",
    "Success@2",
]
GRADED = ["RBP", "RBP(p=0.5,rel=2)@4", "DCG", "DCG(discount='max2')@3", "nDCG", "nDCG@3", "nDCG(dcg='exp-log2')@4"]
SETS = ["SetP", "SetR", "SetF(beta=2.0)", "E", "E(beta=0.5)@2", "ERR", "ERR@3"]

some_grades = st.lists(st.integers(-1, 3), min_size=1, max_size=5)
some_others = st.lists(st.integers(-1, 3), max_size=3)


def world(ranking, others):
    """A ranking with these grades (-1 is unjudged), and other documents with these; all in topic q."""
    docs = [f"d{i}" for i in range(len(ranking) + len(others))]
    grades = dict(zip(docs, [*ranking, *others], strict=True))
    # every second unjudged document is not named at all
    named = {doc: grade for i, (doc, grade) in enumerate(grades.items()) if grade >= 0 or i % 2}
    return docs[: len(ranking)], named


def all_judgements(docs, named, measure):
    """The measure under every way of judging the unjudged documents of the ranking."""
    unjudged = [doc for doc in docs if named.get(doc, -1) < 0]
    every = [*dict.fromkeys([*docs, *named])]
    grades = np.array(
        [
            [{**named, **dict(zip(unjudged, given_, strict=True))}.get(doc, -1) for doc in every]
            for given_ in product(SCALE, repeat=len(unjudged))
        ]
    )
    matrix = prepare(run_of({"q": docs})).regraded("q", every, grades, grades >= 0)
    return measure(replace(matrix, highest=SCALE[-1]))


def all_rankings(docs, named, collection_size):
    """Runs that go on after the ranking in every order over the rest of the collection, one system each."""
    rest = [doc for doc in named if doc not in docs]
    rest += [f"x{i}" for i in range(collection_size - len(docs) - len(rest))]
    frames = [run_of({"q": [*docs, *tail]}, f"s{i:04}") for i, tail in enumerate(permutations(rest))]
    return prepare(pd.concat(frames))


def low_and_high(bounds):
    return bounds["low"].item(), bounds["high"].item()


def test_exercise_8_9_of_the_textbook():
    case = next(case for case in oracle("textbook")["cases"] if case["id"] == "iir-ex8.9")
    given_, want = case["given"], {key: float(Fraction(part)) for key, part in case["want"].items()}
    runs, gold = at_ranks(given_["relevant_at_ranks"], given_["relevant_total"], given_["retrieved"])

    bounds = ap_bounds(runs, gold, collection_size=given_["collection"])

    assert bounds.columns.tolist() == ["system", "query_id", "value", "low", "high"]
    assert bounds["value"].item() == pytest.approx(want["AP"], abs=1e-15)
    assert bounds["high"].item() == pytest.approx(want["AP_largest_if_ranking_continues"], abs=1e-15)
    assert bounds["low"].item() == pytest.approx(want["AP_smallest_if_ranking_continues"], abs=1e-15)
    error = max(bounds["high"].item() - bounds["value"].item(), bounds["value"].item() - bounds["low"].item())
    assert error == pytest.approx(want["largest_error"], abs=1e-15)


def test_unknown_judgements_by_hand():
    # ranks: unjudged, relevant, unjudged; one more relevant was not retrieved: R = 2, AP = (1/2) / 2
    runs, gold = run_of({"q": "abc"}), gold_of({"q": {"b": 1, "z": 1}})

    bounds = score_bounds(runs, gold, "AP")

    assert bounds.columns.tolist() == ["system", "query_id", "measure", "value", "low", "high"]
    # only c relevant: (1/2 + 2/3) / 3 = 7/18; both: 3/4; only a: (1 + 1) / 3; so none is the smallest
    assert (bounds["value"].item(), *low_and_high(bounds)) == (1 / 4, 1 / 4, 3 / 4)
    # R@1: only c relevant, 0 / 3; only a, 1 / 3
    assert low_and_high(score_bounds(runs, gold, "R@1")) == (0, 1 / 3)


def test_a_low_unjudged_document_can_lower_average_precision():
    # ranks: relevant, 3 nonrelevant, unjudged: if it is relevant, (1 + 2/5) / 2 in place of 1
    runs, gold = run_of({"q": "abcde"}), gold_of({"q": {"a": 1, "b": 0, "c": 0, "d": 0}})

    assert low_and_high(score_bounds(runs, gold, "AP")) == (pytest.approx(7 / 10, abs=1e-15), 1)


@fewer
@given(some_grades, some_others, st.sampled_from([*BINARY, *GRADED, *SETS]))
def test_against_all_ways_of_judging(ranking, others, name):
    docs, named = world(ranking, others)
    measure = parse_measure(name)

    bounds = score_bounds(run_of({"q": docs}), gold_of({"q": named or {"n": 0}}), name, scale=SCALE)

    values = all_judgements(docs, named or {"n": 0}, measure)
    assert low_and_high(bounds) == pytest.approx((values.min(), values.max()), abs=1e-12)


@pytest.mark.in_ci
@pytest.mark.parametrize("name", [*BINARY, *GRADED, *SETS])
def test_every_measure_against_all_ways_of_judging(name):
    rng = np.random.default_rng(11)
    for _ in range(6):
        docs, named = world(rng.choice([-1, -1, 0, 1, 2, 3], 6).tolist(), rng.integers(0, 4, 3).tolist())

        bounds = score_bounds(run_of({"q": docs}), gold_of({"q": named}), name, scale=SCALE)

        values = all_judgements(docs, named, parse_measure(name))
        assert low_and_high(bounds) == pytest.approx((values.min(), values.max()), abs=1e-12)


@pytest.mark.in_ci
@pytest.mark.parametrize("name", [*BINARY, *GRADED])
def test_every_measure_against_all_rankings(name):
    rng = np.random.default_rng(12)
    for more in (0, 1, 2):
        docs, named = world(rng.integers(-1, 4, 3).tolist(), rng.integers(0, 4, 3).tolist())
        gold, size = gold_of({"q": named}), len({*docs, *named}) + (more if len({*docs, *named}) < 7 else 0)

        bounds = score_bounds(run_of({"q": docs}), gold, name, unknown="ranks", scale=SCALE, collection_size=size)

        values = parse_measure(name)(all_rankings(docs, named, size).under(gold, scale=SCALE))
        assert low_and_high(bounds) == pytest.approx((values.min(), values.max()), abs=1e-12)


@fewer
@given(some_grades, some_others, st.integers(0, 9), st.sampled_from([*BINARY, *GRADED]))
def test_value_is_within_the_bounds(ranking, others, more, name):
    docs, named = world(ranking, others)
    runs, gold = run_of({"q": docs}), gold_of({"q": named or {"n": 0}})
    size = len(docs) + len(named) + 1 + more

    judging = score_bounds(runs, gold, name, scale=SCALE).iloc[0]
    going_on = score_bounds(runs, gold, name, unknown="ranks", scale=SCALE, collection_size=size).iloc[0]

    assert 0 <= judging["low"] <= judging["value"] <= judging["high"]
    assert going_on["value"] <= going_on["low"] <= going_on["high"]


def test_rank_biased_precision_without_later_ranks():
    # the residual also counts what would follow: p^n at the end of a ranking of n documents
    run, grades = random_run_and_gold(6)
    runs, gold = scored_run_of(run), gold_of(grades)

    bounds = score_bounds(runs, gold, "RBP(rel=1)")

    residual = rbp_residual(prepare(runs).under(gold))[0] - 0.8 ** np.array([len(docs) for docs in run.values()])
    assert (bounds["high"] - bounds["low"]).tolist() == pytest.approx(residual.tolist(), abs=1e-12)


def test_bounds_of_a_fully_judged_ranking_are_equal():
    runs, gold = run_of({"q": "abc"}), gold_of({"q": {"a": 2, "b": 0, "c": 1}})

    for name in [*BINARY, *GRADED, *SETS]:
        bounds = score_bounds(runs, gold, name, scale=SCALE)
        assert low_and_high(bounds) == pytest.approx((bounds["value"].item(),) * 2, abs=1e-15)
    for name in [*BINARY, *GRADED]:
        bounds = score_bounds(runs, gold, name, unknown="ranks", scale=SCALE, collection_size=100)
        assert low_and_high(bounds) == pytest.approx((bounds["value"].item(),) * 2, abs=1e-15)


def test_empty_input():
    gold = gold_of({"lacking": {"a": 1}, "none": {"a": 0}})
    runs = run_of({"none": "a"})

    assert score_bounds(runs, gold, "AP")[["low", "high"]].to_numpy().tolist() == [[0, 0], [0, 0]]
    # a ranking of which nothing is known can still be the best, or have its one document last of four
    bounds = ap_bounds(runs, gold, collection_size=4)
    assert bounds[["value", "low", "high"]].to_numpy().tolist() == [[0, 1 / 4, 1], [0, 0, 0]]


def test_a_topic_without_relevant_documents():
    bounds = score_bounds(run_of({"q": "ab"}), gold_of({"q": {"a": 0}}), "AP")

    assert low_and_high(bounds) == (0, 1 / 2)


def test_systems_and_topics_are_independent():
    run, grades = random_run_and_gold(7)
    other, _ = random_run_and_gold(8)
    runs, gold = pd.concat([scored_run_of(run, "one"), scored_run_of(other, "two")]), gold_of(grades)

    for name in ("AP", "nDCG@10", "Rprec"):
        together = score_bounds(runs, gold, name, scale=SCALE)
        assert together[["system", "query_id"]].duplicated().sum() == 0
        for row in together.itertuples():
            mine = runs[(runs["system"] == row.system) & (runs["query_id"] == row.query_id)]
            alone = score_bounds(mine, gold[gold["query_id"] == row.query_id], name, scale=SCALE)
            assert low_and_high(alone) == pytest.approx((row.low, row.high), abs=1e-12)


def test_invalid_arguments_are_refused():
    runs, gold = run_of({"q": "ab"}), gold_of({"q": {"a": 1, "z": 1}})

    with pytest.raises(ValueError, match=r"Only AP, P, SetP, .* have bounds.*, not Bpref"):
        score_bounds(runs, gold, "Bpref")
    with pytest.raises(ValueError, match=r"without judged_only and relative, not AP\(judged_only=True\)"):
        score_bounds(runs, gold, "AP(judged_only=True)")
    with pytest.raises(ValueError, match=r"Only AP, .* have bounds.*, not ERR"):
        score_bounds(runs, gold, "ERR", unknown="ranks", scale=SCALE, collection_size=9)
    with pytest.raises(ValueError, match=r"Only AP, .* have bounds.*, not nDCG\(gains="):
        score_bounds(runs, gold, "nDCG(gains={1:5})", scale=SCALE)
    with pytest.raises(ValueError, match="nDCG needs a declared scale"):
        score_bounds(runs, gold, "nDCG")
    with pytest.raises(ValueError, match="unknown must be one of judgements, ranks, not 'both'"):
        score_bounds(runs, gold, "AP", unknown="both")
    for wrong in ({"unknown": "ranks"}, {"collection_size": 9}):
        with pytest.raises(ValueError, match="collection_size must be set with unknown ranks, and only then"):
            score_bounds(runs, gold, "AP", **wrong)
    with pytest.raises(ValueError, match=r"collection_size must be at least 3, .*, not 2"):
        ap_bounds(runs, gold, collection_size=2)
