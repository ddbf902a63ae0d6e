"""Properties of the coefficients for any data."""

from collections.abc import Callable
from functools import partial
from itertools import permutations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from agreement import (
    Estimate,
    Ratings,
    brennan_prediger,
    cohen_kappa,
    conger_kappa,
    fleiss_kappa,
    fleiss_kappa_by_grade,
    gwet_ac,
    krippendorff_alpha,
    mean_pairwise,
    overall,
    percent_agreement,
    pooled_kappa,
)
from agreement.estimate import ALPHA
from tests.agreement.random_ratings import rows

PAIRS = [percent_agreement, pooled_kappa, cohen_kappa, brennan_prediger, gwet_ac]
MANY = [percent_agreement, fleiss_kappa, conger_kappa, brennan_prediger, gwet_ac, krippendorff_alpha]
NAMES = ["identity", "linear", "quadratic", "ordinal"]
COEFFICIENTS = ["percent_agreement", "pooled_kappa", "cohen_kappa", "brennan_prediger", "gwet_ac"]
counts = st.integers(0, 40)
tables = st.integers(2, 5).flatmap(
    lambda size: st.lists(st.lists(counts, min_size=size, max_size=size), min_size=size, max_size=size)
)


def _of_grade(ratings, grade, **options):
    return fleiss_kappa_by_grade(ratings, **options)[grade]


def same(first, second, close=1e-12):
    assert (first.status, first.reason) == (second.status, second.reason)
    if first.defined:
        assert first.value == pytest.approx(second.value, abs=close)


@pytest.mark.parametrize("coefficient", PAIRS)
@given(table=tables, weights=st.sampled_from(NAMES))
def test_swapping_two_judges_changes_nothing(coefficient, table, weights):
    same(coefficient(table, weights=weights), coefficient(np.array(table).T, weights=weights), 0)


@pytest.mark.parametrize("coefficient", MANY)
@given(data=rows(judges=(3, 3)))
def test_the_order_of_judges_and_items_changes_nothing(coefficient, data):
    value = coefficient(Ratings.from_matrix(data, (0, 1, 2), axis="assessors"))

    for order in permutations(data):
        same(coefficient(Ratings.from_matrix([row[::-1] for row in order], (0, 1, 2), axis="assessors")), value)


@pytest.mark.parametrize("coefficient", MANY)
@given(data=rows(), order=st.permutations(range(3)))
def test_renaming_grades_changes_nothing_nominal(coefficient, data, order):
    renamed = [[None if grade is None else order[grade] for grade in row] for row in data]

    same(
        coefficient(Ratings.from_matrix(data, (0, 1, 2), axis="assessors")),
        coefficient(Ratings.from_matrix(renamed, (0, 1, 2), axis="assessors")),
    )


@pytest.mark.parametrize("coefficient", MANY)
@given(data=rows(missing=False), weights=st.sampled_from(NAMES))
def test_reversing_the_scale_changes_nothing(coefficient, data, weights):
    options = {"level": "ordinal"} if coefficient is krippendorff_alpha else {"weights": weights}
    turned = [[2 - grade for grade in row] for row in data]

    same(
        coefficient(Ratings.from_matrix(data, (0, 1, 2), axis="assessors"), **options),
        coefficient(Ratings.from_matrix(turned, (0, 1, 2), axis="assessors"), **options),
    )


@pytest.mark.parametrize("coefficient", PAIRS)
@given(diagonal=st.lists(st.integers(1, 1000), min_size=2, max_size=5), weights=st.sampled_from(NAMES))
def test_perfect_agreement_of_two_is_one(coefficient, diagonal, weights):
    assert coefficient(np.diag(diagonal), weights=weights).value == 1


@pytest.mark.parametrize("coefficient", MANY)
@given(row=st.lists(st.integers(0, 2), min_size=2, max_size=9), n_judges=st.integers(2, 5))
def test_perfect_agreement_of_many_is_one(coefficient, row, n_judges):
    assume(len(set(row)) > 1)

    assert coefficient(Ratings.from_matrix([row] * n_judges, (0, 1, 2), axis="assessors")).value == pytest.approx(
        1, abs=1e-15
    )


@pytest.mark.parametrize("coefficient", MANY)
@given(data=rows(), weights=st.sampled_from(NAMES))
def test_never_above_one(coefficient, data, weights):
    options = {} if coefficient is krippendorff_alpha else {"weights": weights}
    result = coefficient(Ratings.from_matrix(data, (0, 1, 2), axis="assessors"), **options)

    assert not result.defined or result.value <= 1 + 1e-15


@pytest.mark.parametrize("coefficient", PAIRS)
@given(table=tables)
def test_nominal_coefficients_of_two_are_never_below_minus_one(coefficient, table):
    result = coefficient(table)

    assert not result.defined or -1 <= result.value <= 1


@given(table=tables, weights=st.sampled_from(NAMES))
def test_pooled_is_never_above_unpooled_without_weights(table, weights):
    pooled, unpooled = pooled_kappa(table), cohen_kappa(table)

    assume(pooled.defined and unpooled.defined)
    assert pooled.value <= unpooled.value
    assert pooled_kappa(table, weights=weights).observed == cohen_kappa(table, weights=weights).observed


@pytest.mark.parametrize("coefficient", [percent_agreement, fleiss_kappa, conger_kappa, krippendorff_alpha])
@given(data=rows())
def test_an_unused_grade_changes_nothing_if_chance_depends_on_use(coefficient, data):
    same(
        coefficient(Ratings.from_matrix(data, (0, 1, 2), axis="assessors")),
        coefficient(Ratings.from_matrix(data, (0, 1, 2, 3), axis="assessors")),
    )


@given(data=rows())
def test_an_unused_grade_changes_nothing_at_any_level(data):
    narrow, wide = (Ratings.from_matrix(data, scale, axis="assessors") for scale in ((0, 1, 2), (0, 1, 2, 3)))

    for level in ("ordinal", "interval", "ratio"):
        same(krippendorff_alpha(narrow, level), krippendorff_alpha(wide, level))


@given(data=rows())
def test_an_unused_grade_lowers_chance_that_depends_on_the_scale(data):
    narrow, wide = (Ratings.from_matrix(data, scale, axis="assessors") for scale in ((0, 1, 2), (0, 1, 2, 3)))

    for coefficient in (brennan_prediger, gwet_ac):
        few, more = coefficient(narrow), coefficient(wide)
        assert few.status == more.status
        if few.defined:
            assert more.expected <= few.expected
            assert more.observed == few.observed


@given(data=rows(judges=(2, 2), missing=False))
def test_coefficients_of_many_equal_those_of_two_for_two_judges(data):
    ratings = Ratings.from_matrix(data, (0, 1, 2), axis="assessors")
    pooled = pooled_kappa(ratings)

    same(fleiss_kappa(ratings), pooled, 0)
    same(conger_kappa(ratings), cohen_kappa(ratings))
    same(gwet_ac(ratings), gwet_ac(ratings.table("1", "2")), 0)
    same(brennan_prediger(ratings), brennan_prediger(ratings.table("1", "2")), 0)
    alpha, n = krippendorff_alpha(ratings), 2 * len(data[0])
    if pooled.defined:
        assert alpha.value == pytest.approx(1 - (1 - pooled.value) * (n - 1) / n, abs=1e-12)


@given(data=rows(n_grades=2, missing=False))
def test_each_of_two_grades_has_the_kappa_of_all(data):
    ratings = Ratings.from_matrix(data, (0, 1), axis="assessors")

    for result in fleiss_kappa_by_grade(ratings).values():
        same(result, fleiss_kappa(ratings), 0)


@given(data=rows())
def test_counts_give_the_same_values_as_ratings(data):
    ratings = Ratings.from_matrix(data, (0, 1, 2), axis="assessors")
    counted = Ratings.from_counts(ratings.counts, (0, 1, 2))

    for coefficient in (percent_agreement, fleiss_kappa, brennan_prediger, gwet_ac, krippendorff_alpha):
        same(coefficient(counted), coefficient(ratings), 0)


@given(data=rows())
def test_items_with_one_judgement_affect_only_ge1_and_pooled(data):
    ratings = Ratings.from_matrix(data, (0, 1, 2), axis="assessors")
    paired = np.flatnonzero(ratings.counts.sum(axis=1) > 1)
    without = Ratings(ratings.codes[:, paired], (0, 1, 2))

    assume(len(paired))
    for pi_items in ("ge1", "ge2"):
        same(fleiss_kappa(ratings), fleiss_kappa(without, pi_items=pi_items), 0)
    assert fleiss_kappa(ratings).n_dropped == np.count_nonzero(ratings.counts.sum(axis=1) == 1)


# Every coefficient of the judges of ratings; those of two judges compare the first two.
ALL: dict[str, Callable[..., Estimate]] = {
    **{f"{name} of two": partial(overall, coefficient=name, across="pooled", a="1", b="2") for name in COEFFICIENTS},
    **{f"mean {name}": partial(mean_pairwise, coefficient=name) for name in COEFFICIENTS},
    **{coefficient.__name__: coefficient for coefficient in MANY},
    **{f"alpha, {level}": partial(krippendorff_alpha, level=level) for level in ("ordinal", "interval", "ratio")},
    **{f"fleiss of grade {grade}": partial(_of_grade, grade=grade) for grade in (0, 1, 2)},
}
WITHOUT_WEIGHTS = (ALPHA, "alpha", "fleiss of grade")
# A few draws show whether something changes the limits.
INTERVALS = [{"kind": "default", "seed": 1, "draws": 20}]
INTERVALS += [{"kind": kind} for kind in ("analytic", "jackknife", "jackknife_topics")]
JUDGED_ALONE = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 2)), min_size=1, max_size=40)


def options_of(name, weights):
    return {} if name.startswith(WITHOUT_WEIGHTS) else {"weights": weights}


def lowest(name, weights, estimate):
    """The theoretical minimum of a coefficient of three grades."""
    if "percent_agreement" in name:
        return 0
    if name.startswith((ALPHA, "alpha")):
        return -1 + 2 / estimate.n_values
    total = {"identity": 3, "linear": 5, "quadratic": 6, "ordinal": 17 / 3}[weights]  # ordinal: 3 + 4 * 2/3 + 2 * 0
    return -total / (9 - total) if "brennan" in name or "gwet" in name else -1


@pytest.mark.parametrize("name", ALL)
@given(data=rows(), weights=st.sampled_from(NAMES))
def test_a_coefficient_is_between_its_minimum_and_1(name, data, weights):
    ratings = Ratings.from_matrix(data, (0, 1, 2), axis="assessors")
    estimate = ALL[name](ratings, **options_of(name, weights))

    assume(estimate.defined)
    assert estimate.value <= 1 + 1e-12
    if name != "conger_kappa" or not (ratings.codes == -1).any():  # none if the judges judged different items
        assert estimate.value >= lowest(name, weights, estimate) - 1e-12


@given(data=rows(), weights=st.sampled_from(NAMES), pi_items=st.sampled_from(["ge1", "pooled"]))
def test_single_judgements_leave_the_minimum_of_ac(data, weights, pi_items):
    estimate = gwet_ac(Ratings.from_matrix(data, (0, 1, 2), axis="assessors"), weights=weights, pi_items=pi_items)

    assume(estimate.defined)
    assert estimate.value >= lowest("gwet_ac", weights, estimate) - 1e-12


def in_topics(codes, topics):
    """Ratings with three documents in each of some topics, and the others in one more."""
    numbers = np.minimum(np.arange(codes.shape[1]) // 3, topics - 1)
    return Ratings(codes, (0, 1, 2), None, [f"t{number}" for number in numbers])


def assert_unchanged(name, before, after, options, interval):
    """Value, interval, error under chance and warnings are the same; n_dropped and the judges may differ."""
    first, second = (ALL[name](each, **options).interval(**interval) for each in (before, after))

    assume(first.reason not in ("empty", "no_overlap", "one_assessor"))
    same(second, first, 0)
    fields = ("observed", "expected", "n", "low", "high", "se", "se_null", "method", "warnings", "topics")
    assert {field: getattr(second, field) for field in fields} == {field: getattr(first, field) for field in fields}


@pytest.mark.in_ci
@pytest.mark.parametrize("name", ALL)
@given(
    data=rows(),
    alone=JUDGED_ALONE,
    topics=st.integers(1, 3),
    weights=st.sampled_from(NAMES),
    interval=st.sampled_from(INTERVALS),
)
def test_a_document_of_one_judge_changes_nothing(name, data, alone, topics, weights, interval):
    """`alone` are the judge and the grade of further documents."""
    ratings = Ratings.from_matrix(data, (0, 1, 2), axis="assessors")
    codes = np.full((len(data), len(alone)), -1)
    for item, (judge, grade) in enumerate(alone):
        codes[judge, item] = grade
    before, after = (in_topics(each, topics) for each in (ratings.codes, np.hstack([ratings.codes, codes])))

    assert_unchanged(name, before, after, options_of(name, weights), interval)


@pytest.mark.parametrize("name", ALL)
@given(
    data=rows(judges=(2, 4)),
    alone=JUDGED_ALONE,
    topics=st.integers(1, 3),
    weights=st.sampled_from(NAMES),
    interval=st.sampled_from(INTERVALS),
)
def test_a_judge_who_judges_alone_changes_nothing(name, data, alone, topics, weights, interval):
    """`alone` has the grades of a further judge for documents that nobody else judged."""
    codes = Ratings.from_matrix(data, (0, 1, 2), axis="assessors").codes
    further = np.full((len(data) + 1, codes.shape[1] + len(alone)), -1)
    further[:-1, : codes.shape[1]] = codes
    further[-1, codes.shape[1] :] = [grade for _, grade in alone]

    assert_unchanged(name, in_topics(codes, topics), in_topics(further, topics), options_of(name, weights), interval)
