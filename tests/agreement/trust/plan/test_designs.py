"""The covariance of corrected scores: against all samples of a tiny pool, and against simulated draws."""

from itertools import combinations, product

import numpy as np
import pytest

from agreement.trust.plan.designs import DESIGNS, Population

ERRORS = np.array([[1.0, -2.0, 0.5, 3.0, 0.0, 1.5], [0.5, 1.0, -1.0, 2.0, 2.5, -0.5]])
TOPIC = np.array([0, 0, 0, 1, 1, 1])


def population(model_class=(0, 0, 0, 0, 0, 0)) -> Population:
    return Population(ERRORS, TOPIC, np.array(model_class), np.abs(ERRORS[0]) + 0.1)


def test_uniform_is_the_covariance_over_all_samples():
    estimates = np.array([6 / 3 * ERRORS[:, list(sample)].sum(axis=1) for sample in combinations(range(6), 3)])
    np.testing.assert_allclose(population().covariance("uniform")(3), np.cov(estimates.T, bias=True), atol=1e-12)


@pytest.mark.parametrize(("design", "classes"), [("by topic", (0,) * 6), ("by grade", tuple(TOPIC))])
def test_strata_are_the_covariance_over_all_samples(design, classes):
    samples = product(combinations(range(3), 2), combinations(range(3, 6), 2))
    estimates = np.array([3 / 2 * ERRORS[:, [*one, *two]].sum(axis=1) for one, two in samples])
    found = population(classes).covariance(design)(4)  # 2 of each stratum, which is also the least of Neyman's
    np.testing.assert_allclose(found, np.cov(estimates.T, bias=True), atol=1e-12)


def test_poisson_is_the_covariance_over_all_subsets():
    found = population().covariance("by influence")(2)
    priority = population().priority
    # No probability reaches 1, so each is .8 of its share of 2 plus .2 of 2 / 6.
    probability = 0.8 * 2 * priority / priority.sum() + 0.2 / 3
    assert probability.max() < 1
    total = np.zeros((2, 2))
    for subset in product((False, True), repeat=6):
        drawn = np.array(subset)
        chance = np.prod(np.where(drawn, probability, 1 - probability))
        error = (ERRORS[:, drawn] / probability[drawn]).sum(axis=1) - ERRORS.sum(axis=1)
        total += chance * np.outer(error, error)
    np.testing.assert_allclose(found, total, atol=1e-12)


@pytest.mark.parametrize("design", DESIGNS)
def test_all_grades_leave_no_error(design):
    np.testing.assert_allclose(population(TOPIC).covariance(design)(6), 0, atol=1e-12)


@pytest.mark.parametrize("design", DESIGNS)
def test_more_grades_are_never_less_precise(design):
    covariance = population(TOPIC).covariance(design)
    variances = np.array([np.diag(covariance(n)) for n in (4, 4.5, 5, 5.5, 6)])
    assert (np.diff(variances, axis=0) <= 1e-12).all()
