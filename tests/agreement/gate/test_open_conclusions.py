"""Which comparisons could change: by hand, with the gate's own figures, by an oracle, by properties, degenerate."""

from itertools import product

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement import evaluate, open_conclusions
from pooling.inputs import as_gold
from tests.agreement.gate.small import gold_of, random_pair, run_of

IDS = ["query_id", "doc_id"]


def frame_of(**runs):
    rows = [
        (system, topic, doc, score)
        for system, topics in runs.items()
        for topic, docs in topics.items()
        for doc, score in docs.items()
    ]
    return pd.DataFrame(rows, columns=["system", "query_id", "doc_id", "score"])


def one_row(*arguments, **options):
    found = open_conclusions(*arguments, **options)
    assert len(found) == 1
    return found.iloc[0]


def test_by_hand():
    # s has r and u, t has r and v at ranks 1 and 2; u and v are not judged. P@2 of s minus that of t is 0; it is -0.5
    # if only v is relevant, and 0.5 if only u is.
    runs = frame_of(s=run_of({"1": "ru"}), t=run_of({"1": "rv"}))
    row = one_row(runs, {"1": {"r": 1}}, "P@2")
    assert (row["difference"], row["lowest"], row["highest"]) == (0, -0.5, 0.5)
    assert row["can_swap"]
    assert not row["can_change"]  # one topic has no interval


def test_a_hole_on_every_topic_can_make_a_difference_significant():
    # On 11 topics s has the unjudged u at rank 1. t has a, which is relevant on the last topic only. As judged, P@1
    # differs by 0 ten times and by -1 once: mean -0.09, deviation 0.30, interval -0.09 -+ 2.23 * 0.30 / 3.32. This
    # contains 0. If all u are relevant, it differs by 1 ten times and by 0 once: 0.91 -+ 0.20, which is above 0.
    topics = [str(number) for number in range(11)]
    runs = frame_of(s=run_of(dict.fromkeys(topics, "u")), t=run_of(dict.fromkeys(topics, "a")))
    gold = {topic: {"a": int(topic == "10")} for topic in topics}
    row = one_row(runs, gold, "P@1")
    assert row["highest"] == pytest.approx(10 / 11)
    assert row["lowest"] == pytest.approx(-1 / 11)
    assert row["can_swap"]
    assert row["can_change"]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("measure", ["P@3", "RR@3", "nDCG@3"])
def test_every_way_to_judge_is_within_the_bounds(seed, measure):
    *pair, gold = random_pair(seed, n_topics=1, n_docs=4, most=1)
    runs, known = frame_of(s=pair[0], t=pair[1]), as_gold(gold)
    row = one_row(runs, gold, measure, scale=(0, 1))
    judged = set(known["doc_id"])
    free = sorted(set(runs["doc_id"]) - judged)
    found = []
    for grades in product((0, 1), repeat=len(free)):
        more = pd.DataFrame({"query_id": "0", "doc_id": free, "relevance": grades})
        scores = evaluate(runs, pd.concat([known, more]) if free else known, measure).groupby("system")["value"].mean()
        found.append(scores["s"] - scores["t"])
    # Here, documents below rank 3 of both runs are free too. They change only nDCG, through its ideal ranking.
    assert min(found) <= row["lowest"] + 1e-9
    assert row["highest"] <= max(found) + 1e-9
    if measure != "nDCG@3":
        assert (row["lowest"], row["highest"]) == pytest.approx((min(found), max(found)))
    assert row["lowest"] - 1e-9 <= row["difference"] <= row["highest"] + 1e-9


@pytest.mark.slow
@given(st.integers(0, 1_000))
def test_the_other_way_round_has_the_opposite_sign(seed):
    *pair, gold = random_pair(seed)
    row = one_row(frame_of(s=pair[0], t=pair[1]), gold, "P@3")
    back = one_row(frame_of(s=pair[1], t=pair[0]), gold, "P@3")
    assert (row["can_swap"], row["can_change"]) == (back["can_swap"], back["can_change"])
    assert row["lowest"] == pytest.approx(-back["highest"])


def test_without_holes_nothing_can_change():
    runs = frame_of(s=run_of({"1": "ra", "2": "ab"}), t=run_of({"1": "ar", "2": "ra"}))
    row = one_row(runs, gold_of(2), "RR")
    assert row["lowest"] == row["difference"] == row["highest"]
    assert not row["can_swap"]
    assert not row["can_change"]


def test_a_measure_without_bounds_has_a_note():
    row = one_row(frame_of(s=run_of({"1": "ru"}), t=run_of({"1": "rv"})), {"1": {"r": 1, "a": 0}}, "Bpref")
    assert row["note"]
    assert pd.isna(row["can_swap"])


def test_new_systems_are_compared_with_all_and_others_not():
    runs = frame_of(a=run_of({"1": "r"}), b=run_of({"1": "a"}), new=run_of({"1": "u"}))
    found = open_conclusions(runs, gold_of(1), "P@1", ["new"])
    assert list(zip(found["system"], found["other"], strict=True)) == [("new", "a"), ("new", "b")]


def test_one_system_has_no_pair():
    assert open_conclusions(frame_of(a=run_of({"1": "r"})), gold_of(1), "P@1").empty


def test_unknown_systems_and_levels_are_refused():
    runs = frame_of(a=run_of({"1": "r"}), b=run_of({"1": "a"}))
    with pytest.raises(ValueError, match="'x'"):
        open_conclusions(runs, gold_of(1), "P@1", ["x"])
    with pytest.raises(ValueError, match="alpha"):
        open_conclusions(runs, gold_of(1), "P@1", alpha=1)
