"""Policies: samples judged twice, shared tasks, limits, and hidden repeats."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pooling.assignment import (
    POLICIES,
    Assignment,
    assign,
    by_topic,
    everyone,
    overlap,
    overlap_sample,
    policy_from,
    repeats,
)

TOPICS = st.lists(st.integers(0, 4), min_size=1, max_size=40)
SEEDS = st.integers(0, 2**64)
SHARES = st.sampled_from([0, 0.05, 0.1, 1 / 3, 0.5, 0.8, 1])


def judges_of(plan, n_tasks):
    """How many different assessors each task has."""
    count = Counter(task for task, _ in {(each.task, each.assessor) for each in plan})
    return [count[task] for task in range(n_tasks)]


def loads(plan, assessors):
    """How many judgements each assessor has in all."""
    count = Counter(each.assessor for each in plan)
    return [count[assessor] for assessor in range(assessors)]


def queues(topics, plan):
    """What each assessor is to judge in each topic, in order."""
    found = {}
    for each in sorted(plan, key=lambda each: (each.position, each.repeat, each.task)):
        found.setdefault((each.assessor, topics[each.task]), []).append(each)
    return found


def as_rounded(number):
    """A half upwards."""
    return int(number + 0.5)


# overlap_sample


@given(TOPICS, SHARES, st.integers(1, 3), SEEDS)
def test_a_sample_has_exactly_its_share(topics, share, k, seed):
    plan = assign(topics, 4, overlap_sample(share, k), seed=seed)
    sampled = as_rounded(share * len(topics))
    assert sorted(judges_of(plan, len(topics))) == sorted([k] * sampled + [1] * (len(topics) - sampled))


@given(TOPICS, SHARES, SEEDS)
def test_each_topic_has_its_share_of_the_sample(topics, share, seed):
    judges = judges_of(assign(topics, 4, overlap_sample(share, 2), seed=seed), len(topics))
    sampled = Counter(topic for topic, number in zip(topics, judges, strict=True) if number == 2)
    for topic, size in Counter(topics).items():
        assert abs(sampled[topic] - share * size) < 1


@given(TOPICS, SHARES, SEEDS)
def test_loads_of_a_sample_differ_by_at_most_one(topics, share, seed):
    each = loads(assign(topics, 4, overlap_sample(share, 3), seed=seed), 4)
    assert max(each) - min(each) <= 1


@given(TOPICS, TOPICS, SHARES, SEEDS)
def test_a_sample_grows_with_the_tasks(topics, more, share, seed):
    policy = overlap_sample(share, 2)
    before = assign(topics, 4, policy, seed=seed)
    after = assign(topics + more, 5, policy, seed=seed, existing=before)
    judges = judges_of([*before, *after], len(topics + more))
    had = judges_of(before, len(topics)).count(2)
    assert judges.count(2) == max(as_rounded(share * len(judges)), had)
    assert min(judges) >= 1


@pytest.mark.slow
def test_every_task_is_as_likely_in_the_sample():
    # 20 tasks, a quarter of them in the sample, 400 seeds: 100 times each, standard deviation 8.7.
    times = np.zeros(20)
    for seed in range(400):
        times += np.array(judges_of(assign([0] * 7 + [1] * 13, 2, overlap_sample(0.25), seed=seed), 20)) - 1
    assert times.sum() == 400 * 5
    assert (np.abs(times - 100) < 4 * 8.7).all()


def test_a_sample_can_be_added_to_whole_topics():
    topics = [0] * 10 + [1] * 10
    plan = assign(topics, 3, [by_topic(1), overlap_sample(0.2, 2)], seed=1)
    assert sorted(judges_of(plan, 20)) == [1] * 16 + [2] * 4
    alone = assign(topics, 3, by_topic(1), seed=1)
    assert set(alone) <= set(plan)


# everyone


@given(TOPICS, st.integers(1, 5), st.data())
def test_everyone_gets_the_shared_tasks_and_the_rest_is_divided(topics, assessors, data):
    shared = data.draw(st.integers(0, len(topics)))
    plan = assign(topics, assessors, everyone(shared), seed=data.draw(SEEDS))
    judges = judges_of(plan, len(topics))
    assert sorted(judges) == sorted([assessors] * shared + [1] * (len(topics) - shared))
    each = loads(plan, assessors)
    assert max(each) - min(each) <= 1


@given(TOPICS, TOPICS, st.integers(2, 4), st.data())
def test_later_assessors_get_the_shared_tasks_too(topics, more, assessors, data):
    shared, seed = data.draw(st.integers(0, len(topics))), data.draw(SEEDS)
    before = assign(topics, assessors, everyone(shared), seed=seed)
    after = assign(topics + more, assessors + 2, everyone(shared), seed=seed, existing=before)
    slice_before = [task for task, number in enumerate(judges_of(before, len(topics))) if number > 1]
    judges = judges_of([*before, *after], len(topics + more))
    assert [task for task, number in enumerate(judges) if number > 1] == slice_before
    assert {judges[task] for task in slice_before} <= {assessors + 2}


def test_shared_tasks_are_balanced_over_the_topics():
    judges = judges_of(assign([0] * 30 + [1] * 60 + [2] * 10, 3, everyone(20), seed=2), 100)
    in_slice = [sum(number == 3 for number in judges[part]) for part in (slice(30), slice(30, 90), slice(90, 100))]
    assert sum(in_slice) == 20
    assert all(abs(found - due) <= 1 for found, due in zip(in_slice, [6, 12, 2], strict=True))


# limits


@given(TOPICS, st.lists(st.one_of(st.none(), st.integers(0, 12)), min_size=3, max_size=6), st.data())
def test_no_limit_is_exceeded_and_missing_assessors_are_reported(topics, limits, data):
    policies = [overlap(2), by_topic(2), everyone(1), overlap_sample(0.5, 3), [overlap(2), repeats(0.2)]]
    plan = assign(topics, len(limits), data.draw(st.sampled_from(policies)), seed=data.draw(SEEDS), limits=limits)
    for load, limit in zip(loads(plan, len(limits)), limits, strict=True):
        assert limit is None or load <= limit
    assert plan.complete == (plan.shortfall() == "")


@given(TOPICS, st.lists(st.integers(0, 12), min_size=2, max_size=5), st.integers(1, 2), SEEDS)
def test_as_much_is_assigned_as_limits_allow(topics, limits, k, seed):
    # The minimum cut (Gale and Ryser): for any number of tasks, these count what everybody may do of them, and the
    # others count what they need.
    plan = assign(topics, len(limits), overlap(k), seed=seed, limits=limits)
    n = len(topics)
    most = min((n - some) * k + sum(min(limit, some) for limit in limits) for some in range(n + 1))
    assert len(plan) == most
    assert plan.missing.sum() == n * k - most
    assert [k - judges for judges in judges_of(plan, n)] == plan.missing.tolist()


def flow(topics, assessors, k, before, limits):
    """As many judgements as a maximum flow gives out: augmenting paths, one unit after the other."""
    held = set(before)
    capacity = [limit - sum(a == assessor for _, a in before) for assessor, limit in enumerate(limits)]
    need = [max(k - sum(t == task for t, _ in before), 0) for task in range(len(topics))]
    assigned = set()

    def place(task, seen):
        for assessor in range(assessors):
            if (task, assessor) in held | assigned or assessor in seen:
                continue
            seen.add(assessor)
            of_assessor = [t for t, a in assigned if a == assessor]
            has_capacity = len(of_assessor) < max(capacity[assessor], 0)
            moved = None if has_capacity else next((t for t in of_assessor if place(t, seen)), None)
            if has_capacity or moved is not None:
                assigned.discard((moved, assessor))
                assigned.add((task, assessor))
                return True
        return False

    return sum(place(task, set()) for task in range(len(topics)) for _ in range(need[task]))


@given(st.data())
def test_as_much_is_assigned_as_in_a_maximum_flow(data):
    topics = data.draw(st.lists(st.integers(0, 2), min_size=1, max_size=8))
    assessors = data.draw(st.integers(2, 4))
    cells = st.tuples(st.integers(0, len(topics) - 1), st.integers(0, assessors - 1))
    before = sorted(data.draw(st.sets(cells, max_size=10)))
    limits = data.draw(st.lists(st.integers(0, 6), min_size=assessors, max_size=assessors))
    plan = assign(topics, assessors, overlap(2), seed=data.draw(SEEDS), existing=before, limits=limits)
    assert len(plan) == flow(topics, assessors, 2, before, limits)


def test_with_tight_limits_every_task_is_assigned_once_before_any_twice():
    # 10 tasks, twice each, for two assessors who may judge 7 each: 14 judgements of 20.
    plan = assign([0] * 5 + [1] * 5, 2, overlap(2), seed=3, limits=7)
    assert sorted(judges_of(plan, 10)) == [1] * 6 + [2] * 4
    assert plan.shortfall() == "6 of 10 tasks lack 6 assessors because of the limits"


def test_an_assessor_with_a_low_limit_gets_tasks_of_every_topic():
    topics = np.repeat(np.arange(10), 30)
    plan = assign(topics, 3, overlap(1), seed=4, limits=[20, None, None])
    assert loads(plan, 3) == [20, 140, 140]
    in_topics = Counter(topics[each.task] for each in plan if each.assessor == 0)
    assert sorted(in_topics) == list(range(10))
    assert max(in_topics.values()) <= 3


def test_existing_assignments_count_towards_the_limit():
    before = [(0, 0), (1, 0)]
    plan = assign([0] * 6, 2, overlap(1), seed=5, existing=before, limits=[3, 2])
    assert loads(plan, 2) == [1, 2]
    assert plan.missing.sum() == 1


def test_a_limit_below_existing_assignments_removes_nothing():
    assert loads(assign([0] * 4, 2, overlap(1), seed=6, existing=[(0, 0), (1, 0)], limits=[1, None]), 2) == [0, 2]


def test_by_topic_a_topic_goes_to_an_assessor_with_enough_capacity():
    plan = assign([0] * 5, 2, by_topic(1), seed=7, limits=[4, 5])
    assert loads(plan, 2) == [0, 5]


def test_by_topic_a_topic_too_large_for_everybody_is_divided():
    plan = assign([0] * 10, 2, by_topic(1), seed=8, limits=4)
    assert loads(plan, 2) == [4, 4]
    assert plan.shortfall() == "2 of 10 tasks lack 2 assessors because of the limits"


def test_limits_leave_capacity_for_the_repeats():
    # 22 judgements are 20 tasks and a tenth of them again.
    plan = assign([0] * 40, 2, [overlap(1), repeats(0.1)], seed=9, limits=22)
    assert [sum(each.repeat for each in plan if each.assessor == a) for a in (0, 1)] == [2, 2]
    assert loads(plan, 2) == [22, 22]
    assert plan.complete


def test_a_second_policy_builds_on_the_first():
    topics, limits = [0] * 10 + [1] * 2, [5, 5, np.int64(2)]
    plan = assign(topics, 3, [by_topic(1), overlap(1)], seed=9, limits=limits)
    assert plan == assign(topics, 3, by_topic(1), seed=9, limits=limits)
    assert plan.complete


# repeats


@given(TOPICS, SHARES, st.integers(1, 3), SEEDS)
def test_a_repeat_comes_later_and_never_next_to_its_first_judgement(topics, share, apart, seed):
    plan = assign(topics, 3, [overlap(2), repeats(share, apart)], seed=seed)
    for queue in queues(topics, plan).values():
        at = {(each.task, each.repeat): place for place, each in enumerate(queue)}
        for task, repeat in at:
            if repeat:
                between = queue[at[task, 0] + 1 : at[task, 1]]
                assert sum(not each.repeat for each in between) >= apart


@given(TOPICS, SHARES, SEEDS)
def test_each_assessor_gets_the_exact_share_of_repeats_or_a_shortfall(topics, share, seed):
    plan = assign(topics, 3, [overlap(2), repeats(share)], seed=seed)
    for assessor in range(3):
        of_assessor = [each for each in plan if each.assessor == assessor]
        n_repeats = sum(each.repeat for each in of_assessor)
        assert n_repeats + plan.missing_repeats[assessor] == as_rounded(share * (len(of_assessor) - n_repeats))
        # In each topic all but the last task can be repeated.
        last = len({topics[each.task] for each in of_assessor})
        assert not plan.missing_repeats[assessor] or n_repeats == len(of_assessor) - n_repeats - last


@given(TOPICS, SHARES, SEEDS)
def test_repeats_do_not_change_first_judgements(topics, share, seed):
    plan = assign(topics, 3, [overlap(2), repeats(share)], seed=seed)
    assert [each for each in plan if not each.repeat] == list(assign(topics, 3, overlap(2), seed=seed))


@given(TOPICS, TOPICS, SHARES, SEEDS)
def test_repeats_stay_apart_when_tasks_and_assessors_are_added(topics, more, share, seed):
    policies = [overlap(2), repeats(share)]
    before = assign(topics, 3, policies, seed=seed)
    after = assign(topics + more, 4, policies, seed=seed, existing=before)
    assert not {(*each[:2], each.repeat) for each in before} & {(*each[:2], each.repeat) for each in after}
    for queue in queues(topics + more, [*before, *after]).values():
        tasks = [each.task for each in queue]
        assert all(one != other for one, other in pairwise(tasks))
        assert all(tasks.index(each.task) < place for place, each in enumerate(queue) if each.repeat)


@given(TOPICS, TOPICS, SHARES, SEEDS)
def test_new_tasks_and_their_repeats_have_new_tasks_in_between(topics, more, share, seed):
    # Existing assignments may be judged already, so they do not separate a task from its repeat.
    before = assign(topics, 3, overlap(2), seed=seed)
    after = assign(topics + more, 3, [overlap(2), repeats(share)], seed=seed, existing=before)
    new = {(each.task, each.assessor) for each in after if not each.repeat}
    for queue in queues(topics + more, after).values():
        for place, each in enumerate(queue):
            if each.repeat and (each.task, each.assessor) in new:
                assert queue[place - 1].task != each.task


def test_repeats_can_be_added_later():
    before = assign([0] * 20, 2, overlap(1), seed=10)
    plan = assign([0] * 20, 2, repeats(0.2), seed=10, existing=before)
    assert loads(plan, 2) == [2, 2]
    assert {each.repeat for each in plan} == {1}
    assert {each[:2] for each in plan} <= {each[:2] for each in before}


def test_existing_repeats_count_towards_their_share():
    policies = [overlap(1), repeats(0.25)]
    before = assign([0] * 20, 1, policies, seed=11)
    assert sum(each.repeat for each in before) == 5
    assert len(assign([0] * 20, 1, policies, seed=11, existing=before)) == 0
    after = assign([0] * 28, 1, policies, seed=11, existing=before)
    assert sum(each.repeat for each in after) == 2


def test_a_topic_of_one_task_cannot_be_repeated():
    plan = assign([0, 1, 2], 1, [overlap(1), repeats(1)], seed=12)
    assert len(plan) == 3
    assert plan.missing_repeats.tolist() == [3]
    assert plan.shortfall() == "1 of 1 assessors lacks 3 repeats"


def test_of_two_tasks_the_first_can_be_repeated():
    plan = assign([0, 0], 1, [overlap(1), repeats(0.5)], seed=13)
    first, second, again = sorted(plan, key=lambda each: each.position)
    assert first.task == again.task != second.task
    assert (first.repeat, second.repeat, again.repeat) == (0, 0, 1)


def test_a_task_at_the_last_position_cannot_be_repeated():
    existing = [Assignment(0, 0, 5), Assignment(1, 0, 2**31 - 1)]
    plan = assign([0, 0], 1, repeats(1), seed=14, existing=existing)
    assert len(plan) == 0
    assert plan.missing_repeats.tolist() == [2]


# names


@pytest.mark.parametrize(
    "policy", [overlap(2), overlap_sample(0.2, 3), by_topic(1), everyone(10), repeats(0.05, apart=4)]
)
def test_a_policy_can_be_stored_and_read(policy):
    assert policy_from(**policy.to_dict()) == policy
    assert POLICIES[policy.to_dict()["name"]] is type(policy)


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: policy_from("twice"), "policy 'twice' is unknown; choose from: overlap, overlap_sample, by_topic"),
        (lambda: policy_from("overlap"), "policy 'overlap' has the parameters k, not none"),
        (lambda: policy_from("everyone", n=3), "policy 'everyone' has the parameters shared, not n"),
        (lambda: overlap(0), "the number of judges per task must be a whole number from 1, not 0"),
        (lambda: overlap(1.5), "the number of judges per task must be a whole number from 1, not 1.5"),
        (lambda: overlap_sample(20, 2), "a share must be between 0 and 1, not 20"),
        (lambda: overlap_sample("0.2", 2), "a share must be between 0 and 1, not '0.2'"),
        (lambda: policy_from("repeats", share=None), "a share must be between 0 and 1, not None"),
        (lambda: repeats(True), "a share must be between 0 and 1, not True"),
        (lambda: repeats(-0.1), "a share must be between 0 and 1, not -0.1"),
        (lambda: repeats(float("nan")), "a share must be between 0 and 1, not nan"),
        (lambda: repeats(0.1, apart=0), "apart must be a whole number from 1, not 0"),
        (lambda: everyone(-1), "shared must be a whole number from 0, not -1"),
        (lambda: assign([0], 2, everyone(2), seed=0), "only 1 tasks can be shared by everyone, not 2"),
        (lambda: assign([0], 2, overlap_sample(0.1, 3), seed=0), "3 judges per task need as many assessors; there are"),
        (lambda: assign([0], 0, everyone(1), seed=0), "1 judges per task need as many assessors; there are 0"),
    ],
)
def test_invalid_policies_are_refused(make, sentence):
    with pytest.raises(ValueError, match=sentence):
        make()
