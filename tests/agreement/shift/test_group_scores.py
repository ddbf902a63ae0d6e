"""Groups of runs: by hand, published, against pandas, properties, and degenerate data."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement import group_scores, ranking_shift
from agreement.reasons import REASONS
from tests.agreement.significance.test_paired_tests import SLEEP

SCORES = {
    "a-1": {"1": 0.2, "2": 0.4},  # mean 0.3
    "a-2": {"1": 0.5, "2": 0.5},  # 0.5
    "a-3": {"1": 0.9, "2": 0.5},  # 0.7
    "b": {"1": 0.6, "2": 0.6},  # 0.6
    "c-1": {"1": 0.4, "2": 0.6},  # 0.5
    "c-2": {"1": 0.5, "2": 0.5},  # 0.5
}
GROUPS = {"a-1": "a", "a-2": "a", "a-3": "a", "c-1": "c", "c-2": "c"}


def rows(frame: pd.DataFrame) -> dict:
    return {row["group"]: row for row in frame.to_dict("records")}


# By hand


def test_mean_spread_and_rank_by_hand():
    # a: mean (0.3 + 0.5 + 0.7) / 3 = 0.5, sd = sqrt((0.04 + 0 + 0.04) / 2) = 0.2; c: mean 0.5, sd 0
    frame = group_scores(SCORES, GROUPS)
    assert frame["group"].tolist() == ["b", "a", "c"]
    assert frame["n_runs"].tolist() == [1, 3, 2]
    assert frame["mean"].tolist() == pytest.approx([0.6, 0.5, 0.5])
    assert frame["rank"].tolist() == [1, 2, 2]
    assert frame["sd"].tolist()[1:] == pytest.approx([0.2, 0])
    assert frame["lowest"].tolist() == pytest.approx([0.6, 0.3, 0.5])
    assert frame["highest"].tolist() == pytest.approx([0.6, 0.7, 0.5])
    assert pd.isna(frame["sd"][0])
    assert frame["reason"][0] == "one_run"
    assert frame["reason"][1:].isna().all()
    assert frame.attrs == {"n_topics": 2}


def test_lowest_mean_is_best_if_lower_is_better():
    frame = group_scores(SCORES, GROUPS, lower_is_better=True)
    assert dict(zip(frame["group"], frame["rank"], strict=True)) == {"a": 1, "c": 1, "b": 3}


# Published


def test_means_and_spreads_of_student():
    """Hours of sleep gained with two drugs (Student 1908): means 0.75 and 2.33, R's sd(extra) 1.789010 and 2.002249."""
    drugs = dict(zip(("first", "second"), SLEEP, strict=True))
    scores = {f"{drug}-{n}": {"sleep": hours} for drug, all_hours in drugs.items() for n, hours in enumerate(all_hours)}
    by_drug = rows(group_scores(scores, {name: name.partition("-")[0] for name in scores}))
    first, second = by_drug["first"], by_drug["second"]
    assert (first["mean"], second["mean"]) == pytest.approx((0.75, 2.33))
    assert (first["sd"], second["sd"]) == pytest.approx((1.789010, 2.002249), abs=1e-6)
    assert (first["rank"], second["rank"]) == (2, 1)


# Another program


def test_figures_are_those_of_pandas():
    rng = np.random.default_rng(3)
    scores = pd.DataFrame(rng.random((40, 25)), index=[f"run{number}" for number in range(40)])
    scores.columns = [str(topic) for topic in range(25)]
    groups = {name: f"system{rng.integers(8)}" for name in scores.index[:30]}
    frame = group_scores(scores, groups).set_index("group")
    by_group = scores.mean(axis=1).groupby([groups.get(name, name) for name in scores.index])
    expected = by_group.agg(["count", "mean", "std", "min", "max"]).loc[frame.index]
    assert frame["n_runs"].tolist() == expected["count"].tolist()
    for name, other in (("mean", "mean"), ("lowest", "min"), ("highest", "max")):
        assert frame[name].astype(float).tolist() == pytest.approx(expected[other].tolist())
    assert frame["sd"].to_numpy(float, na_value=np.nan) == pytest.approx(expected["std"].to_numpy(), nan_ok=True)
    assert frame["rank"].tolist() == expected["mean"].rank(ascending=False, method="min").astype(int).tolist()


# Properties

tables = st.integers(1, 6).flatmap(
    lambda topics: st.lists(st.lists(st.floats(0, 1), min_size=topics, max_size=topics), min_size=1, max_size=8)
)


@given(tables, st.lists(st.sampled_from(["x", "y", "z"]), min_size=8, max_size=8), st.randoms())
def test_order_of_runs_and_a_shift_do_not_matter(table, names, random):
    scores = {
        f"run{row}": {str(topic): score for topic, score in enumerate(values)} for row, values in enumerate(table)
    }
    groups = dict(zip(scores, names, strict=False))
    frame = group_scores(scores, groups)
    assert frame["n_runs"].sum() == len(scores)
    several = frame[frame["n_runs"] > 1]
    assert (several["sd"] >= 0).all()
    assert ((frame["lowest"] <= frame["mean"] + 1e-12) & (frame["mean"] <= frame["highest"] + 1e-12)).all()
    assert (several["sd"] <= (several["highest"] - several["lowest"]) + 1e-12).all()
    order = list(scores)
    random.shuffle(order)
    again = group_scores({name: scores[name] for name in order}, groups)
    assert rows(again).keys() == rows(frame).keys()
    assert again["mean"].tolist() == pytest.approx(frame["mean"].tolist(), abs=1e-9)
    moved = {name: {topic: score + 2 for topic, score in values.items()} for name, values in scores.items()}
    for group, row in rows(group_scores(moved, groups)).items():
        before = rows(frame)[group]
        assert row["mean"] == pytest.approx(before["mean"] + 2)
        assert row["n_runs"] == 1 or row["sd"] == pytest.approx(before["sd"], abs=1e-9)


# Degenerate data


def test_without_groups_every_run_is_one():
    frame = group_scores(SCORES, {})
    assert frame["n_runs"].tolist() == [1] * 6
    assert set(frame["reason"]) == {"one_run"}
    assert frame["group"].tolist() == ["a-3", "b", "a-2", "c-1", "c-2", "a-1"]


def test_equal_runs_have_no_spread():
    scores = {f"s{seed}": {"1": 0.1, "2": 0.3, "3": 0.7} for seed in range(7)}
    frame = group_scores(scores, dict.fromkeys(scores, "s"))
    assert frame["sd"].tolist() == [0]
    assert frame["rank"].tolist() == [1]


def test_one_topic_and_one_run():
    frame = group_scores({"a": {"1": 0.5}}, {"a": "g"})
    assert frame.drop(columns="sd").to_dict("records") == [
        {"group": "g", "n_runs": 1, "mean": 0.5, "lowest": 0.5, "highest": 0.5, "rank": 1, "reason": "one_run"}
    ]


def test_no_topic_and_no_run():
    frame = group_scores(pd.DataFrame(index=["a", "b", "c"]), {"a": "g", "b": "g"})
    assert frame[["group", "n_runs", "reason"]].to_numpy().tolist() == [["c", 1, "no_topics"], ["g", 2, "no_topics"]]
    assert frame[["mean", "sd", "lowest", "highest", "rank"]].isna().all(axis=None)
    empty = group_scores(pd.DataFrame(columns=["1"]), {})
    assert len(empty) == 0
    assert list(empty.columns) == list(frame.columns)


def test_every_reason_has_words():
    assert {"one_run", "no_topics"} <= REASONS.keys()


@pytest.mark.parametrize(
    ("groups", "problem"),
    [
        ({"a-9": "a"}, "The group 'a' names the run 'a-9', which has no scores."),
        ({"a-1": "b"}, "The group 'b' has the name of a run that is not in it; rename the group."),
    ],
)
def test_unclear_groups_are_refused(groups, problem):
    with pytest.raises(ValueError, match=problem):
        group_scores(SCORES, groups)


def test_a_group_may_have_the_name_of_one_of_its_runs():
    assert rows(group_scores(SCORES, {"b": "b", "a-1": "b"}))["b"]["n_runs"] == 2


@pytest.mark.parametrize("score", [float("nan"), float("inf")])
def test_scores_that_are_no_numbers_are_refused(score):
    with pytest.raises(ValueError, match="score"):
        group_scores({"a": {"1": score}, "b": {"1": 0.5}}, {})


# In a ranking shift

RUNS = pd.DataFrame(
    [
        (system, topic, doc_id, -rank)
        for system, order in (("s-1", "abc"), ("s-2", "bac"), ("t", "cab"))
        for topic in ("1", "2")
        for rank, doc_id in enumerate(order)
    ],
    columns=["system", "query_id", "doc_id", "score"],
)


def gold(*pairs) -> pd.DataFrame:
    return pd.DataFrame([(*pair, 1) for pair in pairs], columns=["query_id", "doc_id", "relevance"])


def test_shift_has_the_groups_of_every_gold_on_its_topics():
    golds = {"ada": gold(("1", "a"), ("2", "a")), "bob": gold(("1", "c"))}
    shift = ranking_shift(RUNS, golds, "RR")
    frame = shift.groups_frame({"s-1": "s", "s-2": "s"})
    assert frame["gold"].tolist() == ["ada", "ada", "bob", "bob"]
    assert frame["n_topics"].tolist() == [2, 2, 1, 1]
    # Under ada, a is at ranks 1, 2 and 2: RR 1, 1/2, 1/2. Under bob, c is at 3, 3 and 1.
    assert frame["group"].tolist() == ["s", "t", "t", "s"]
    assert frame["mean"].tolist() == pytest.approx([3 / 4, 1 / 2, 1, 1 / 3])
    assert frame["sd"].tolist()[::3] == pytest.approx([1 / 8**0.5, 0])


def test_shift_uses_its_own_groups_or_refuses():
    golds = {"ada": gold(("1", "a"), ("2", "a"))}
    own = ranking_shift(RUNS, golds, "RR", groups={"s-1": "s", "s-2": "s", "t": "t"})
    assert own.groups_frame()["n_runs"].tolist() == [2, 1]
    with pytest.raises(ValueError, match="computed without groups"):
        ranking_shift(RUNS, golds, "RR").groups_frame()
