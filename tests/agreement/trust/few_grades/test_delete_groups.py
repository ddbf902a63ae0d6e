"""Variance and bias by leaving out drawn pairs: by hand, over all samples, degenerate."""

import numpy as np
import pytest

from agreement import parse_measure
from agreement.trust.few_grades.delete_groups import DeletedGroups, Deviations, groups_of
from agreement.trust.few_grades.sampled_scores import Slots, sampled_scores
from tests.agreement.trust.few_grades.slots import sample, samples_of_one_topic, stratified_samples, whole

RANKS = np.array([[[1, 2, 4, 0]]])


def deviations(measure: str, slots: Slots, gains: np.ndarray, n_groups: int = 10) -> Deviations:
    group = groups_of(slots, np.random.default_rng(1), n_groups)
    return DeletedGroups(parse_measure(measure), slots, gains, group).deviations()


def variance(found: Deviations) -> float:
    return float((found.deviations**2).sum())


def test_by_hand():
    # 2 of 4 pairs drawn, at ranks 1 and 2, with the gains 1 and 0: P@2 without them is 0 and 4 / 2.
    # (1 - 1/2) (2 - 1) / 2 ((0 - 1)^2 + (2 - 1)^2)
    found = deviations("P@2", sample(RANKS, np.array([[0, 1]]), 0.5), np.array([[1.0, 0.0]]))
    assert found.scores.tolist() == [[1.0]]
    assert variance(found) == pytest.approx(0.5)
    assert found.degrees.sum() == 1


def test_the_bias_of_recall_by_hand():
    # 2 of 4 drawn: rank 1 relevant, rank 4 relevant. R@2 = 2 / 4; without rank 1 0, without rank 4 1: the mean is 1/2,
    # so that nothing is corrected. Rank 1 relevant and rank 2 not: R@2 = 1; without rank 1 it is 0 (nothing relevant),
    # without rank 2 it is 1: bias (1 - 1/2) (2 - 1) (1/2 - 1) = -1/4
    first = deviations("R@2", sample(RANKS, np.array([[0, 2]]), 0.5), np.array([[1.0, 1.0]]))
    second = deviations("R@2", sample(RANKS, np.array([[0, 1]]), 0.5), np.array([[1.0, 0.0]]))
    assert (first.scores.item(), second.scores.item()) == (0.5, 1.25)


@pytest.mark.parametrize("sizes", [(7,), (4, 5)])
def test_the_variance_of_sums_is_unbiased_over_all_samples(sizes):
    rng = np.random.default_rng(2)
    n = sum(sizes)
    ranks, gains = rng.permutation(n)[None, None] + 1, rng.integers(0, 4, (1, n)).astype(float)
    stratum = np.repeat(np.arange(len(sizes)), sizes)[None]
    probability = np.repeat(3 / np.array(sizes), sizes)
    scores, variances = [], []
    for chosen in stratified_samples(sizes, 3):
        one = sample(ranks, chosen, 1.0, stratum)
        found = deviations("DCG@5", Slots(one.ranks, one.filled, probability[chosen], one.stratum), gains[:, chosen[0]])
        scores.append(found.scores.item())
        variances.append(variance(found))
    assert np.mean(variances) == pytest.approx(np.var(scores), abs=1e-12)


@pytest.mark.in_ci
def test_the_correction_removes_most_bias_of_ap_over_all_samples():
    rng = np.random.default_rng(4)
    ranks, gains = rng.permutation(9)[None, None] + 1, np.array([[1.0, 1, 0, 1, 0, 1, 0, 1, 0]])
    ap, plain, found = parse_measure("AP"), [], []
    for chosen in samples_of_one_topic(9, 4):
        slots = sample(ranks, chosen, 4 / 9)
        plain.append(sampled_scores(ap, slots, gains[:, chosen[0]]).item())
        found.append(deviations("AP", slots, gains[:, chosen[0]]).scores.item())
    truth = sampled_scores(ap, whole(ranks), gains).item()
    assert abs(np.mean(found) - truth) < 0.4 * abs(np.mean(plain) - truth)


@pytest.mark.parametrize("measure", ["AP", "nDCG@5", "Bpref", "R@3"])
def test_all_pairs_have_no_variance_and_no_bias(measure):
    gains = np.array([[1.0, 0.0, 1.0, 1.0]])
    found = deviations(measure, whole(RANKS), gains)
    assert variance(found) == 0
    assert found.scores.item() == sampled_scores(parse_measure(measure), whole(RANKS), gains).item()


def test_a_single_pair_has_no_groups_to_compare():
    found = deviations("AP", sample(RANKS, np.array([[0]]), 0.25), np.array([[1.0]]))
    assert (variance(found), found.degrees.sum()) == (0, 0)


def test_groups_are_even_within_each_stratum():
    stratum = np.array([[0] * 7 + [1] * 5 + [0]])
    filled = np.array([[True] * 12 + [False]])
    slots = Slots(np.zeros((1, 1, 13), int), filled, np.ones((1, 13)), stratum)
    group = groups_of(slots, np.random.default_rng(1), 3)
    assert sorted(np.bincount(group[0, :7])) == [2, 2, 3]
    assert sorted(np.bincount(group[0, 7:12])) == [1, 2, 2]


def test_few_groups_have_about_the_variance_of_single_pairs_in_sums():
    rng = np.random.default_rng(6)
    ranks, gains = rng.permutation(60)[None, None] + 1, (rng.random((1, 60)) < 0.4) * 1.0
    of_groups, of_pairs = [], []
    for _ in range(60):
        chosen = rng.permutation(60)[None, :30]
        slots = sample(ranks, chosen, 0.5)
        of_groups.append(variance(deviations("DCG@20", slots, gains[:, chosen[0]], 6)))
        of_pairs.append(variance(deviations("DCG@20", slots, gains[:, chosen[0]], 30)))
    assert np.mean(of_groups) == pytest.approx(np.mean(of_pairs), rel=0.25)
