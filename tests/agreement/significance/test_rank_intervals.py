"""Intervals of ranks: by hand, from tables, against all draws enumerated, properties, and where there is none."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement.effectiveness.judge_scores import scores_by_judge
from agreement.rank_correlation import competition_ranks
from agreement.significance import power_of_comparison
from agreement.significance.rank_intervals import rank_intervals, rank_intervals_with_judges
from tests.agreement.effectiveness.test_judge_scores import JUDGEMENTS, RUNS, random_collection
from tests.agreement.significance.test_paired_tests import random_scores, table
from tests.examples import examples

COLUMNS = ["system", "score", "rank", "low", "high", "share_top", "reason"]


def exact(draws: list[tuple[float, np.ndarray]], confidence: float) -> tuple[list, list, list]:
    """Low, high and share at the top from all draws, each with its probability and the mean scores."""
    chances = np.array([chance for chance, _ in draws])
    ranks = np.array([competition_ranks(means) for _, means in draws])

    def quantile(column, end):
        return next(r for r in range(1, len(ranks[0]) + 1) if chances[column <= r].sum() >= end - 1e-12)

    low = [quantile(column, (1 - confidence) / 2) for column in ranks.T]
    high = [quantile(column, (1 + confidence) / 2) for column in ranks.T]
    return low, high, (chances @ (ranks == 1)).tolist()


def test_by_hand():
    # draws of (q0, q1): a is ahead on q0 twice (1/4: 1 to 0) and on one of each (1/2: 0.5 to 0.25), behind on q1 twice
    frame = rank_intervals(table([[1, 0], [0, 0.5]]), draws=20_000, seed=1)

    assert frame.columns.tolist() == COLUMNS
    assert frame["system"].tolist() == ["s0", "s1"]
    assert frame["score"].tolist() == [0.5, 0.25]
    assert frame["rank"].tolist() == [1, 2]
    assert frame["share_top"].tolist() == pytest.approx([3 / 4, 1 / 4], abs=0.01)
    assert frame[["low", "high"]].to_numpy().tolist() == [[1, 2], [1, 2]]
    assert frame["reason"].isna().all()
    note = frame.attrs.pop("note")
    assert frame.attrs == {"resampled": "topics", "n_topics": 2, "draws": 20_000, "seed": 1, "confidence": 0.95}
    # the differences 1 and -0.5 have the standard deviation 1.5 / sqrt(2), the standard error is 1.5 / 2
    assert note.startswith("With 2 topics, fewer than 50, a true difference of ")
    assert note.endswith("at level 0.05 before correction, with a standard error of 0.750.")


def test_tied_systems_share_the_top():
    # (q0, q1) once each ties the two: both are at rank 1 then, with chance 1/2
    frame = rank_intervals(table([[1, 0], [0, 1]]), draws=20_000, seed=2)

    assert frame["rank"].tolist() == [1, 1]
    assert frame["share_top"].tolist() == pytest.approx([3 / 4, 3 / 4], abs=0.01)


def test_share_at_the_top_from_a_binomial_table():
    # ahead by 1 on 7 of 10 topics, behind by 1 on 3: at the top with 5 or more wins of 10 at 0.7, in tables 0.9527
    frame = rank_intervals(table([[1] * 7 + [0] * 3, [0] * 7 + [1] * 3]), draws=50_000, seed=3)

    assert frame["share_top"][0] == pytest.approx(0.9527, abs=0.003)
    # 5 or fewer wins put the other at the top: 0.1503
    assert frame["share_top"][1] == pytest.approx(0.1503, abs=0.005)


@pytest.mark.parametrize("confidence", [0.5, 0.8, 0.95])
def test_against_all_draws(confidence):
    scores = random_scores(4, 5, 5, 10)
    draws = [(5**-5, scores[:, list(topics)].mean(axis=1)) for topics in product(range(5), repeat=5)]
    low, high, top = exact(draws, confidence)
    frame = rank_intervals(table(scores), draws=40_000, seed=5, confidence=confidence)

    assert frame["share_top"].tolist() == pytest.approx(top, abs=0.01)
    assert frame["low"].tolist() == low
    assert frame["high"].tolist() == high


def test_limits_of_a_few_draws_against_a_slow_twin():
    # of 4 draws in order, 1/4 ends with the first and 3/4 with the third
    scores = random_scores(12, 8, 6)
    times = np.random.default_rng(13).multinomial(6, np.full(6, 1 / 6), 4)
    drawn = [competition_ranks(np.repeat(scores, row, axis=1).mean(axis=1)) for row in times]
    frame = rank_intervals(table(scores), draws=4, seed=13, confidence=0.5)

    assert frame["low"].tolist() == np.sort(drawn, axis=0)[0].tolist()
    assert frame["high"].tolist() == np.sort(drawn, axis=0)[2].tolist()
    assert frame["share_top"].tolist() == np.mean(np.array(drawn) == 1, axis=0).tolist()


def test_the_order_of_topics_changes_nothing():
    scores = pd.DataFrame(np.random.default_rng(1).random((4, 20)), list("abcd"), [f"q{n}" for n in range(20)])
    expected = rank_intervals(scores, draws=500, seed=1)
    long = scores.rename_axis("system").rename_axis(columns="query_id").stack().rename("value").reset_index()

    for same in (scores.iloc[:, ::-1], long):
        intervals = rank_intervals(same, draws=500, seed=1)
        pd.testing.assert_frame_equal(intervals, expected, check_exact=True, check_names=False)


def test_with_judges_against_all_draws():
    runs, judgements = random_collection(6, n_topics=3)
    found = scores_by_judge(runs, judgements, "AP")
    n_judges = found.judged.sum(axis=1)
    cells = [(1 / (3 * n_judges[t]), found.scores[:, t, j]) for t, j in zip(*np.nonzero(found.judged), strict=True)]
    draws = [
        (np.prod([chance for chance, _ in drawn]), np.mean([scores for _, scores in drawn], axis=0))
        for drawn in product(cells, repeat=3)
    ]
    low, high, top = exact(draws, 0.8)
    frame = rank_intervals_with_judges(runs, judgements, "AP", draws=40_000, seed=7, confidence=0.8)

    assert len(set(n_judges)) > 1
    assert frame["share_top"].tolist() == pytest.approx(top, abs=0.01)
    assert frame["low"].tolist() == low
    assert frame["high"].tolist() == high
    means = [sum(chance * scores[s] for chance, scores in cells) for s in range(4)]
    assert frame["score"].tolist() == pytest.approx(means, abs=1e-12)


def test_with_judges_by_hand():
    # q1 is judged by x (a 1, b 0) and y (a 1/2, b 1), q2 by y (a 0, b 1)
    frame = rank_intervals_with_judges(RUNS, JUDGEMENTS, "AP(rel=1)", draws=20_000, seed=8)

    # means over the judges: q1 a 3/4, b 1/2; q2 a 0, b 1
    assert frame["score"].tolist() == [3 / 8, 3 / 4]
    # a is alone at the top with q1 twice by x (1/16), or once by x and once by y (1/8: 1.5 to 1);
    # q1 by x and q2 (1/4) ties at 1 each
    assert frame["share_top"].tolist() == pytest.approx([7 / 16, 13 / 16], abs=0.01)
    assert frame.attrs["resampled"] == "topics and judges"
    assert frame.attrs["judges"] == ("x", "y")
    assert frame.attrs["measure"] == "AP"


def test_with_one_judge_only_the_topics_are_drawn():
    runs, judgements = random_collection(9, judges="u")
    found = scores_by_judge(runs, judgements, "AP")
    alone = rank_intervals_with_judges(runs, judgements, "AP", draws=500, seed=10)
    topics = rank_intervals(pd.DataFrame(found.scores[:, :, 0], index=list(found.systems)), draws=500, seed=10)

    pd.testing.assert_frame_equal(alone, topics, check_names=False)


def test_results_depend_on_the_seed_only():
    scores = table(random_scores(11, 6, 12))
    first, again, other = (rank_intervals(scores, draws=200, seed=seed) for seed in (1, 1, 2))

    pd.testing.assert_frame_equal(first, again)
    assert first["share_top"].tolist() != other["share_top"].tolist()


tables = st.tuples(st.integers(1, 6), st.integers(2, 6), st.integers(0, 99))


@examples(50)
@given(tables)
def test_limits_are_ranks_and_some_system_is_always_at_the_top(shape):
    n_systems, n_topics, seed = shape
    scores = table(np.random.default_rng(seed).integers(3, size=(n_systems, n_topics)))
    frame, wider = (rank_intervals(scores, draws=100, seed=3, confidence=confidence) for confidence in (0.5, 0.9))

    assert (frame["low"] >= 1).all()
    assert (frame["high"] <= n_systems).all()
    assert (wider["low"] <= frame["low"]).all()
    assert (frame["low"] <= frame["high"]).all()
    assert (frame["high"] <= wider["high"]).all()
    assert frame["share_top"].sum() >= 1 - 1e-12
    assert frame["rank"].tolist() == competition_ranks(scores.mean(axis=1)).tolist()


def test_a_system_that_wins_every_topic_has_rank_1():
    frame = rank_intervals(table([[0.9, 0.8, 0.7], [0.1, 0.2, 0.3]]), draws=100, seed=1)

    assert frame[["rank", "low", "high", "share_top"]].to_numpy().tolist() == [[1, 1, 1, 1], [2, 2, 2, 0]]


def test_one_topic_has_no_limits():
    frame = rank_intervals(table([[0.9], [0.1]]), seed=1)

    assert frame["rank"].tolist() == [1, 2]
    assert frame[["low", "high", "share_top"]].isna().all(axis=None)
    assert frame["reason"].tolist() == ["one_topic", "one_topic"]


def test_no_topic_and_no_system():
    none = rank_intervals(table(np.ones((2, 0))), seed=1)
    assert none["reason"].tolist() == ["no_topics", "no_topics"]
    assert none[["score", "rank", "low", "high", "share_top"]].isna().all(axis=None)
    assert rank_intervals_with_judges(RUNS, JUDGEMENTS[:0], "AP", seed=1)["reason"].tolist() == ["no_topics"] * 2
    empty = rank_intervals(table(np.ones((0, 3))), seed=1)
    assert empty.empty
    assert empty.columns.tolist() == COLUMNS


@pytest.mark.parametrize(
    ("invalid", "sentence"),
    [
        ({}, "Resampling is random and needs a seed"),
        ({"seed": 1, "draws": 0}, "draws must be a whole number of at least 1, not 0"),
        ({"seed": 1, "draws": float("nan")}, "draws must be a whole number of at least 1, not nan"),
        ({"seed": -1}, "seed must be a whole number of at least 0, not -1"),
        ({"seed": 1, "confidence": 1}, "confidence must be between 0 and 1, such as 0.95, not 1"),
        ({"seed": 1, "confidence": "0.95"}, "confidence must be between 0 and 1, such as 0.95, not '0.95'"),
    ],
)
def test_invalid_options_are_refused(invalid, sentence):
    with pytest.raises(ValueError, match=sentence):
        rank_intervals(table([[1, 0], [0, 1]]), **invalid)
    with pytest.raises(ValueError, match=sentence):
        rank_intervals_with_judges(RUNS, JUDGEMENTS, "AP", **invalid)


def test_few_topics_are_noted_and_the_note_is_visible():
    scores = np.random.default_rng(4).random((3, 50))
    assert rank_intervals(table(scores), draws=10, seed=1).attrs["note"] is None
    few = table(scores[:, :49])
    frame = rank_intervals(few, draws=10, seed=1, confidence=0.9)
    assert frame.attrs["note"] == power_of_comparison(few, alpha=0.1).note
    assert "Note: With 49 topics, fewer than 50, a true difference of" in " ".join(repr(frame).split())


def test_the_note_with_judges_uses_the_mean_over_the_judges_of_a_topic():
    frame = rank_intervals_with_judges(RUNS, JUDGEMENTS, "AP", draws=10, seed=1)
    cube = scores_by_judge(RUNS, JUDGEMENTS, "AP")
    means = np.where(cube.judged, cube.scores, 0).sum(axis=2) / cube.judged.sum(axis=1)
    assert frame.attrs["note"] == power_of_comparison(pd.DataFrame(means)).note
    assert "fewer than 50" in frame.attrs["note"]


def test_invalid_tables_are_refused():
    with pytest.raises(ValueError, match="Every system must occur once in the scores, but 's0' occurs twice"):
        rank_intervals(table([[1, 0], [0, 1]]).rename(index={"s1": "s0"}), seed=1)
