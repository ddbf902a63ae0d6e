"""Who judges what: enough assessors for each task, even loads, nothing moved, and chance only from the seed."""

from collections import Counter, defaultdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pooling import assign

SITUATIONS = st.fixed_dictionaries(
    {
        "topics": st.lists(st.integers(0, 4), max_size=40),
        "n_assessors": st.integers(3, 6),
        "judges": st.integers(1, 3),
        "by_topic": st.booleans(),
        "seed": st.integers(0, 2**64),
    }
)


def assessors_by_task(plan):
    assessors = defaultdict(list)
    for task, assessor, _ in plan:
        assessors[task].append(assessor)
    return assessors


def loads(plan, n_assessors):
    count = Counter(assessor for _, assessor, _ in plan)
    return [count[assessor] for assessor in range(n_assessors)]


def pairs(plan):
    return [(task, assessor) for task, assessor, _ in plan]


@given(SITUATIONS)
def test_every_task_gets_its_number_of_different_assessors(situation):
    assessors = assessors_by_task(assign(**situation))
    assert sorted(assessors) == list(range(len(situation["topics"])))
    assert all(len(set(each)) == len(each) == situation["judges"] for each in assessors.values())


@given(SITUATIONS)
def test_without_topics_kept_together_no_two_loads_differ_by_more_than_one(situation):
    plan = assign(**{**situation, "by_topic": False})
    each = loads(plan, situation["n_assessors"])
    assert max(each) - min(each) <= 1


@given(SITUATIONS)
def test_by_topic_all_tasks_of_a_topic_have_the_same_assessors(situation):
    assessors = assessors_by_task(assign(**{**situation, "by_topic": True}))
    teams = defaultdict(set)
    for task, topic in enumerate(situation["topics"]):
        teams[topic].add(frozenset(assessors[task]))
    assert all(len(team) == 1 for team in teams.values())


@given(SITUATIONS)
def test_the_same_seed_gives_the_same_assignment(situation):
    assert assign(**situation) == assign(**situation)


@given(SITUATIONS, st.integers(0, 40))
def test_more_tasks_and_assessors_later_move_nothing_that_was_given_out(situation, first):
    topics, n_assessors = situation["topics"], situation["n_assessors"]
    before = assign(**{**situation, "topics": topics[:first]})
    after = assign(**{**situation, "n_assessors": n_assessors + 1}, given=pairs(before))
    assert not set(pairs(before)) & set(pairs(after))
    both = assessors_by_task(before + after)
    assert all(len(set(both[task])) == len(both[task]) == situation["judges"] for task in range(len(topics)))


@given(SITUATIONS)
def test_a_place_depends_on_seed_assessor_and_task_alone(situation):
    places = {(task, assessor): position for task, assessor, position in assign(**situation)}
    more = {**situation, "topics": situation["topics"] + [9] * 5, "n_assessors": situation["n_assessors"] + 1}
    for task, assessor, position in assign(**more):
        assert places.get((task, assessor), position) == position


@given(SITUATIONS)
def test_positions_fit_an_integer_column(situation):
    assert all(0 <= position < 2**31 for _, _, position in assign(**situation))


def test_each_assessor_has_an_order_of_their_own():
    plan = assign([0] * 50, 2, 2, seed=1)
    orders = [
        [task for _, task in sorted((position, task) for task, who, position in plan if who == assessor)]
        for assessor in (0, 1)
    ]
    assert sorted(orders[0]) == sorted(orders[1]) == list(range(50))
    assert orders[0] != orders[1]
    assert list(range(50)) not in orders


def test_another_seed_gives_another_assignment():
    assert pairs(assign([0] * 50, 5, 2, seed=1)) != pairs(assign([0] * 50, 5, 2, seed=2))


def test_each_topic_is_spread_over_the_assessors():
    # 2 topics of 6 tasks, 2 judges each, 4 assessors: 12 judgements a topic, 3 for each assessor.
    plan = assign([0] * 6 + [1] * 6, 4, 2, seed=3)
    assert loads([each for each in plan if each.task < 6], 4) == [3, 3, 3, 3]


def test_by_topic_large_topics_are_balanced_by_small_ones():
    # Topics of 4, 3, 3 and 2 tasks for two assessors, one judge each: 4 + 2 and 3 + 3.
    topics = [0] * 4 + [1] * 3 + [2] * 3 + [3] * 2
    assert loads(assign(topics, 2, 1, by_topic=True, seed=5), 2) == [6, 6]


def test_a_growing_topic_stays_with_its_assessors():
    before = pairs(assign([0, 0, 1, 1], 4, 2, by_topic=True, seed=6))
    team = {assessor for task, assessor in before if task < 2}
    after = assign([0, 0, 1, 1, 0, 0, 0], 4, 2, by_topic=True, seed=6, given=before)
    assert {task for task, _, _ in after} == {4, 5, 6}
    assert {assessor for _, assessor, _ in after} == team


def test_what_was_given_out_counts_towards_the_loads():
    given_out = [(task, 0) for task in range(4)]
    plan = assign([0] * 8, 2, 1, seed=7, given=given_out)
    assert loads(plan, 2) == [0, 4]


def test_a_task_that_has_enough_assessors_gets_no_more():
    assert assign([0], 3, 1, seed=8, given=[(0, 0), (0, 2)]) == []


def test_one_more_judge_for_each_task_can_be_asked_for_later():
    before = pairs(assign([0] * 10, 3, 1, seed=9))
    plan = assign([0] * 10, 3, 2, seed=9, given=before)
    assert len(plan) == 10
    assert all(len(set(each)) == 1 for each in assessors_by_task(plan).values())


def test_no_tasks_are_no_work():
    assert assign([], 2, 2, seed=10) == []


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"judges": 0}, "0 judges for each task are not allowed; a task needs at least 1"),
        ({"judges": 3}, "3 judges for each task need as many assessors; there are 2"),
        ({"given": [(0, 0), (0, 0)]}, "task 0 was given to assessor 0 twice"),
        ({"given": [(2, 0)]}, "task 2 was given to assessor 0, but there are 2 tasks and 2 assessors"),
        ({"given": [(0, 2)]}, "task 0 was given to assessor 2, but there are 2 tasks and 2 assessors"),
        ({"given": [(-1, 0)]}, "task -1 was given to assessor 0, but"),
    ],
)
def test_impossible_numbers_are_refused_in_a_sentence(options, sentence):
    with pytest.raises(ValueError, match=sentence):
        assign(**{"topics": [0, 0], "n_assessors": 2, "judges": 1, "seed": 0, **options})
