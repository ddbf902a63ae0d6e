"""The class Draw: joining grades, and draws of pools."""

import re

import pandas as pd
import pytest

from pooling import pool, prepare
from pooling.draws import Draw, draw_by_stratum
from tests.pooling.draws.pairs import drawn_set, pairs
from tests.pooling.runs import lists, pairs_of, run
from tests.realdata import dl19_runs

RUNS = run([*lists("1", s="abcd", t="bdef"), *lists("2", s="xyz", t="zuv")])
WHOLE = pool(RUNS, depth=4)


def grades_of(draw, relevance=1):
    return draw.drawn[["query_id", "doc_id"]].assign(relevance=relevance)


def test_grades_are_joined():
    draw = draw_by_stratum(pairs(a=3), 2, seed=1)
    joined = draw.graded(grades_of(draw))
    assert joined["relevance"].notna().tolist() == draw.frame["drawn"].tolist()
    assert len(joined) == 3


def test_grades_by_hand_unfinished_and_double_ones_are_refused():
    draw = draw_by_stratum(pairs(a=3), 2, seed=1)
    with pytest.raises(ValueError, match="1 grade is of pairs that were not drawn, such as document 'x' of topic 'a'"):
        draw.graded(pd.concat([grades_of(draw), pd.DataFrame({"query_id": ["a"], "doc_id": ["x"], "relevance": [1]})]))
    with pytest.raises(ValueError, match="1 grade is of pairs that were not drawn"):
        draw.graded(draw.frame[["query_id", "doc_id"]].assign(relevance=0))
    with pytest.raises(ValueError, match="1 of 2 drawn pairs has no grade yet"):
        draw.graded(grades_of(draw)[:1])
    with pytest.raises(ValueError, match="2 of 2 drawn pairs have no grade yet"):
        draw.graded(grades_of(draw, -1))
    with pytest.raises(ValueError, match="has two grades"):
        draw.graded(pd.concat([grades_of(draw)] * 2))


def test_draw_of_a_random_pool():
    # Topic 1 has a to f, topic 2 u to z without w: 2 of 6, and 2 of 5.
    draw = Draw.from_pools(WHOLE, pool(RUNS, "random", size=2, seed=5))
    assert draw.frame.groupby("query_id")["inclusion_probability"].unique().map(list).to_dict() == {
        "1": [2 / 6],
        "2": [2 / 5],
    }
    assert (draw.is_fixed, draw.drawn_topics, draw.seed) == (True, None, 5)
    assert drawn_set(draw) == set(pairs_of(pool(RUNS, "random", size=2, seed=5)))


def test_draw_of_a_stratified_pool():
    sample = pool(RUNS, "stratified", strata=[(1, 1.0), (4, 0.5)], seed=5)
    draw = Draw.from_pools(WHOLE, sample)
    # Topic 1: a and b at rank 1; d, c, e, f below, of which half. Topic 2: x and z; y, u, v, of which 2 (1.5 rounded).
    assert draw.to_frame().values.tolist() == [["1 1-1", 2, 2], ["1 2-4", 4, 2], ["2 1-1", 2, 2], ["2 2-4", 3, 2]]
    both = draw.drawn.merge(sample.frame, on=["query_id", "doc_id"])
    assert (both["inclusion_probability_x"] == both["inclusion_probability_y"]).all()
    assert len(both) == len(sample)


@pytest.mark.parametrize("gain", [None, {"1": {"a": 3, "b": 1}, "2": {"u": 1.5}}])
def test_draw_of_an_ask_people_pool(gain):
    sample = pool(RUNS, "ask_people", size=2, seed=5, gain=gain)
    draw = Draw.from_pools(WHOLE, sample, RUNS)
    both = draw.drawn.merge(sample.frame, on=["query_id", "doc_id"])
    assert (both["inclusion_probability_x"] == both["inclusion_probability_y"]).all()
    assert len(both) == len(sample) == 4
    assert not draw.is_fixed
    assert draw._sentence() == "4 of 11 pairs drawn, each pair with its own probability (seed 5)."


SAMPLE = pool(RUNS, "random", size=2, seed=5)


@pytest.mark.parametrize(
    ("whole", "sample", "sentence"),
    [
        (WHOLE, WHOLE, "strategy 'depth' draws no sample with known independent probabilities"),
        (WHOLE, pool(RUNS, "stat_ap", size=2, seed=5), "strategy 'stat_ap' draws no sample"),
        (WHOLE, pool(RUNS, depth=1).union(SAMPLE), "the sample is a union, so the inclusion probabilities"),
        (WHOLE, SAMPLE.difference(pool(RUNS, depth=1)), "the sample is a difference"),
        (WHOLE, SAMPLE.with_documents({"1": {"new": 0}}), "the sample is changed by added documents"),
        (
            WHOLE,
            pool(RUNS, "random", size=2, seed=5, judged={"1": {"a": 1}}),
            "the sample is without the judged documents",
        ),
        (SAMPLE, SAMPLE, "the whole pool is a sample itself"),
        (pool(RUNS, depth=1), SAMPLE, "are not in the whole pool; give the pool out of which the sample was drawn"),
        (
            WHOLE.with_documents({"1": {"new": 0}}),
            SAMPLE,
            "the sample records the inclusion probability 0.333333 for document",
        ),
        (
            WHOLE,
            pool(RUNS, "stratified", strata=[(1, 0.5), (2, 0.5)], seed=1),
            "documents of the whole pool have no rank up to 2, so the sample could not draw them",
        ),
        (WHOLE, pool(RUNS, "ask_people", size=2, seed=5), "needs the runs that were pooled; pass runs"),
    ],
)
def test_pools_with_unknown_probabilities_are_refused(whole, sample, sentence):
    with pytest.raises(ValueError, match=re.escape(sentence)):
        Draw.from_pools(whole, sample)


def test_other_runs_are_refused():
    sample = pool(RUNS, "ask_people", size=2, seed=5)
    with pytest.raises(ValueError, match=r"give the runs that were pooled, and their pool of strategy 'depth' to all"):
        Draw.from_pools(WHOLE, sample, RUNS[RUNS["system"] == "s"])
    reversed_ranks = RUNS.assign(score=-RUNS["score"])
    with pytest.raises(ValueError, match="the sample records the inclusion probability"):
        Draw.from_pools(WHOLE, sample, reversed_ranks)


@pytest.mark.slow
def test_draws_of_the_pools_of_dl19():
    runs = prepare(dl19_runs())
    whole = pool(runs, depth=10)
    for sample in (
        pool(runs, "random", size=20, depth=10, seed=1),
        pool(runs, "stratified", strata=[(3, 0.5), (10, 0.25)], seed=1),
        pool(runs, "ask_people", size=20, depth=10, seed=1),
    ):
        draw = Draw.from_pools(whole, sample, runs)
        assert len(draw.frame) == 2_495
        assert len(draw) == len(sample)
