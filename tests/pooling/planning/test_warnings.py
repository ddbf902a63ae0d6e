"""The warning that an interval of kappa does not hold: by hand, exactly, and by simulation."""

from itertools import product
from statistics import NormalDist

import numpy as np
import pytest

from agreement import cohen_kappa
from pooling.planning.expected_kappa import expected_table
from pooling.planning.plan import expected_width, plan, plan_overlap


def contains(tables, kappa, level):
    """Whether the analytic interval of each table contains kappa; False if kappa is undefined."""
    quantile = NormalDist().inv_cdf((1 + level) / 2)
    found = [cohen_kappa(table.reshape(2, 2)).interval("analytic") for table in tables]
    return np.array([each.se is not None and abs(each.value - kappa) <= quantile * each.se for each in found])


def exact_coverage(planned):
    """How often the interval contains kappa, by all tables of the number of documents."""
    n = planned.pairs
    counts = np.array(
        [(a, b, c, n - a - b - c) for a in range(n + 1) for b in range(n + 1 - a) for c in range(n + 1 - a - b)]
    )
    log_factorial = np.concatenate([[0], np.cumsum(np.log(np.arange(1, n + 1)))])
    shares = expected_table(planned.kappa, planned.prevalence, planned.bias).ravel()
    probability = np.exp(log_factorial[n] - log_factorial[counts].sum(axis=1) + counts @ np.log(shares))
    likely = probability > 1e-9
    return float(probability[likely] @ contains(counts[likely], planned.kappa, 0.95))


def test_a_plan_whose_interval_does_not_hold_has_a_warning():
    # 52 documents; P(E) = 0.68, P(A) = 0.968: 52 * 0.032 = 1.7 disagreements; both relevant: 52 * 0.184 = 9.6.
    planned = plan_overlap(0.3, 0.9, 0.2)
    assert planned.warning == (
        "the interval may not hold: only 1.7 documents on which the assessors differ and 9.6 documents that both find"
        " relevant are expected, and with fewer than 10 a 95% interval often contains kappa less often than that"
    )
    assert planned.status == "ok"
    assert str(planned).endswith(f"for kappa 0.9 at prevalence 0.2; {planned.warning}")
    assert expected_width(52, 0.9, 0.2) == planned
    whole = plan(500, width=0.3, kappa=0.9, prevalence=0.2, judgements_per_hour=60)
    assert f" of the pool. T{planned.warning[1:]}. 552 judgements" in str(whole)


def test_documents_that_both_find_not_relevant_must_be_expected_too():
    assert "9.6 documents that both find not relevant" in plan_overlap(0.3, 0.9, 0.8).warning


@pytest.mark.parametrize(("pairs", "warns"), [(79, True), (80, False)])
def test_ten_documents_of_each_kind_are_enough(pairs, warns):
    # Equal halves and kappa 0.5: 3/8, 1/4 (on which they differ), 3/8: 40 are enough. With kappa 0.75: 7/16, 1/8, 7/16.
    assert (expected_width(pairs, 0.75, 0.5).warning is not None) == warns
    assert expected_width(40, 0.5, 0.5).warning is None


def test_a_narrow_interval_has_no_warning():
    for width in (0.05, 0.1):
        assert plan_overlap(width, 0.6, 0.3).warning is None
        assert "may not hold" not in str(plan_overlap(width, 0.6, 0.3))


def test_an_undefined_plan_has_no_warning():
    assert plan_overlap(0.2, 1, 0.3).warning is None


@pytest.mark.slow
def test_the_interval_with_a_warning_does_not_hold():
    assert exact_coverage(plan_overlap(0.3, 0.9, 0.2)) == pytest.approx(0.816, abs=0.005)


@pytest.mark.soak
@pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
def test_intervals_without_a_warning_hold(level):
    # 2,000 campaigns for each plan: at most 5 points less than the level; the standard error is below 0.7.
    rng = np.random.default_rng(8)
    warned = without = 0
    for kappa, prevalence, width in product((0.2, 0.6, 0.9), (0.05, 0.2, 0.5), (0.1, 0.2, 0.3, 0.5)):
        planned = plan_overlap(width, kappa, prevalence, level)
        if planned.warning is not None:
            warned += 1
            continue
        without += 1
        tables = rng.multinomial(planned.pairs, expected_table(kappa, prevalence).ravel(), size=2_000)
        distinct, times = np.unique(tables, axis=0, return_counts=True)
        assert times @ contains(distinct, kappa, level) / times.sum() >= level - 0.05, (kappa, prevalence, width)
    assert min(warned, without) >= 10
