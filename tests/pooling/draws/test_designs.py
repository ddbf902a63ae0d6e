"""Draws of fixed size: by hand, by enumeration and simulation, their properties, and what they refuse."""

import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pooling.draws import draw_by_stratum, draw_two_stage
from pooling.strategies.lots import random_numbers
from tests.examples import examples
from tests.pooling.draws.pairs import SIZES, drawn_set, pairs


def with_grades():
    """Topic 1 has grades 0 0 0 1 1, topic 2 has 0 1."""
    return pairs(**{"1": 5, "2": 2}).assign(grade=[0, 0, 0, 1, 1, 0, 1])


def test_probabilities_by_hand():
    # Grade 0 has 4 pairs of which 2 are drawn, grade 1 has 3.
    draw = draw_by_stratum(with_grades(), 2, seed=1, strata="grade")
    probability = draw.frame.groupby("stratum")["inclusion_probability"].unique().map(list).to_dict()
    assert probability == {"0": [2 / 4], "1": [2 / 3]}
    assert draw.to_frame().values.tolist() == [["0", 4, 2], ["1", 3, 2]]
    # Kish: (4/2 + 3 * 2/3) * (4 * 2 + 3 * 3/2) / 49 = 4 * 12.5 / 49.
    assert draw.design_effect == pytest.approx(4 * 12.5 / 49, rel=1e-14)
    assert draw.expected_size == pytest.approx(4)


def test_two_stages_by_hand():
    # 1 of 2 topics; then of grade 0 one pair of 3 (topic 1) or all of 1 (topic 2); of grade 1 one of 2 or all of 1.
    draw = draw_two_stage(with_grades(), 1, 1, seed=4, strata="grade")
    expected = {"1 0": 1 / 2 / 3, "1 1": 1 / 2 / 2, "2 0": 1 / 2, "2 1": 1 / 2}
    assert draw.frame.groupby("stratum")["inclusion_probability"].first().to_dict() == expected
    assert len(draw) == 2
    assert set(draw.drawn["query_id"]) == set(draw.drawn_topics)


def test_sizes_by_stratum():
    draw = draw_by_stratum(with_grades(), {"0": 1, "1": 9}, seed=1, strata="grade")
    assert draw.to_frame()["n_drawn"].tolist() == [1, 3]
    assert draw.frame.loc[draw.frame["stratum"] == "1", "inclusion_probability"].eq(1).all()


def test_the_pairs_with_the_least_numbers_are_drawn():
    """An independent implementation of the draw."""
    frame = pairs(**{"1": 6, "2": 4})
    numbers = frame.assign(number=random_numbers(7, frame["query_id"], frame["doc_id"]))
    expected = numbers.sort_values("number").groupby("query_id").head(3)
    assert drawn_set(draw_by_stratum(frame, 3, seed=7)) == set(
        zip(expected["query_id"], expected["doc_id"], strict=True)
    )


def test_every_sample_is_as_likely():
    """All 10 samples of 2 of 5 pairs, in 1,000 topics: each is expected 100 times."""
    frame = pairs(**{str(number): 5 for number in range(1_000)})
    drawn = draw_by_stratum(frame, 2, seed=1).frame["drawn"].to_numpy().reshape(-1, 5)
    counts = np.unique(drawn, axis=0, return_counts=True)[1]
    assert len(counts) == 10
    # 9 degrees of freedom; 27.9 is the 99.9 % point of chi squared.
    assert ((counts - 100) ** 2 / 100).sum() < 27.9


@pytest.mark.slow
def test_the_estimate_of_a_total_is_unbiased_over_seeds():
    frame = with_grades()
    value = np.arange(1.0, 8.0)
    for make in (
        lambda seed: draw_by_stratum(frame, 1, seed=seed, strata="grade"),
        lambda seed: draw_two_stage(frame, 1, 1, seed=seed, strata="grade"),
    ):
        totals = []
        for seed in range(300):
            drawn = make(seed).frame
            totals.append((value * drawn["drawn"] / drawn["inclusion_probability"]).sum())
        error = np.std(totals, ddof=1) / np.sqrt(len(totals))
        assert abs(np.mean(totals) - value.sum()) < 4 * error


@pytest.mark.slow
@examples(40)
@given(SIZES, st.integers(1, 6), st.integers(0, 1_000), st.data())
def test_a_draw_is_fixed_nested_and_independent_of_the_order(sizes, size, seed, data):
    frame = pairs(**sizes)
    draw = draw_by_stratum(frame, size, seed=seed)
    assert draw.drawn.groupby("query_id").size().to_dict() == {name: min(size, n) for name, n in sizes.items()}
    assert drawn_set(draw) <= drawn_set(draw_by_stratum(frame, size + 1, seed=seed))
    shuffled = frame.iloc[data.draw(st.permutations(range(len(frame))))]
    pd.testing.assert_frame_equal(draw_by_stratum(shuffled, size, seed=seed).frame, draw.frame)
    assert draw.design_effect >= 1
    assert draw.expected_size == pytest.approx(len(draw))


@examples(40)
@given(SIZES, st.integers(1, 4), st.integers(1, 3), st.integers(0, 1_000))
def test_two_stages_are_nested(sizes, n_topics, size, seed):
    frame = pairs(**sizes)
    n_topics = min(n_topics, len(sizes))
    draw = draw_two_stage(frame, n_topics, size, seed=seed)
    assert len(draw.drawn_topics) == n_topics
    assert drawn_set(draw) == {
        pair for pair in drawn_set(draw_by_stratum(frame, size, seed=seed)) if pair[0] in draw.drawn_topics
    }
    more = draw_two_stage(frame, min(n_topics + 1, len(sizes)), size, seed=seed)
    assert set(draw.drawn_topics) <= set(more.drawn_topics)


def test_the_sentence_names_the_design():
    assert "3 of 7 pairs drawn, a fixed number of each of 2 strata (seed 1)." in repr(
        draw_by_stratum(with_grades(), {"1": 2, "2": 1}, seed=1)
    )
    one = draw_by_stratum(with_grades().assign(all="all"), 1, seed=1, strata="all")
    assert one._sentence() == "1 of 7 pairs drawn, a fixed number (seed 1)."
    two = draw_two_stage(with_grades(), 1, 1, seed=1)
    assert two._sentence() == "1 of 7 pairs drawn, a fixed number of each of 2 strata, in 1 drawn topic (seed 1)."


def test_one_pair_and_everything():
    assert draw_by_stratum(pairs(a=1), 1, seed=0).frame["inclusion_probability"].tolist() == [1]
    everything = draw_two_stage(pairs(a=2, b=2), 2, 9, seed=0)
    assert len(everything) == 4
    assert everything.frame["inclusion_probability"].eq(1).all()
    assert everything.design_effect == 1


def test_a_pair_that_is_repeated_is_one_pair():
    frame = pd.concat([with_grades(), with_grades()])
    assert len(draw_by_stratum(frame, 9, seed=1, strata="grade").frame) == 7


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"sizes": 0}, "the size of the stratum '1' must be a whole number from 1, not 0"),
        ({"sizes": {"1": 2}}, "The stratum '2' has no size."),
        ({"sizes": {"1": 2, "2": 1, "3": 1}}, "There is no stratum '3'. The strata are 1, 2."),
        ({"sizes": 2, "seed": -1}, "seed must be a whole number from 0, not -1"),
        (
            {"sizes": 2, "strata": "grades"},
            "need the column 'grades', which names the strata; the columns are query_id",
        ),
        ({"sizes": 2, "strata": "part"}, "document 'd1' of topic '1' has no value in the column 'part'"),
    ],
)
def test_invalid_draws_are_refused(options, sentence):
    frame = with_grades().assign(part=["x", None, *"xxxxx"])
    with pytest.raises(ValueError, match=re.escape(sentence)):
        draw_by_stratum(frame, **({"seed": 1} | options))


def test_a_pair_in_two_strata_is_refused():
    frame = pd.concat([with_grades(), with_grades().assign(grade=1)])
    with pytest.raises(ValueError, match="document 'd0' of topic '1' occurs twice among the pairs to draw from"):
        draw_by_stratum(frame, 1, seed=1, strata="grade")


def test_too_many_topics_and_no_pairs_are_refused():
    with pytest.raises(ValueError, match="n_topics must be at most 2, the number of topics, not 3"):
        draw_two_stage(with_grades(), 3, 1, seed=1)
    with pytest.raises(ValueError, match="There is no pair to draw from"):
        draw_by_stratum(with_grades().iloc[:0], 1, seed=1)
