"""The gain curve: relevant documents found by number judged."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pooling import gain_curve, replay
from tests.pooling.runs import lists, run

GRADES = st.lists(st.integers(0, 3), max_size=40)


def test_a_curve_by_hand():
    curve = gain_curve([0, 2, 1, 3], rel=2, n_relevant=4)
    assert curve.found.tolist() == [0, 0, 1, 1, 2]
    assert (curve.n_judged, curve.n_found, curve.recall) == (4, 2, 0.5)
    assert [curve.judgements_to(share) for share in (0.25, 0.3, 0.5, 0.75)] == [2, 4, 4, None]
    assert curve.to_frame()["share"].tolist() == [0, 0, 0.25, 0.25, 0.5]


def test_shares_of_those_found_if_the_total_is_unknown():
    curve = gain_curve([True, False, True])
    assert curve.recall is None
    assert (curve.judgements_to(0.5), curve.judgements_to(1)) == (1, 3)
    assert curve.to_frame()["share"].isna().all()


@given(GRADES, st.integers(1, 3))
def test_each_point_is_that_of_a_loop(grades, rel):
    found, expected = 0, [0]
    for grade in grades:
        found += grade >= rel
        expected.append(found)
    assert gain_curve(grades, rel=rel).found.tolist() == expected


@given(GRADES, st.floats(0.01, 1), st.integers(0, 5))
def test_the_judgements_to_a_share_are_the_first_that_suffice(grades, share, missing):
    total = sum(grade >= 1 for grade in grades) + missing
    curve = gain_curve(grades, n_relevant=total)
    first = curve.judgements_to(share)
    enough = [n for n in range(curve.n_judged + 1) if total and curve.found[n] >= share * total - 1e-9]
    assert first == (enough[0] if enough else None)


@given(GRADES)
def test_a_curve_never_falls_and_rises_by_one_at_most(grades):
    steps = np.diff(gain_curve(grades).found)
    assert set(steps.tolist()) <= {0, 1}


def test_the_curve_is_that_of_a_replay():
    runs = run([*lists(s="abc", t="bda"), *lists("2", s="xy", t="z")])
    gold = {"1": {"a": 2, "b": 0, "c": 1, "q": 1}, "2": {"x": 0, "y": 1}}
    replayed = replay("rrf", runs, gold, 4)
    for query_id, rows in replayed.judgements.groupby("query_id"):
        expected = replayed.by_topic.loc[replayed.by_topic["query_id"] == query_id, "found"].tolist()
        assert gain_curve(rows["relevance"]).found.tolist() == expected


def test_a_round_share_needs_no_more_than_its_number():
    # 0.07 * 100 is above 7 in floating point.
    assert gain_curve([1] * 100).judgements_to(0.07) == 7


def test_nothing_judged_and_nothing_relevant():
    assert gain_curve([]).found.tolist() == [0]
    assert gain_curve([0, 0]).judgements_to(0.8) is None
    assert gain_curve([0, 0], n_relevant=0).recall is None


def test_the_curve_shows_itself():
    curve = gain_curve([1, 0], n_relevant=3)
    assert repr(curve).splitlines()[0] == "GainCurve: 1 of 3 relevant found in 2 judgements"
    assert b"<svg" in curve.plot()._repr_svg_().encode()


@pytest.mark.parametrize(
    ("grades", "options", "message"),
    [
        ([1, None], {}, "relevance 2 must be a number from 0, not None"),
        ([float("nan")], {}, "relevance 1 must be a number from 0, not nan"),
        ([-1], {}, "relevance 1 must be a number from 0, not -1"),
        ([1], {"rel": "1"}, "rel must be a number, not '1'"),
        ([1, 1], {"n_relevant": 1}, "n_relevant must be at least 2, the number found, not 1"),
        ([1], {"n_relevant": 1.0}, "n_relevant must be a whole number from 0, not 1.0"),
    ],
)
def test_invalid_input_is_refused(grades, options, message):
    with pytest.raises(ValueError, match=f"^{message}$"):
        gain_curve(grades, **options)


@pytest.mark.parametrize("share", [0, 1.1, True, "0.8", float("nan")])
def test_an_invalid_share_is_refused(share):
    with pytest.raises(ValueError, match="share must be above 0 and at most 1"):
        gain_curve([1]).judgements_to(share)
