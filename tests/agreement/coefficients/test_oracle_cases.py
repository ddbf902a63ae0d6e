"""Values on which several programs agree: coefficients, standard errors, limits, and undefined cases."""

from fractions import Fraction

import pytest

from agreement import (
    Ratings,
    brennan_prediger,
    cohen_kappa,
    conger_kappa,
    fleiss_kappa,
    fleiss_kappa_by_grade,
    gwet_ac,
    krippendorff_alpha,
    mean_pairwise,
    percent_agreement,
    pooled_kappa,
)
from tests.oracles import oracle

CASES = oracle("agreement")["cases"]
FUNCTIONS = {
    "percent_agreement": percent_agreement,
    "scott_pi": pooled_kappa,
    "cohen_kappa": cohen_kappa,
    "brennan_prediger": brennan_prediger,
    "gwet_ac1": gwet_ac,
    "gwet_ac2": gwet_ac,
    "fleiss_kappa": fleiss_kappa,
    "conger_kappa": conger_kappa,
}
MEANS = {"light_kappa": "cohen_kappa", "mean_pairwise_scott": "pooled_kappa"}
ROUNDED = {"conger_kappa", *MEANS}  # all others are the float nearest to the true fraction
WITH_PI_ITEMS = {"fleiss_kappa", "conger_kappa", "gwet_ac1", "gwet_ac2", "brennan_prediger"}
REASONS = {
    "edge-empty-overlap": "no_overlap",
    "edge-empty-overlap-alpha": "no_overlap",
    "edge-one-rater": "one_assessor",
}
FIELDS = {"value": "value", "se": "se", "se_gwet": "se", "se_null": "se_null", "ci_low": "low", "ci_high": "high"}


def data_of(case):
    given, scale = case["input"], tuple(case["categories"])
    if given["kind"] == "table":
        return given["table"]
    if given["kind"] == "counts":
        return Ratings.from_counts(given["counts"], scale)
    return Ratings.from_matrix(given["ratings"], scale, axis="assessors")


def estimate_of(case):
    estimate = coefficient_of(case)
    return estimate if case["statistic"] == "value" else estimate.interval("analytic")


def coefficient_of(case):
    name, data, options = case["coefficient"], data_of(case), {}
    if name == "krippendorff_alpha":
        return krippendorff_alpha(data, case["level"])
    if name == "fleiss_kappa_category":
        return fleiss_kappa_by_grade(data)[case["categories"][case["category_index"]]]
    if name in MEANS:
        return mean_pairwise(data, MEANS[name])
    if name in WITH_PI_ITEMS:
        options["pi_items"] = case.get("pi_items", "ge1")  # the convention of irrCAC
    return FUNCTIONS[name](data, weights=case.get("custom_weights", case["weights"]), **options)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_values_on_which_several_programs_agree(case):
    estimate = estimate_of(case)

    assert estimate.status == case["status"]
    if case["status"] == "undefined":
        assert estimate.value is None
        assert estimate.reason == REASONS.get(case["id"], "one_category")
    else:
        assert getattr(estimate, FIELDS[case["statistic"]]) == pytest.approx(case["expected"], abs=1e-9)


@pytest.mark.parametrize(
    "case",
    [case for case in CASES if "expected_fraction" in case and case["coefficient"] not in ROUNDED],
    ids=lambda case: case["id"],
)
def test_values_are_the_floats_of_the_exact_fractions(case):
    assert estimate_of(case).value == float(Fraction(case["expected_fraction"]))


@pytest.mark.parametrize("case", [case for case in CASES if case["statistic"] == "value"], ids=lambda case: case["id"])
def test_observed_and_expected(case):
    estimate = estimate_of(case)
    expected = {"observed": case.get("pa", case.get("Do")), "expected": case.get("pe", case.get("De"))}

    for field, value in expected.items():
        if value is not None and getattr(estimate, field) is not None:
            assert getattr(estimate, field) == pytest.approx(value, abs=1e-12)
    if "n" in case:
        assert estimate.n_values == case["n"]
