"""Samples and loads that are balanced over the topics, and judgements before hidden repeats."""

import random
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pooling.assignment import assign, by_topic, everyone, overlap, overlap_sample, repeats
from pooling.assignment.topic_balance import balanced_sample
from tests.examples import examples

TOPICS = st.lists(st.integers(0, 6), min_size=1, max_size=50)
SEEDS = st.integers(0, 2**64)
SHARES = st.sampled_from([0, 0.05, 0.1, 0.15, 0.25, 0.3, 1 / 3, 0.5, 0.7, 0.8, 1]) | st.floats(0, 1)
LIMITS = st.lists(st.none() | st.integers(0, 25), min_size=3, max_size=5)
POLICIES = [overlap(1), overlap(3), by_topic(2), overlap_sample(0.4, 3), everyone(2)]


def sampled_by_topic(topics, share, seed):
    """The number of tasks with two judges in each topic."""
    judges = Counter(each.task for each in assign(topics, 3, overlap_sample(share, 2), seed=seed))
    return Counter(topics[task] for task, number in judges.items() if number == 2)


def check_shares(topics, share, seed):
    sampled = sampled_by_topic(topics, share, seed)
    for topic, size in Counter(topics).items():
        part = Fraction(repr(float(share))) * size
        assert int(part) <= sampled[topic] <= -int(-part // 1)
        assert abs(sampled[topic] - Fraction(sum(sampled.values()), len(topics)) * size) <= 1


def loads(plan, topics, assessors):
    """The number of judgements of each assessor in each topic: shape (n_topics, assessors)."""
    distinct = sorted(set(topics))
    counts = np.zeros((len(distinct), assessors), dtype=int)
    for each in plan:
        counts[distinct.index(topics[each.task]), each.assessor] += 1
    return counts


# the sample of `overlap_sample`


@examples(200)
@given(TOPICS, SHARES, SEEDS)
def test_each_topic_has_its_share_of_the_sample_rounded_down_or_up(topics, share, seed):
    check_shares(topics, share, seed)


def test_a_topic_with_a_share_of_2_8_does_not_have_4():
    # 4 and 1 tasks, 0.7 of them: 2.8 and 0.7; 3.5 is rounded to 4.
    assert sampled_by_topic([0, 0, 0, 0, 1], 0.7, seed=9) == {0: 3, 1: 1}


@pytest.mark.soak
def test_each_topic_has_its_share_of_the_sample_in_many_cases():
    rng = random.Random(3)
    for _ in range(5_000):
        topics = [rng.randrange(rng.randint(1, 8)) for _ in range(rng.randint(1, 60))]
        check_shares(topics, rng.choice([0.05, 0.1, 0.2, 0.25, 1 / 3, 0.7, rng.random()]), rng.randrange(2**32))


@pytest.mark.slow
def test_tasks_of_all_topics_are_equally_likely_in_the_sample():
    # 2, 3 and 5 tasks; a sample of 4: 0.8, 1.2 and 2 of them. 2,000 seeds: 800 times each, standard deviation 22.
    topics = np.array([0] * 2 + [1] * 3 + [2] * 5)
    times = sum(balanced_sample(topics, 4, seed).astype(int) for seed in range(2_000))
    assert times.sum() == 8_000
    assert (np.abs(times - 800) < 4 * 22).all()


def test_tasks_that_are_sampled_already_are_made_up_for():
    # Of 2 x 10 tasks, 4 of topic 0 have two judges; a sample of 6 needs 3 of each: the two more are of topic 1.
    topics = np.repeat([0, 1], 10)
    favoured = np.where(np.arange(20) < 4, 2, 1)
    sample = balanced_sample(topics, 6, seed=1, share=Fraction(3, 10), favoured=favoured)
    assert sample[:10].tolist() == [True] * 4 + [False] * 6
    assert sample[10:].sum() == 2


# loads of topics


@examples(100)
@given(TOPICS, st.integers(3, 7), st.data())
def test_loads_differ_by_at_most_one_in_every_topic(topics, assessors, data):
    policies = [overlap(1), overlap(2), overlap(3), overlap_sample(0.3, 3), everyone(len(topics) // 2)]
    plan = assign(topics, assessors, data.draw(st.sampled_from(policies)), seed=data.draw(SEEDS))
    counts = loads(plan, topics, assessors)
    assert np.ptp(counts, axis=1).max() <= 1
    assert np.ptp(counts.sum(axis=0)) <= 1


@pytest.mark.parametrize("seed", range(20))
def test_loads_of_topics_stay_level_if_the_overlap_is_raised(seed):
    topics = np.random.default_rng(seed).integers(0, 4, 40).tolist()
    before = assign(topics, 5, overlap(1), seed=seed)
    after = assign(topics, 5, overlap(3), seed=seed, existing=before)
    counts = loads([*before, *after], topics, 5)
    assert np.ptp(counts, axis=1).max() <= 1
    assert np.ptp(counts.sum(axis=0)) <= 1


def test_existing_loads_of_topics_are_levelled_by_new_tasks():
    # Assessor 0 has two tasks of topic 0, and 1 has two of topic 1. Each topic gets two more: the other one takes them.
    existing = [(0, 0), (1, 0), (2, 1), (3, 1)]
    plan = assign([0, 0, 1, 1, 0, 0, 1, 1], 2, overlap(1), seed=2, existing=existing)
    assert [(each.task, each.assessor) for each in plan] == [(4, 1), (5, 1), (6, 0), (7, 0)]


# judgements before hidden repeats


@examples(100)
@given(TOPICS, LIMITS, SHARES, SEEDS, st.data())
def test_hidden_repeats_take_no_capacity_that_a_task_needs(topics, limits, share, seed, data):
    policy = data.draw(st.sampled_from([each for each in POLICIES if each != everyone(2) or len(topics) > 1]))
    alone = assign(topics, len(limits), policy, seed=seed, limits=limits)
    plan = assign(topics, len(limits), [policy, repeats(share)], seed=seed, limits=limits)
    assert sum(not each.repeat for each in plan) == len(alone)
    assert plan.missing.sum() == alone.missing.sum()
    assert plan == assign(topics, len(limits), [repeats(share), policy], seed=seed, limits=limits)


@examples(100)
@given(TOPICS, LIMITS, SHARES, SEEDS)
def test_no_capacity_stays_idle_that_a_repeat_could_fill(topics, limits, share, seed):
    plan = assign(topics, len(limits), [overlap(2), repeats(share)], seed=seed, limits=limits)
    for assessor, limit in enumerate(limits):
        first = [each.task for each in plan if each.assessor == assessor and not each.repeat]
        again = sum(each.repeat for each in plan if each.assessor == assessor)
        # In each topic, all but the last task can be repeated.
        most = len(first) - len({topics[task] for task in first})
        is_full = limit is not None and len(first) + again == limit
        assert is_full or again == most or not plan.missing_repeats[assessor]


def test_a_task_comes_before_a_repeat():
    # 11 judgements are allowed: all 11 tasks, not 10 of them and one again.
    plan = assign([0] * 11, 1, [overlap(1), repeats(0.1)], seed=1, limits=11)
    assert [each.repeat for each in plan] == [0] * 11
    assert (plan.missing.sum(), plan.missing_repeats.tolist()) == (0, [1])


def test_capacity_for_repeats_that_cannot_be_given_is_used():
    # A topic of one task cannot be repeated: the capacity kept for a repeat goes to the last task.
    plan = assign(list(range(11)), 1, [overlap(1), repeats(0.1)], seed=1, limits=11)
    assert len(plan) == 11


def test_a_topic_is_not_divided_to_keep_capacity_for_repeats():
    # Assessor 0 may judge 10; with a fifth again, 8 tasks would be kept. The topic of 10 still goes to one of the two.
    plan = assign([0] * 10, 2, [by_topic(1), repeats(0.2)], seed=1, limits=10)
    assert len({each.assessor for each in plan}) == 1
    assert plan.missing.sum() == 0


def test_by_topic_uses_all_capacity():
    # 3 topics of 4 tasks, two judges each: 24 judgements, and 24 are allowed.
    for seed in range(10):
        plan = assign([0] * 4 + [1] * 4 + [2] * 4, 4, by_topic(2), seed=seed, limits=[3, 5, 8, 8])
        assert plan.complete
