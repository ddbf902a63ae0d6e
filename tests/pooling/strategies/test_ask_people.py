"""Priority sampling in proportion to gains: the strategy ask_people and the order ask_people_order."""

import itertools
import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pooling import ADAPTIVE, pool, prepare, read_pool, write_pool
from pooling.strategies.gains import rank_gains, sample_probabilities, shares, sum_of_differences
from tests.examples import examples
from tests.pooling.runs import COUNTS, DEPTHS, ROWS, lists, pairs_of, run

RUNS = run([*lists("1", s="abcd", t="bdef"), *lists("2", s="xyz", t="zuv")])


def probabilities_of(made):
    frame = made.frame
    pairs = zip(frame["query_id"], frame["doc_id"], strict=True)
    return dict(zip(pairs, frame["inclusion_probability"], strict=True))


# By hand.


def test_gains_by_hand():
    # s has a b, t has b: a moves the pair by 1; b is at rank 2 in s and 1 in t: 1 - 1 / log2(3).
    gains = rank_gains(np.array([[0, 1], [1, 2]]), 2)
    assert gains == pytest.approx([1, 1 - 1 / np.log2(3)], rel=1e-14)
    # Three systems with weights 1, 0, 0.5: 1 + 0.5 + 0.5.
    assert sum_of_differences(np.array([[1.0], [0.0], [0.5]])).tolist() == [2]
    assert rank_gains(np.array([[0, 1], [0, 1]]), 2).tolist() == [0, 0]


def test_shares_by_hand():
    # 0.8 * 3 / 4 + 0.2 / 3, and so on.
    assert shares(np.array([3.0, 1.0, 0.0]), 0.2) == pytest.approx([0.6 + 0.2 / 3, 0.2 + 0.2 / 3, 0.2 / 3], rel=1e-14)
    assert shares(np.array([0.0, 0.0]), 0.2).tolist() == [0.5, 0.5]
    assert shares(np.array([9.0, 1.0]), 1).tolist() == [0.5, 0.5]


def test_priority_sample_by_hand():
    # The keys in order are 0.2, 0.6, 1, 1.8. Of size 2, the next key is 1, so a drawn document has p = q. One that is
    # not drawn would have been if its key were below 0.6.
    keys, share = np.array([0.6, 1.8, 0.2, 1.0]), np.array([0.5, 0.1, 0.3, 0.1])
    drawn, probability = sample_probabilities(keys, share, 2)
    assert drawn.tolist() == [True, False, True, False]
    assert probability == pytest.approx([0.5, 0.06, 0.3, 0.06], rel=1e-14)
    # Of size 3, the next key is 1.8, and 0.5 * 1.8 = 0.9.
    assert sample_probabilities(keys, share, 3)[1] == pytest.approx([0.9, 0.1, 0.54, 0.18], rel=1e-14)
    assert sample_probabilities(keys, share, 4)[1].tolist() == [1, 1, 1, 1]
    assert sample_probabilities(keys, share, 0)[0].tolist() == [False] * 4


# An independent implementation.


@examples(50)
@given(st.lists(st.lists(st.floats(0, 1), min_size=3, max_size=3), min_size=1, max_size=6))
def test_sum_of_differences_matches_all_pairs(weights):
    expected = np.zeros(3)
    for first, second in itertools.combinations(np.array(weights), 2):
        expected += np.abs(first - second)
    assert sum_of_differences(np.array(weights)) == pytest.approx(expected, abs=1e-12)


@examples(30)
@given(ROWS, DEPTHS)
def test_gains_of_runs_match_their_ranks(rows, depth):
    runs = run(rows)
    ranks = {}
    ordered = sorted(rows, key=lambda row: (row[3], row[2].encode()), reverse=True)
    for system, query_id, doc_id, _ in ordered:
        of_ranking = ranks.setdefault((system, query_id), {})
        of_ranking[doc_id] = len(of_ranking) + 1
    systems = sorted({row[0] for row in rows})
    gains = {}
    for query_id, doc_id in {(row[1], row[2]) for row in rows}:
        at = [ranks.get((system, query_id), {}).get(doc_id, np.inf) for system in systems]
        if min(at) <= (depth or np.inf):
            weights = [1 / np.log2(rank + 1) if rank <= (depth or np.inf) else 0.0 for rank in at]
            pairs = itertools.combinations(weights, 2)
            gains.setdefault(query_id, {})[doc_id] = sum(abs(one - other) for one, other in pairs)
    by_ranks = probabilities_of(pool(runs, "ask_people", size=2, seed=3, depth=depth))
    by_gains = probabilities_of(pool(runs, "ask_people", size=2, seed=3, depth=depth, gain=gains))
    assert by_ranks == pytest.approx(by_gains, rel=1e-9)


# The probabilities, by simulation: many topics that are alike are as many draws.


@pytest.fixture(scope="module")
def alike():
    """4,000 topics with the documents a to e, whose gains are 4, 3, 2, 1 and 0, and a draw of 2 of each."""
    topics = [str(number) for number in range(4_000)]
    rows = [row for query_id in topics for row in lists(query_id, s="abcde")]
    gain = {query_id: dict(zip("abcde", (4, 3, 2, 1, 0), strict=True)) for query_id in topics}
    drawn = pool(run(rows), "ask_people", size=2, seed=1, tau=0.3, gain=gain).frame
    wide = drawn.pivot_table(index="query_id", columns="doc_id", values="inclusion_probability")
    return wide.reindex(columns=list("abcde"), index=topics).to_numpy()


VALUES = np.array([1.0, -2.0, 0.5, 3.0, 0.25])


def test_the_estimate_of_a_total_is_unbiased(alike):
    totals = np.nansum(VALUES / alike, axis=1)
    assert (~np.isnan(alike)).sum(axis=1).tolist() == [2] * len(alike)
    assert abs(totals.mean() - VALUES.sum()) < 4 * totals.std() / np.sqrt(len(totals))
    each = np.nan_to_num(1 / alike)
    assert (np.abs(each.mean(axis=0) - 1) < 4 * each.std(axis=0) / np.sqrt(len(each))).all()


def test_the_difference_estimate_is_unbiased_for_any_lambda(alike):
    people, model = np.array([2.0, 0.0, 1.0, 3.0, 0.0]), np.array([1.0, 1.0, 1.0, 2.0, 0.0])
    weight = np.array([1.0, -0.6, 0.5, -0.4, 0.3])
    for factor in (0, 0.7, 1):
        totals = (weight * factor * model).sum() + np.nansum(weight * (people - factor * model) / alike, axis=1)
        assert abs(totals.mean() - (weight * people).sum()) < 4 * totals.std() / np.sqrt(len(totals))


def test_errors_of_two_documents_are_uncorrelated_and_the_variance_is_unbiased(alike):
    each = np.nan_to_num(1 / alike) - 1
    for one, other in itertools.combinations(range(5), 2):
        product = each[:, one] * each[:, other]
        assert abs(product.mean()) < 4 * product.std() / np.sqrt(len(product))
    estimated = np.nansum((1 - alike) / alike**2 * VALUES**2, axis=1)
    errors = np.nansum(VALUES / alike, axis=1) - VALUES.sum()
    difference = estimated - errors**2
    assert abs(difference.mean()) < 4 * difference.std() / np.sqrt(len(difference))


def test_documents_with_a_larger_gain_are_drawn_more_often_and_none_never(alike):
    often = (~np.isnan(alike)).mean(axis=0)
    assert (np.diff(often) < 0).all()
    assert often[-1] > 0.3 * 2 / 5 / 2


# Properties.


@examples(40)
@given(ROWS, COUNTS, DEPTHS, st.integers(0, 99), st.floats(0.01, 1))
def test_the_order_begins_with_the_sample(rows, size, depth, seed, tau):
    runs = run(rows)
    sample = pool(runs, "ask_people", size=size, seed=seed, depth=depth, tau=tau)
    expected = probabilities_of(sample)
    strategy = ADAPTIVE["ask_people_order"](seed=seed, depth=depth, tau=tau)
    for query_id in sorted({row[1] for row in rows}):
        state, judged = strategy.start(runs, query_id), []
        while len(judged) < size and (doc_id := strategy.next(state)) is not None:
            judged.append(doc_id)
            state = strategy.step(state, {doc_id: len(doc_id) % 2})
        found = {(query_id, doc_id): p for doc_id, p in strategy.inclusion_probabilities(state).items()}
        assert found == {pair: p for pair, p in expected.items() if pair[0] == query_id}
        assert [pair[1] for pair in sample.to_tasks().itertuples(index=False) if pair[0] == query_id] == judged


@examples(30)
@given(ROWS, COUNTS, st.integers(0, 99))
def test_probabilities_are_bounded(rows, size, seed):
    made = pool(run(rows), "ask_people", size=size, seed=seed).frame
    assert made["inclusion_probability"].between(0, 1, inclusive="right").all()
    assert (made["stratum"] == "ask_people").all()


def test_gains_are_recorded_and_read_again(tmp_path):
    gain = {"1": {"a": 3, "b": 0.5}, "2": {"x": 1.0}}
    made = pool(RUNS, "ask_people", size=2, seed=5, gain=gain)
    assert made.describe() == (
        "ask_people (size 2, tau 0.1, gain of 3 documents, seed 5) over 2 systems: 4 tasks in 2 topics, 2 each"
    )
    write_pool(made, tmp_path / "pool.json")
    again = read_pool(tmp_path / "pool.json")
    assert again.parameters["gain"] == gain
    pd.testing.assert_frame_equal(again.frame, made.frame)


# Degenerate and invalid input.


def test_one_run_and_one_document():
    # One run has no differences, so all documents are as likely: 1 / 4 each.
    alone = prepare(run(lists(s="abcd")))
    everyone, tau = (pool(alone, "ask_people", size=2, seed=1, tau=t).frame for t in (0.1, 1))
    pd.testing.assert_frame_equal(everyone, tau)
    one = pool(run([("s", "1", "a", 1.0)]), "ask_people", size=3, seed=1)
    assert probabilities_of(one) == {("1", "a"): 1}


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"size": 0}, "size must be a whole number from 1, not 0"),
        ({"tau": 0}, "tau must be a number above 0 and at most 1, not 0"),
        ({"tau": 1.5}, "tau must be a number above 0 and at most 1, not 1.5"),
        ({"tau": "x"}, "tau must be a number above 0 and at most 1, not 'x'"),
        ({"gain": [1]}, "gain must be a dictionary of gains by query_id and doc_id, not [1]"),
        ({"gain": {"1": 2}}, "gain must be a dictionary of gains by query_id and doc_id, not {'1': 2}"),
        ({"gain": {"1": {"a": -1}}}, "the gain of document 'a' of topic '1' must be a number from 0, not -1"),
        (
            {"gain": {"1": {"a": float("nan")}}},
            "the gain of document 'a' of topic '1' must be a number from 0, not nan",
        ),
        (
            {"gain": {"9": {"q": 1}}},
            "no document of the runs has a gain: one of the runs is 'a' of topic '1', and one with a gain is 'q' of",
        ),
        ({"gain": {}}, "and one with a gain is none"),
        ({"seed": None}, "strategy 'ask_people' draws at random and needs a seed"),
    ],
)
def test_invalid_options_are_refused(options, sentence):
    with pytest.raises(ValueError, match=re.escape(sentence)):
        pool(RUNS, "ask_people", **({"size": 2, "seed": 1} | options))


def test_the_order_needs_a_seed_and_checks_its_options():
    with pytest.raises(ValueError, match="strategy 'ask_people_order' draws at random and needs a seed"):
        ADAPTIVE["ask_people_order"]()
    with pytest.raises(ValueError, match="tau must be a number above 0"):
        ADAPTIVE["ask_people_order"](seed=1, tau=0)
    with pytest.raises(ValueError, match="gain must be a dictionary"):
        ADAPTIVE["ask_people_order"](seed=1, gain=3)


def test_a_document_judged_too_early_is_no_sample():
    strategy = ADAPTIVE["ask_people_order"](seed=1)
    state = strategy.start(RUNS, "1")
    first = strategy.next(state)
    second = strategy.next(state, exclude=[first])
    with pytest.raises(
        ValueError, match=f"document '{second}' of topic '1' was judged before '{first}', which comes sooner"
    ):
        strategy.inclusion_probabilities(strategy.step(state, {second: 1}))
    assert strategy.inclusion_probabilities(state) == {}
    everything = strategy.step(state, dict.fromkeys("abcdef", 0))
    assert set(strategy.inclusion_probabilities(everything).values()) == {1.0}


def test_a_sample_among_some_documents():
    """As if the others did not exist, but with the same order."""
    strategy = ADAPTIVE["ask_people_order"](seed=3)
    state = strategy.start(RUNS, "1")
    among = ["a", "b", "c", "zz"]
    outside = [doc_id for doc_id in "abcdef" if doc_id not in among]
    first = strategy.next(state, exclude=outside)
    judged = strategy.step(state, {first: 1})
    sample = strategy.sample(judged, among)
    assert sample["doc_id"].tolist() == ["a", "b", "c"]
    assert sample.loc[sample["drawn"], "doc_id"].tolist() == [first]
    everything = strategy.step(state, dict.fromkeys("abc", 0))
    assert strategy.sample(everything, among)["inclusion_probability"].tolist() == [1, 1, 1]
    with pytest.raises(ValueError, match="topic '1' has no sample: no document is judged yet"):
        strategy.sample(state)
    with pytest.raises(ValueError, match="topic '1' has no sample: a judged document is not among those to draw from"):
        strategy.sample(everything, ["a", "b"])


def test_the_order_follows_gains():
    gain = {"1": {"e": 1_000.0}}
    firsts = [ADAPTIVE["ask_people_order"](seed=seed, gain=gain, tau=0.01) for seed in range(30)]
    chosen = [strategy.next(strategy.start(RUNS, "1")) for strategy in firsts]
    assert chosen.count("e") >= 25
    assert pairs_of(pool(RUNS, "ask_people", size=1, seed=0, gain=gain, tau=0.01))[0] == ("1", chosen[0])
