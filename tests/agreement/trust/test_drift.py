"""Answers of a model judge before and after: by hand, another implementation, properties, little data, refusals."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from agreement import ranking_shift
from agreement.trust import drift, repeat_agreement
from tests.agreement.trust.judged_runs import PAIR, judged_runs
from tests.examples import examples

SCALE = (0, 1, 2, 3)
RUNS, PEOPLE, MODELS = judged_runs(n_systems=6, n_topics=12)
REPEATS = pd.concat([gold.assign(repeat=number) for number, gold in enumerate(PEOPLE.values())])


def gold_of(*topics):
    """The grades of topics, a sequence each; None cannot judge."""
    rows = [(f"t{t}", f"d{d}", grade) for t, grades in enumerate(topics) for d, grade in enumerate(grades)]
    return pd.DataFrame(rows, columns=[*PAIR, "relevance"])


def row(found, figure):
    return found.frame.set_index("figure").loc[figure]


BEFORE = gold_of([0, 1, 2], [3, 0, None], [1, 1, 1, 1], [None, 2])
AFTER = gold_of([0, 2, 3], [0, None, 1], [1, 1, 1, 2], [None, 2])


def test_by_hand():
    found = drift(BEFORE, AFTER, SCALE)
    # 3 + 1 + 4 + 1 pairs with both grades; 2, 1, 1 and 0 of them changed
    assert (row(found, "changed")["n"], row(found, "changed")["n_topics"]) == (9, 4)
    assert row(found, "changed")["value"] == pytest.approx(4 / 9)
    # means of the topics: 2/3, -3, 1/4, 0
    assert row(found, "difference")["value"] == pytest.approx((2 / 3 - 3 + 1 / 4 + 0) / 4)
    assert found.n_without == {"before": 1, "after": 1, "both": 1}
    assert found.changes.iloc[0].tolist() == ["t1", "d0", 3, 0]
    assert len(found.changes) == 4
    counts = found.confusion.set_index(["before", "after"])["n"]
    assert (counts[1, 2], counts[2, 3], counts[3, 0], counts[1, 1], counts.sum()) == (2, 1, 1, 3, 9)
    assert len(counts) == 16
    text = found.summary()
    assert text.startswith("4 of 9 grades changed (44.4%; 95% interval ")
    assert text.endswith(
        "How many grades repeats alone would change is not known. Without a grade: 1 pair only before, 1 pair only"
        " after, 1 pair both times."
    )


def test_the_interval_of_the_difference_is_that_of_students_t():
    both = PEOPLE["p0"].merge(MODELS["good"], on=PAIR)
    both["difference"] = both["relevance_y"] - both["relevance_x"]
    values = both.groupby("query_id")["difference"].mean()
    widest = max(stats.sem(sample) * stats.t.ppf(0.95, len(sample) - 1) for sample in (values, both["difference"]))
    found = row(drift(PEOPLE["p0"], MODELS["good"], SCALE, confidence=0.9), "difference")
    assert found["value"] == pytest.approx(values.mean())
    assert (found["high"] - found["low"]) / 2 == pytest.approx(widest)


def test_repeats_alone_change_what_they_change():
    """Each asking differs from the next as two repeats do, so that nothing is left beyond them on average."""
    both = ((0, 1), (0, 2), (1, 2))
    found = [drift(PEOPLE[f"p{a}"], PEOPLE[f"p{b}"], SCALE, repeats=REPEATS) for a, b in both]
    alone = 1 - repeat_agreement(REPEATS, SCALE).identical.value
    assert [row(one, "repeats")["value"] for one in found] == pytest.approx([alone] * 3)
    assert np.mean([row(one, "beyond repeats")["value"] for one in found]) == pytest.approx(0)
    assert not any(one.is_beyond_repeats for one in found)
    assert "Repeats alone may explain the changes: they change" in found[0].summary()


def test_a_changed_model_changes_more_than_repeats():
    found = drift(PEOPLE["p0"], MODELS["reverse"], SCALE, repeats=repeat_agreement(REPEATS, SCALE))
    assert found.is_beyond_repeats
    assert "More changed than repeats alone change: they change" in found.summary()


def test_only_pairs_that_were_repeated_are_compared_with_repeats():
    found = drift(PEOPLE["p0"], PEOPLE["p1"], SCALE, repeats=REPEATS[REPEATS["query_id"] < "t05"])
    assert (row(found, "repeats")["n"], row(found, "beyond repeats")["n_topics"]) == (100, 5)
    other = drift(
        PEOPLE["p0"],
        PEOPLE["p1"],
        SCALE,
        repeats=REPEATS.assign(doc_id="another"[:5]).drop_duplicates(["query_id", "doc_id", "repeat"]),
    )
    assert other.is_beyond_repeats is None
    assert "is not known (no pair was also asked repeatedly)" in other.summary()


@pytest.mark.slow
@examples(30)
@given(
    st.lists(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=6), min_size=1, max_size=6)
)
def test_the_other_direction_has_the_opposite_difference(topics):
    first, second = (gold_of(*[[pair[side] for pair in topic] for topic in topics]) for side in (0, 1))
    forth, back = drift(first, second, SCALE), drift(second, first, SCALE)
    assert row(forth, "changed")["value"] == row(back, "changed")["value"]
    assert row(forth, "difference")["value"] == pytest.approx(-row(back, "difference")["value"])
    assert len(forth.changes) == round(row(forth, "changed")["value"] * row(forth, "changed")["n"])
    if not pd.isna(row(forth, "difference")["low"]):
        assert row(forth, "difference")["low"] == pytest.approx(-row(back, "difference")["high"])


def test_the_ranking_is_that_of_the_replaced_gold():
    anchor = MODELS["good"].groupby("query_id").head(5)
    later = anchor.assign(relevance=3 - anchor["relevance"])
    found = drift(anchor, later, SCALE, runs=RUNS, gold=MODELS["good"], measure="nDCG@10")
    replaced = pd.concat([MODELS["good"].merge(anchor[PAIR], how="left_anti", on=PAIR), later])
    golds = {"before": MODELS["good"], "after": replaced}
    expected = ranking_shift(RUNS, golds, "nDCG@10")
    pd.testing.assert_frame_equal(found.shift.ranks, expected.ranks)
    assert found.shift.pair("before", "after").tau_b == expected.pair("before", "after").tau_b
    assert f"Ranking: {expected.headline()}" in found.summary()
    assert found.tables()["ranking"]["tau_b"].tolist() == [expected.pair("before", "after").tau_b.value]
    alone = drift(anchor, later, SCALE, runs=RUNS)
    assert len(alone.shift.judged)
    assert alone.shift.judged["judged"].sum() < found.shift.judged["judged"].sum()


def test_a_measure_that_needs_the_scale_has_it():
    found = drift(PEOPLE["p0"], PEOPLE["p1"], SCALE, runs=RUNS, measure="ERR@10")
    expected = ranking_shift(RUNS, {"a": PEOPLE["p0"], "b": PEOPLE["p1"]}, "ERR@10", scale=SCALE)
    assert found.shift.ranks["score"].tolist() == expected.ranks["score"].tolist()


def test_no_change_has_an_interval_of_the_share_and_none_of_the_difference():
    found = drift(PEOPLE["p0"], PEOPLE["p0"], SCALE)
    assert row(found, "changed")["value"] == 0
    assert row(found, "changed")["low"] == 0 < row(found, "changed")["high"]
    assert row(found, "difference")["reason"] == "the same for all pairs"
    assert found.summary().startswith("0 of 240 grades changed (0.0%; 95% interval 0.0% to ")


def test_two_topics_have_no_interval_of_the_difference():
    found = drift(gold_of([0, 1], [2, 3]), gold_of([1, 1], [2, 2]), SCALE)
    assert row(found, "difference")["reason"] == "fewer than 3 topics"
    assert "Later grades differ by +0.00 on average." in found.summary()


@pytest.mark.parametrize("runs", [None, RUNS])
def test_a_model_that_no_longer_judges_is_undefined(runs):
    nothing = PEOPLE["p0"].assign(relevance=-1)
    found = drift(PEOPLE["p0"], nothing, SCALE, repeats=REPEATS, runs=runs)
    assert found.frame["value"].isna().all()
    assert found.shift is None
    assert found.summary().startswith("Whether grades changed is undefined (no overlap).")
    assert "240 pairs only before" not in found.summary()
    assert found.n_without == {"before": 0, "after": 240, "both": 0}


def test_change_of_every_grade_has_an_interval():
    changed = row(drift(gold_of([0, 1, 0, 1]), gold_of([1, 0, 1, 0]), SCALE), "changed")
    assert changed["value"] == changed["high"] == 1
    assert changed["low"] == pytest.approx(4 / (4 + 1.959964**2))  # 1 - z² / (n + z²)


def test_one_pair_has_no_interval():
    found = drift(gold_of([0]), gold_of([1]), SCALE)
    assert row(found, "changed")["reason"] == "one pair"
    assert found.summary().startswith("1 of 1 grade changed (100.0%; 1 topic).")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"before": BEFORE.drop(columns="relevance")}, "The grades before need the columns .*; missing: relevance"),
        ({"after": AFTER[:0]}, "The grades after have no rows"),
        (
            {"after": AFTER.assign(doc_id="x").drop_duplicates(PAIR)},
            "no pair in common: before has topic t0, document d0",
        ),
        ({"after": AFTER.assign(relevance=7)}, "A grade is not on the scale 0, 1, 2, 3"),
        ({"after": pd.concat([AFTER, AFTER])}, "judged twice"),
        ({"scale": ("no", "yes")}, "must have numbers, so that grades have a difference, not 'no'"),
        ({"gold": BEFORE}, "gold is for the ranking of systems and needs runs"),
        ({"confidence": 2}, "confidence must be between 0 and 1"),
        ({"repeats": BEFORE}, "missing: repeat"),
        ({"runs": RUNS, "measure": "nonsense"}, "nonsense"),
    ],
)
def test_refusals(options, message):
    with pytest.raises(ValueError, match=message):
        drift(**{"before": BEFORE, "after": AFTER, "scale": SCALE} | options)
