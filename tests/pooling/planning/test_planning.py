"""Planning: how many documents two assessors should both judge, and what a pool costs."""

from math import ceil, sqrt
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from agreement import cohen_kappa
from pooling.planning.expected_kappa import expected_table, kappa_variance, possible_kappas
from pooling.planning.plan import expected_width, plan, plan_hours, plan_overlap
from tests.oracles import oracle

KAPPAS = st.floats(-0.9, 0.99)
PREVALENCES = st.floats(0.05, 0.95)
WIDTHS = st.floats(0.02, 0.9)


# the expected table


def test_the_expected_table_by_hand():
    # p = 0.3: P(E) = 0.09 + 0.49 = 0.58; kappa 0.5: P(A) = 0.79; both relevant (0.79 - 1 + 0.6) / 2 = 0.195.
    assert expected_table(0.5, 0.3) == pytest.approx(np.array([[0.195, 0.105], [0.105, 0.595]]))


def test_the_expected_table_of_assessors_with_a_bias():
    # 0.4 and 0.2: P(E) = 0.08 + 0.48 = 0.56; kappa 0.5: P(A) = 0.78; both (0.78 - 1 + 0.6) / 2 = 0.19.
    assert expected_table(0.5, 0.3, bias=0.2) == pytest.approx(np.array([[0.19, 0.21], [0.01, 0.59]]))


@given(KAPPAS, PREVALENCES, st.floats(-0.08, 0.08))
def test_the_expected_table_has_the_given_kappa_and_margins(kappa, prevalence, bias):
    table = expected_table(kappa, prevalence, bias)
    assert table.sum() == pytest.approx(1)
    assert table.sum(axis=1)[0] == pytest.approx(prevalence + bias / 2)
    assert table.sum(axis=0)[0] == pytest.approx(prevalence - bias / 2)
    expected = table.sum(axis=1) @ table.sum(axis=0)
    assert (np.trace(table) - expected) / (1 - expected) == pytest.approx(kappa, abs=1e-9)


@given(PREVALENCES, st.floats(-0.08, 0.08))
def test_the_largest_and_smallest_kappa_leave_a_cell_empty(prevalence, bias):
    least, greatest = possible_kappas(prevalence, bias)
    assert expected_table(greatest, prevalence, bias).min() == pytest.approx(0, abs=1e-9)
    assert expected_table(least, prevalence, bias).min() == pytest.approx(0, abs=1e-9)
    assert -1 <= least < 0 < greatest <= 1


# the variance


def test_the_variance_by_hand():
    # Equal halves and kappa 0.5: cells 3/8, 1/8, 1/8, 3/8; P(A) = 3/4, P(E) = 1/2. All margins are 1/2.
    # Agreeing: 2 * 3/8 * (1/2 - 1 * 1/4)^2 = 3/64. Differing: (1/4)^2 * 2 * 1/8 * 1^2 = 1/64.
    # Less (3/8 - 1 + 3/4)^2 = 1/64: 3/64. Over (1/2)^4: 3/4.
    assert kappa_variance(expected_table(0.5, 0.5)) == pytest.approx(0.75)


@given(KAPPAS)
def test_with_equal_margins_the_variance_is_1_minus_kappa_squared(kappa):
    # Kappa is then 2 P(A) - 1, with 4 P(A) (1 - P(A)) = 1 - kappa^2 for its variance times n: P(E) stays at 1/2.
    assert kappa_variance(expected_table(kappa, 0.5)) == pytest.approx(1 - kappa**2)


def test_a_published_standard_error():
    # D. G. Bonett, R package statpsych, ci.kappa(.05, 31, 12, 4, 58): kappa 0.6756757, standard error 0.07344761.
    table = np.array([[31, 12], [4, 58]])
    assert sqrt(kappa_variance(table / 105) / 105) == pytest.approx(0.07344761, abs=5e-9)


def test_the_standard_error_of_the_articles_example():
    # The table of Fleiss, Cohen and Everitt (1969), 200 cases; the value is that of R's psych, vcd and irrCAC.
    case = next(case for case in oracle("agreement")["cases"] if case["id"] == "fce1969-unweighted-se")
    table = np.array(case["input"]["table"]) / 200
    assert sqrt(kappa_variance(table) / 200) == pytest.approx(case["expected"], abs=1e-12)


def test_a_published_number_of_cases():
    # R package irr after Cantor (1996), N.cohen.kappa(rate1=0.5, rate2=0.5, k1=0.7, k0=0.85): 96 for a one-sided test
    # at 0.05 with power 0.8. Its n is ((z_a sqrt(q at k0) + z_b sqrt(q at k1)) / (k1 - k0))^2.
    at_k1, at_k0 = (sqrt(kappa_variance(expected_table(kappa, 0.5))) for kappa in (0.7, 0.85))
    z_a, z_b = NormalDist().inv_cdf(0.95), NormalDist().inv_cdf(0.8)
    assert ceil(((z_a * at_k0 + z_b * at_k1) / 0.15) ** 2) == 96


@given(st.lists(st.integers(1, 60), min_size=4, max_size=4))
def test_the_variance_matches_the_interval_computed_afterwards(cells):
    table = np.array(cells).reshape(2, 2)
    n, found = table.sum(), cohen_kappa(table).interval("analytic").se
    assert sqrt(kappa_variance(table / n) / n) == pytest.approx(found, rel=1e-7, abs=1e-9)


# documents judged twice


def test_a_plan_by_hand():
    # q = 0.75; z = 1.959964; n = 0.75 (2 * 1.959964 / 0.2)^2 = 0.75 * 384.146 = 288.11.
    planned = plan_overlap(0.2, 0.5, 0.5)
    assert planned.pairs == 289
    assert planned.width == pytest.approx(2 * 1.959964 * sqrt(0.75 / 289), rel=1e-6)
    assert str(planned) == (
        "289 doubly judged documents give a 95% interval of width 0.200 for kappa 0.5 at prevalence 0.5"
    )


@given(WIDTHS, KAPPAS, PREVALENCES, st.floats(-0.08, 0.08), st.sampled_from([0.8, 0.95, 0.99]))
def test_no_smaller_number_is_sufficient(width, kappa, prevalence, bias, confidence):
    planned = plan_overlap(width, kappa, prevalence, confidence, bias)
    assume(planned.status == "ok" and planned.pairs > 2)
    assert planned.width <= width * (1 + 1e-9)
    assert expected_width(planned.pairs - 1, kappa, prevalence, confidence, bias).width > width * (1 - 1e-9)
    assert expected_width(planned.pairs, kappa, prevalence, confidence, bias) == planned


@given(KAPPAS, PREVALENCES, st.floats(-0.08, 0.08))
def test_the_plan_is_symmetric_in_grades_and_assessors(kappa, prevalence, bias):
    planned = plan_overlap(0.2, kappa, prevalence, bias=bias)
    for other in (
        plan_overlap(0.2, kappa, 1 - prevalence, bias=bias),
        plan_overlap(0.2, kappa, prevalence, bias=-bias),
    ):
        assert other.status == planned.status
        assert (other.width is None) == (planned.width is None)
        assert planned.pairs is None or abs(other.pairs - planned.pairs) <= 1


@given(KAPPAS, PREVALENCES, WIDTHS)
def test_half_the_width_takes_four_times_as_many(kappa, prevalence, width):
    whole, half = plan_overlap(width, kappa, prevalence), plan_overlap(width / 2, kappa, prevalence)
    assume(whole.status == "ok")
    assert whole.pairs * 4 >= half.pairs
    assert half.pairs > (whole.pairs - 1) * 4 - 4


def test_rare_relevance_takes_more_documents():
    pairs = [plan_overlap(0.2, 0.5, prevalence).pairs for prevalence in (0.5, 0.2, 0.1, 0.05, 0.02)]
    assert pairs == sorted(pairs)
    assert pairs[-1] > 5 * pairs[0]


@pytest.mark.soak
@pytest.mark.parametrize(("kappa", "prevalence"), [(0.4, 0.5), (0.6, 0.3), (0.7, 0.2)])
def test_simulated_intervals_are_as_wide_as_planned(kappa, prevalence):
    # 300 campaigns: the mean width is within 5 % of the plan, and about 95 % of the intervals contain kappa (standard
    # deviation 1.3 %; large-sample intervals contain it a little less often).
    planned = plan_overlap(0.2, kappa, prevalence)
    rng = np.random.default_rng(7)
    tables = rng.multinomial(planned.pairs, expected_table(kappa, prevalence).ravel(), size=300).reshape(-1, 2, 2)
    found = [cohen_kappa(table).interval("analytic") for table in tables]
    assert np.mean([each.high - each.low for each in found]) == pytest.approx(planned.width, rel=0.05)
    assert np.mean([each.low <= kappa <= each.high for each in found]) == pytest.approx(0.95, abs=0.04)


def test_the_smallest_number_is_two():
    # q = 1 - 0.81; 0.19 (2 * 1.959964 / 2)^2 = 0.73.
    assert plan_overlap(2, 0.9, 0.5).pairs == 2


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ((0.2, 1, 0.3), "with kappa 1 the variance is 0, so an interval has no width"),
        ((0.2, -1, 0.5), "with kappa -1 the variance is 0, so an interval has no width"),
        ((0.2, 0.5, 0), "kappa is undefined if all judgements are the same"),
        ((0.2, 0.5, 1), "kappa is undefined if all judgements are the same"),
        # p = 0.1: no common document, P(A) = 0.8, P(E) = 0.82, kappa = -0.02 / 0.18.
        ((0.2, -0.5, 0.1), "with prevalence 0.1, kappa must be between -0.111 and 1.000, not -0.5"),
        # 0.4 and 0.2: P(A) at most 0.8, P(E) = 0.56, kappa at most 0.24 / 0.44; at least 0.4: -0.16 / 0.44.
        (
            (0.2, 0.9, 0.3, 0.95, 0.2),
            "with prevalence 0.3 and bias 0.2, kappa must be between -0.364 and 0.545, not 0.9",
        ),
    ],
)
def test_an_undefined_plan_has_a_reason(arguments, reason):
    planned = plan_overlap(*arguments)
    assert (planned.status, planned.pairs, planned.width, planned.reason) == ("undefined", None, None, reason)
    assert str(planned) == f"undefined ({reason})"
    assert expected_width(100, *arguments[1:]).reason == reason


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (
            lambda: plan_overlap(0, 0.5, 0.5),
            "width must be above 0 and at most 2, the range of kappa, not 0",
        ),
        (
            lambda: plan_overlap(float("nan"), 0.5, 0.5),
            "width must be above 0 and at most 2, .*, not nan",
        ),
        (lambda: plan_overlap(0.1, 1.2, 0.5), "kappa must be between -1 and 1, not 1.2"),
        (lambda: plan_overlap(0.1, 0.5, 30), "prevalence must be between 0 and 1, not 30"),
        (lambda: plan_overlap(0.1, 0.5, 0.5, 95), "confidence must be between 0 and 1, both excluded, not 95"),
        (
            lambda: plan_overlap(0.1, 0.5, 0.1, bias=0.3),
            "with prevalence 0.1, bias must be between -0.2 and 0.2, not 0.3",
        ),
        (
            lambda: expected_width(1, 0.5, 0.5),
            "pairs must be a whole number from 2 and below .*, not 1",
        ),
        (lambda: plan_hours(10, 1), "pass either seconds_per_judgement or judgements_per_hour"),
        (
            lambda: plan_hours(10, 1, seconds_per_judgement=1, judgements_per_hour=1),
            "pass either seconds_per_judgement or judgements_per_hour",
        ),
        (lambda: plan_hours(10, 1, judgements_per_hour=0), "the pace must be between .*, not 0"),
        (
            lambda: plan_hours(-1, 1, judgements_per_hour=60),
            "pool_size must be a whole number from 0 and below .*, not -1",
        ),
        (lambda: plan_hours(1, -1, judgements_per_hour=60), "judges must be a number from 0 and below .*, not -1"),
        (lambda: plan_hours(1, 1, judgements_per_hour=60, repeats=5), "repeats must be a share from 0 to 1, not 5"),
        (lambda: plan_hours(1, 1, judgements_per_hour=60, assessors=0), "assessors must be a whole number from 1"),
        (lambda: plan_overlap(2.1, 0.5, 0.5), "width must be above 0 and at most 2, .*, not 2.1"),
        (lambda: plan_overlap("0.1", 0.5, 0.5), "width must be above 0 and at most 2, .*, not '0.1'"),
        (lambda: plan_overlap(True, 0.5, 0.5), "width must be above 0 and at most 2, .*, not True"),
        (lambda: plan_overlap(1e-9, 0.5, 0.5), "an interval of width 1e-09 needs more than .* documents"),
        (lambda: plan_overlap(1e-200, 0.5, 0.5), "an interval of width 1e-200 needs more than .* documents"),
        (lambda: plan_overlap(5e-324, 0.5, 0.5), "an interval of width 5e-324 needs more than .* documents"),
        (lambda: plan_overlap(0.1, None, 0.5), "kappa must be a number, not None"),
        (lambda: plan_overlap(0.1, 0.5, "0.5"), "prevalence must be a number, not '0.5'"),
        (lambda: expected_width(2.5, 0.5, 0.5), "pairs must be a whole number from 2 .*, not 2.5"),
        (lambda: expected_width("9", 0.5, 0.5), "pairs must be a whole number from 2 .*, not '9'"),
        (lambda: expected_width(10**400, 0.5, 0.5), "pairs must be a whole number from 2 .*, not 1000"),
        (lambda: plan_hours(10.0, 1, judgements_per_hour=60), "pool_size must be a whole number .*, not 10.0"),
        (lambda: plan_hours(True, 1, judgements_per_hour=60), "pool_size must be a whole number .*, not True"),
        (lambda: plan_hours(10, float("inf"), judgements_per_hour=60), "judges must be a number .*, not inf"),
        (
            lambda: plan_hours(1, 1, judgements_per_hour=60, assessors=1.5),
            "assessors must be a whole .*, not 1.5",
        ),
        (lambda: plan_hours(1, 1, judgements_per_hour="60"), "the pace must be between .*, not '60'"),
        (lambda: plan("10", width=0.2, kappa=0.5, prevalence=0.5), "pool_size must be a whole number .*, not '10'"),
        (
            lambda: plan(10, width=0.2, kappa=0.5, prevalence=0.5, judgements_per_hour=60, assessors=None),
            "assessors must be a whole number from 1 .*, not None",
        ),
    ],
)
def test_invalid_arguments_are_refused(make, sentence):
    with pytest.raises(ValueError, match=sentence):
        make()


def test_a_level_close_to_1_has_a_wide_interval():
    planned = expected_width(100, 0.5, 0.5, confidence=np.nextafter(1, 0))
    assert expected_width(100, 0.5, 0.5, confidence=0.99).width < planned.width < 2


def test_numpy_integers_are_accepted():
    assert expected_width(np.int64(289), 0.5, 0.5) == plan_overlap(np.float64(0.2), 0.5, 0.5)
    assert plan_hours(np.int32(100), 1, judgements_per_hour=60) == plan_hours(100, 1, judgements_per_hour=60)


# hours


def test_hours_by_hand():
    # 1,000 tasks, 2 judges, a twentieth again: 2,000 + 100 judgements of 30 s: 63,000 s = 17.5 h; 525 each: 4.375 h.
    cost = plan_hours(1000, 2, seconds_per_judgement=30, repeats=0.05, assessors=4)
    assert (cost.judgements, cost.repeats, cost.hours, cost.hours_per_assessor) == (2100, 100, 17.5, 4.375)
    assert str(cost) == (
        "2,100 judgements (100 of them hidden repeats) of 30 seconds take 17.5 assessor-hours, 4.4 for each of 4"
    )


def test_the_pace_can_be_judgements_per_hour():
    assert plan_hours(100, 1, judgements_per_hour=120) == plan_hours(100, 1, seconds_per_judgement=30)


def test_hours_per_assessor_are_the_maximum():
    # 10 judgements for 3: one has 4.
    assert plan_hours(10, 1, judgements_per_hour=1, assessors=3).hours_per_assessor == 4


def test_fractional_judges_mean_a_sample_judged_twice():
    assert plan_hours(1000, 1.2, judgements_per_hour=60).judgements == 1200


def test_an_empty_pool_takes_no_hours():
    assert plan_hours(0, 2, judgements_per_hour=60).hours == 0


# both


def test_a_whole_plan():
    # 289 of 2,000 twice: 2,289 judgements at 60 an hour.
    planned = plan(2000, width=0.2, kappa=0.5, prevalence=0.5, judgements_per_hour=60)
    assert planned.overlap.pairs == 289
    assert planned.share == 289 / 2000
    assert planned.enough
    assert planned.hours.judgements == 2289
    assert str(planned) == (
        "289 doubly judged documents give a 95% interval of width 0.200 for kappa 0.5 at prevalence 0.5:"
        " 14.4% of the pool. 2,289 judgements of 60 seconds take 38.1 assessor-hours, 19.1 for each of 2."
    )


def test_a_pool_smaller_than_the_overlap_is_judged_twice_with_a_warning():
    planned = plan(100, width=0.2, kappa=0.5, prevalence=0.5, judgements_per_hour=60)
    assert (planned.share, planned.enough, planned.hours.judgements) == (1, False, 200)
    assert "The pool is smaller than that." in str(planned)


def test_an_empty_pool_has_no_overlap_and_costs_nothing():
    planned = plan(0, width=0.2, kappa=0.5, prevalence=0.5, judgements_per_hour=60)
    assert (planned.share, planned.enough, planned.hours.hours) == (0, False, 0)


def test_without_an_overlap_hours_are_for_judging_once():
    planned = plan(100, width=0.2, kappa=1, prevalence=0.5, judgements_per_hour=60)
    assert (planned.share, planned.enough, planned.hours.judgements) == (None, False, 100)
    assert str(planned).startswith("No overlap can be planned: with kappa 1 the variance is 0")
