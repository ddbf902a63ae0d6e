"""Assignments: enough assessors per task, even loads, stable existing assignments, and reproducibility by seed."""

import re
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pooling import assign
from pooling.assignment import Assignment, by_topic, overlap, overlap_sample

SITUATIONS = st.fixed_dictionaries(
    {
        "tasks": st.lists(st.integers(0, 4), max_size=40),
        "assessors": st.integers(3, 6),
        "policy": st.builds(lambda policy, k: policy(k), st.sampled_from([overlap, by_topic]), st.integers(1, 3)),
        "seed": st.integers(0, 2**64),
    }
)


def assessors_by_task(plan):
    assessors = defaultdict(list)
    for each in plan:
        assessors[each.task].append(each.assessor)
    return assessors


def loads(plan, assessors):
    count = Counter(each.assessor for each in plan)
    return [count[assessor] for assessor in range(assessors)]


def pairs(plan):
    return [(each.task, each.assessor) for each in plan]


@given(SITUATIONS)
def test_every_task_gets_its_number_of_different_assessors(situation):
    assessors = assessors_by_task(assign(**situation))
    assert sorted(assessors) == list(range(len(situation["tasks"])))
    assert all(len(set(each)) == len(each) == situation["policy"].k for each in assessors.values())


@given(SITUATIONS)
def test_loads_differ_by_at_most_one_unless_topics_are_kept_together(situation):
    plan = assign(**{**situation, "policy": overlap(situation["policy"].k)})
    each = loads(plan, situation["assessors"])
    assert max(each) - min(each) <= 1


@given(SITUATIONS)
def test_by_topic_all_tasks_of_a_topic_have_the_same_assessors(situation):
    assessors = assessors_by_task(assign(**{**situation, "policy": by_topic(situation["policy"].k)}))
    teams = defaultdict(set)
    for task, topic in enumerate(situation["tasks"]):
        teams[topic].add(frozenset(assessors[task]))
    assert all(len(team) == 1 for team in teams.values())


@given(SITUATIONS)
def test_the_same_seed_gives_the_same_assignment(situation):
    assert assign(**situation) == assign(**situation)


@given(SITUATIONS, st.integers(0, 40))
def test_adding_tasks_and_assessors_keeps_existing_assignments(situation, first):
    tasks, assessors = situation["tasks"], situation["assessors"]
    before = assign(**{**situation, "tasks": tasks[:first]})
    after = assign(**{**situation, "assessors": assessors + 1}, existing=pairs(before))
    assert not set(pairs(before)) & set(pairs(after))
    both = assessors_by_task([*before, *after])
    assert all(len(set(both[task])) == len(both[task]) == situation["policy"].k for task in range(len(tasks)))


@given(SITUATIONS, st.integers(1, 40))
def test_assigning_in_steps_is_as_even_as_at_once(situation, first):
    policy = overlap(situation["policy"].k)
    before = assign(**{**situation, "tasks": situation["tasks"][:first], "policy": policy})
    after = assign(**{**situation, "policy": policy}, existing=before)
    each = loads([*before, *after], situation["assessors"])
    assert max(each) - min(each) <= 1


@given(SITUATIONS)
def test_a_position_depends_on_seed_assessor_and_task_only(situation):
    places = {(each.task, each.assessor): each.position for each in assign(**situation)}
    more = {**situation, "tasks": situation["tasks"] + [9] * 5, "assessors": situation["assessors"] + 1}
    for each in assign(**more):
        assert places.get((each.task, each.assessor), each.position) == each.position


@given(SITUATIONS)
def test_positions_fit_an_integer_column(situation):
    assert all(0 <= each.position < 2**31 for each in assign(**situation))


@given(SITUATIONS)
def test_existing_pairs_and_assignments_are_equivalent(situation):
    before = assign(**{**situation, "policy": overlap(1)})
    as_pairs = assign(**situation, existing=pairs(before))
    assert as_pairs == assign(**situation, existing=list(before)) == assign(**situation, existing=before)


def test_each_assessor_has_an_individual_order():
    plan = assign([0] * 50, 2, overlap(2), seed=1)
    orders = [
        [each.task for each in sorted(plan, key=lambda each: each.position) if each.assessor == assessor]
        for assessor in (0, 1)
    ]
    assert sorted(orders[0]) == sorted(orders[1]) == list(range(50))
    assert orders[0] != orders[1]
    assert list(range(50)) not in orders


def test_another_seed_gives_another_assignment():
    assert pairs(assign([0] * 50, 5, overlap(2), seed=1)) != pairs(assign([0] * 50, 5, overlap(2), seed=2))


def test_each_topic_is_spread_over_the_assessors():
    # 2 topics of 6 tasks, 2 judges each, 4 assessors: 12 judgements a topic, 3 for each assessor.
    plan = assign([0] * 6 + [1] * 6, 4, overlap(2), seed=3)
    assert loads([each for each in plan if each.task < 6], 4) == [3, 3, 3, 3]


def test_every_two_assessors_judge_some_tasks_together():
    # 10 pairs of 5 assessors, 500 tasks: about 50 each. 30 is 3 standard deviations below.
    together = Counter(frozenset(each) for each in assessors_by_task(assign([0] * 500, 5, overlap(2), seed=4)).values())
    assert len(together) == 10
    assert min(together.values()) >= 30


def test_a_late_assessor_catches_up_in_every_topic():
    # 2 x 20 tasks are assigned to 2 assessors; 2 x 10 more are added with a third: all of them go to the third.
    before = assign([0] * 20 + [1] * 20, 2, overlap(1), seed=4)
    after = assign([0] * 20 + [1] * 20 + [0] * 10 + [1] * 10, 3, overlap(1), seed=4, existing=before)
    assert loads(after, 3) == [0, 0, 20]


def test_a_late_assessor_gets_new_tasks_first():
    # 10 tasks to both of 2; 3 more and a third assessor: all 3 go to the third, and one judge each to one of the two.
    before = assign([0] * 10, 2, overlap(2), seed=1)
    after = assign([0] * 13, 3, overlap(2), seed=1, existing=list(before))
    each = loads(after, 3)
    assert each[2] == 3
    assert sorted(each[:2]) == [1, 2]


def test_a_late_assessor_gets_no_more_than_the_others():
    # 300 tasks for 3, then 102 more with a fourth: 402 in all, so that two have 100 and two have 101.
    before = assign([0] * 300, 3, overlap(1), seed=1)
    after = assign([0] * 402, 4, overlap(1), seed=1, existing=before)
    assert sorted(loads([*before, *after], 4)) == [100, 100, 101, 101]


@st.composite
def histories(draw, policies, may_limit):
    """Steps of a collection that grows: (topics, number of assessors, policy, limits) of each."""
    policy, steps = draw(policies), []
    topics, limits = [], [None] * 3
    for _ in range(draw(st.integers(1, 4))):
        topics = topics + draw(st.lists(st.integers(0, 3), max_size=12))
        new = st.one_of(st.none(), st.integers(0, 15)) if may_limit else st.none()
        limits = limits + draw(st.lists(new, max_size=2))
        steps.append((topics, len(limits), policy, limits))
    return steps


OVERLAPS = st.builds(overlap, st.integers(1, 3))
SAMPLES = st.builds(overlap_sample, st.sampled_from([0, 0.1, 1 / 3, 1]), st.integers(1, 3))


@given(histories(OVERLAPS | SAMPLES, may_limit=True), st.integers(0, 2**64))
def test_repeated_growth_keeps_assignments_and_completes_tasks(history, seed):
    held = []
    for topics, assessors, policy, limits in history:
        found = assign(topics, assessors, policy, seed=seed, existing=held, limits=limits)
        assert not set(pairs(held)) & set(pairs(found))
        held = held + list(found)
        judges = assessors_by_task(held)
        assert all(len(set(each)) == len(each) for each in judges.values())
        numbers = np.array([len(judges[task]) for task in range(len(topics))], dtype=np.int64)
        wanted = numbers + found.missing
        assert set(wanted.tolist()) <= ({policy.k} if isinstance(policy, type(overlap(1))) else {1, policy.k})
        each = loads(held, assessors)
        assert all(limit is None or load <= limit for load, limit in zip(each, limits, strict=True))
        assert found.complete or any(limit is not None for limit in limits)


@given(histories(OVERLAPS, may_limit=False), st.integers(0, 2**64))
def test_repeated_growth_balances_loads(history, seed):
    # One who got something new has at most one more than any other, but those who got every new task.
    held = []
    for topics, assessors, policy, _ in history:
        n_before = len(assessors_by_task(held))
        found = assign(topics, assessors, policy, seed=seed, existing=held)
        held = held + list(found)
        now, each = loads(found, assessors), loads(held, assessors)
        least = min((load for load, new in zip(each, now, strict=True) if new < len(topics) - n_before), default=None)
        assert least is None or all(load <= least + 1 for load, new in zip(each, now, strict=True) if new)


def test_by_topic_large_topics_are_balanced_by_small_ones():
    # Topics of 4, 3, 3 and 2 tasks for two assessors, one judge each: 4 + 2 and 3 + 3.
    topics = [0] * 4 + [1] * 3 + [2] * 3 + [3] * 2
    assert loads(assign(topics, 2, by_topic(1), seed=5), 2) == [6, 6]


def test_a_growing_topic_stays_with_its_assessors():
    before = pairs(assign([0, 0, 1, 1], 4, by_topic(2), seed=6))
    team = {assessor for task, assessor in before if task < 2}
    after = assign([0, 0, 1, 1, 0, 0, 0], 4, by_topic(2), seed=6, existing=before)
    assert {each.task for each in after} == {4, 5, 6}
    assert {each.assessor for each in after} == team


def test_a_task_with_another_assessor_gets_only_the_missing_ones():
    # Task 0 went to assessor 2; the topic's pair is completed for it, and not exceeded.
    plan = assign([0, 0, 0], 4, by_topic(2), seed=6, existing=[(0, 2), (1, 0), (1, 1), (2, 0), (2, 1)])
    assert pairs(plan) in ([(0, 0)], [(0, 1)])


def test_existing_assignments_count_towards_the_loads():
    existing = [(task, 0) for task in range(4)]
    assert loads(assign([0] * 8, 2, overlap(1), seed=7, existing=existing), 2) == [0, 4]


def test_a_task_with_enough_assessors_gets_no_more():
    assert assign([0], 3, overlap(1), seed=8, existing=[(0, 0), (0, 2)]) == []


def test_the_overlap_can_be_raised_later():
    before = pairs(assign([0] * 10, 3, overlap(1), seed=9))
    plan = assign([0] * 10, 3, overlap(2), seed=9, existing=before)
    assert len(plan) == 10
    assert all(len(set(each)) == 1 for each in assessors_by_task(plan).values())


def test_open_tasks_are_assigned_along_augmenting_paths():
    # Each of two tasks lies with one of two assessors: the second judge of each is the other one.
    plan = assign([0, 0, 0, 0], 2, overlap(2), seed=9, existing=[(0, 0), (1, 0), (2, 1), (3, 1)])
    assert pairs(plan) == [(0, 1), (1, 1), (2, 0), (3, 0)]


def test_a_number_means_an_overlap():
    assert assign([0, 1, 0], 3, 2, seed=10) == assign([0, 1, 0], 3, overlap(2), seed=10)


@pytest.mark.parametrize("policy", [overlap(2), by_topic(2)])
def test_no_tasks_give_no_assignments(policy):
    plan = assign([], 2, policy, seed=10)
    assert plan == []
    assert plan.complete


def test_an_assignment_is_a_named_tuple():
    plan = assign([0, 0], 1, overlap(1), seed=11)
    assert plan[0] == Assignment(0, 0, plan[0].position)
    assert plan[-1:] == [plan[1]]
    assert (plan[0].task, plan[0].assessor, plan[0].repeat) == (0, 0, 0)


def test_assignments_can_be_converted_to_names():
    tasks = pd.DataFrame({"query_id": ["7", "7", "9"], "doc_id": ["a", "b", "c"]})
    plan = assign([0, 0, 1], 2, overlap(2), seed=12)
    frame = plan.frame(tasks, ["ada", "bob"])
    assert list(frame.columns) == ["assessor", "query_id", "doc_id", "position", "repeat"]
    assert list(frame["assessor"]) == ["ada"] * 3 + ["bob"] * 3
    assert list(frame["query_id"]) == ["7", "7", "9"] * 2
    first = [each for each in plan if each.assessor == 0 and each.task < 2]
    in_order = [tasks["doc_id"][each.task] for each in sorted(first, key=lambda each: each.position)]
    assert list(frame["doc_id"][:2]) == in_order


@pytest.mark.parametrize(
    ("n_tasks", "columns", "names", "sentence"),
    [
        (1, ["query_id", "doc_id"], ["ada", "bob"], "tasks has 1 rows, but 2 tasks were assigned"),
        (2, ["query_id", "doc_id"], ["ada"], "assessors has 1 names, but there are 2 assessors"),
        (2, ["query_id"], ["ada", "bob"], "tasks needs the columns query_id and doc_id; doc_id is missing"),
    ],
)
def test_missing_names_are_refused(n_tasks, columns, names, sentence):
    tasks = pd.DataFrame({"query_id": ["7", "9"], "doc_id": ["a", "b"]})[columns].iloc[:n_tasks]
    with pytest.raises(ValueError, match=sentence):
        assign([0, 1], 2, overlap(1), seed=12).frame(tasks, names)


def test_a_numpy_integer_is_a_valid_seed():
    assert assign([0, 0, 1], np.int64(3), 2, seed=np.int64(-5)) == assign([0, 0, 1], 3, 2, seed=-5)


def test_many_tasks_can_be_assigned():
    topics = np.arange(3_000) // 60
    plan = assign(topics, 30, overlap(2), seed=13)
    each = loads(plan, 30)
    assert (min(each), max(each)) == (200, 200)
    # 120 judgements a topic, 4 for each assessor.
    by_topic_and_assessor = Counter((topics[each.task], each.assessor) for each in plan)
    assert set(by_topic_and_assessor.values()) == {4}


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"policy": 0}, "the number of judges per task must be a whole number from 1, not 0"),
        ({"policy": 3}, "3 judges per task need as many assessors; there are 2"),
        ({"policy": "overlap"}, "a policy must be one of overlap, overlap_sample, by_topic, everyone, repeats"),
        ({"tasks": ["7", "9"]}, "tasks must be a list with the topic of each task as a whole number"),
        ({"assessors": -1}, "the number of assessors must be a whole number from 0 and below .*, not -1"),
        ({"existing": [(0, 0), (0, 0)]}, "task 0 was assigned to assessor 0 twice"),
        ({"existing": [(2, 0)]}, "task 2 was assigned to assessor 0, but there are 2 tasks and 2 assessors"),
        ({"existing": [(0, 2)]}, "task 0 was assigned to assessor 2, but there are 2 tasks and 2 assessors"),
        ({"existing": [(-1, 0)]}, "task -1 was assigned to assessor 0, but"),
        ({"existing": [(0, 0, 5, 2)]}, "a repeat must be 0 or 1, not 2"),
        ({"existing": [(0, 0, 5, 1)]}, "task 0 was assigned to assessor 0 as a repeat, but not for a first judgement"),
        ({"existing": [(0, 0, 5)]}, r"must be \(task, assessor\) or an Assignment, not \(0, 0, 5\)"),
        ({"limits": [3]}, "there are 1 limits for 2 assessors; pass one for each, or one for all"),
        ({"limits": -1}, "a limit must be None or a whole number from 0 and below .*, not -1"),
        ({"limits": [1, 2.5]}, "a limit must be None or a whole number .*, not 2.5"),
        ({"limits": [1, True]}, "a limit must be None or a whole number .*, not True"),
        ({"limits": 2**31}, "a limit must be None or a whole number .*, not 2147483648"),
        ({"limits": "3"}, "a limit must be None or a whole number .*, not '3'"),
        ({"seed": 1.5}, "seed must be a whole number, not 1.5"),
        ({"seed": None}, "seed must be a whole number, not None"),
        ({"seed": "1"}, "seed must be a whole number, not '1'"),
        ({"seed": True}, "seed must be a whole number, not True"),
        ({"assessors": 2.0}, "the number of assessors must be a whole number .*, not 2.0"),
        ({"assessors": True}, "the number of assessors must be a whole number .*, not True"),
        ({"assessors": ["ada", "bob"]}, r"the number of assessors must be a whole number .*, not \['ada', 'bob'\]"),
        ({"existing": [(0, 0.5)]}, r"an existing assignment must consist of whole numbers below .*, not \(0, 0.5\)"),
        ({"existing": [("0", 0)]}, r"an existing assignment must consist of whole numbers below .*, not \('0', 0\)"),
        ({"existing": [(0, 2**70)]}, r"an existing assignment must consist of whole numbers below .*, not \(0, "),
        ({"existing": [(0, 0, -1, 0)]}, "a position must be from 0 and below .*, not -1"),
        ({"existing": [7]}, r"an existing assignment must be \(task, assessor\) or an Assignment, not 7"),
        ({"existing": None}, r"existing must be a list of \(task, assessor\) or of Assignment, not None"),
    ],
)
def test_invalid_numbers_are_refused(options, sentence):
    with pytest.raises(ValueError, match=sentence):
        assign(**{"tasks": [0, 0], "assessors": 2, "policy": 1, "seed": 0, **options})


def test_the_sentence_counts_assignments_tasks_and_assessors():
    assert repr(assign([0] * 20, 3, 2, seed=1)).startswith(
        "Assignments: 40 assignments of 20 tasks to 3 assessors; complete"
    )
    one = repr(assign([0, 0], 1, 1, seed=1, limits=1))
    assert one.startswith("Assignments: 1 assignment of 1 task to 1 assessor; 1 of 2 tasks lacks 1 assessor because")


def test_the_example_from_a_pool_to_assignments_runs():
    text = (Path(__file__).parents[3] / "docs" / "pooling.md").read_text(encoding="utf-8")
    example = text.partition("## Assign")[2].partition("```python\n")[2].partition("```")[0]
    names = {}
    exec(example, names)
    frame = names["assignments"].frame(names["tasks"], names["assessors"])
    assert frame.groupby(["query_id", "doc_id"])["assessor"].nunique().to_dict() == {
        ("301", "d1"): 2,
        ("301", "d2"): 2,
        ("301", "d3"): 2,
        ("302", "d1"): 2,
    }


@pytest.mark.parametrize(
    ("tasks", "shown"),
    [
        (
            pd.DataFrame({"query_id": ["1"], "doc_id": ["a"]}),
            'a DataFrame with the columns query_id, doc_id; pass pandas.factorize(tasks["query_id"])[0]',
        ),
        (pd.DataFrame({"a": [1]}), "a DataFrame with the columns a"),
        (["301", "302"], "['301', '302']"),
        (3, "3"),
        ([0.5], "[0.5]"),
    ],
)
def test_tasks_that_are_not_numbers_of_topics_are_shown(tasks, shown):
    allowed = "tasks must be a list with the topic of each task as a whole number, such as [0, 0, 1], not"
    with pytest.raises(ValueError, match=f"^{re.escape(f'{allowed} {shown}')}$"):
        assign(tasks, 2, 1, seed=1)
