"""The unpaired tests: by hand, published, against scipy and statsmodels, properties, and without a p."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.meta_analysis import effectsize_smd

from agreement import compare_systems, compare_unpaired
from agreement.significance import REASONS, UNPAIRED_TESTS
from agreement.significance.unpaired import Samples
from tests.agreement.significance.test_paired_tests import SLEEP

# R's example of wilcox.test (Hollander & Wolfe 1973, p. 69): permeability of the human chorioamnion.
AT_TERM = [0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46]
EARLY = [1.15, 0.88, 0.90, 0.74, 1.21]


def by_system(*samples) -> dict:
    """Scores of systems a, b, ... on topics of their own."""
    return {
        name: {f"{name}{topic}": score for topic, score in enumerate(scores)}
        for name, scores in zip("abcdef", samples, strict=False)
    }


def only(a, b, test, **options) -> pd.Series:
    """The row of the one pair of two systems."""
    frame = compare_unpaired(by_system(a, b), test, **options)
    assert len(frame) == 1
    return frame.iloc[0]


def random_samples(seed: int, n_a: int, n_b: int, steps: int = 0) -> list[np.ndarray]:
    rng = np.random.default_rng(seed)
    samples = [rng.beta(2, 2, n_a), rng.beta(3, 2, n_b)]
    return [np.round(values * steps) / steps for values in samples] if steps else samples


# By hand


def test_student_by_hand():
    # means 2 and 0.5, variances 1 and 0.5: v = (2 + 0.5) / 3, error = sqrt(v (1/3 + 1/2))
    row = only([1, 2, 3], [0, 1], "student")
    assert row.difference == 1.5
    assert row.effect_size == pytest.approx((1 - 3 / 11) * 1.5 / (2.5 / 3) ** 0.5)
    t = 1.5 / (2.5 / 3 * 5 / 6) ** 0.5
    assert row.p == pytest.approx(2 * stats.t.sf(t, 3))


def test_welch_by_hand():
    # v / n: 1/3 and 1/4; degrees of freedom (7/12)^2 / ((1/3)^2 / 2 + (1/4)^2 / 1) = 49/17
    row = only([1, 2, 3], [0, 1], "welch")
    assert row.p == pytest.approx(2 * stats.t.sf(1.5 / (7 / 12) ** 0.5, 49 / 17))
    assert row.effect_size == pytest.approx(1.5 / 0.75**0.5)


def test_mann_whitney_by_hand():
    # 5 of 6 pairs are won, and 1 is tied: U = 5.5. Of the 10 divisions of 0 1 1 2 3 none has more, and 2 have as much
    row = only([1, 2, 3], [0, 1], "mann-whitney")
    assert row.effect_size == pytest.approx(2 * 5.5 / 6 - 1)
    assert row.p == pytest.approx(2 * 2 / 10)
    # without ties: 1 of 20 divisions is as extreme on either side
    assert only([4, 5, 6], [1, 2, 3], "mann-whitney").p == pytest.approx(2 / 20)


# Published


def test_welch_of_the_sleep_data_as_r_prints_it():
    # t.test(extra ~ group): t = -1.8608, df = 17.776, p-value = 0.07939, interval -3.3654832 0.2054832
    row = only(*SLEEP, "welch")
    assert row.p == pytest.approx(0.07939, abs=5e-6)
    assert (row.low, row.high) == pytest.approx((-3.3654832, 0.2054832), abs=5e-8)


def test_student_of_the_sleep_data_as_r_prints_it():
    # t.test(extra ~ group, var.equal = TRUE): df = 18, p-value = 0.07919, interval -3.363874 0.203874
    row = only(*SLEEP, "student")
    assert row.p == pytest.approx(0.07919, abs=5e-6)
    assert (row.low, row.high) == pytest.approx((-3.363874, 0.203874), abs=5e-7)


def test_mann_whitney_of_the_permeability_data_as_r_prints_it():
    # wilcox.test(x, y, alternative = "greater"): W = 35, p-value = 0.1272
    row = only(AT_TERM, EARLY, "mann-whitney")
    assert row.p == pytest.approx(2 * 0.1272, abs=1e-4)
    assert row.effect_size == pytest.approx(2 * 35 / 50 - 1)


# Oracles

SIZES = [(2, 2, 0), (3, 7, 0), (8, 40, 0), (9, 9, 4), (20, 30, 10), (50, 12, 0)]


@pytest.mark.parametrize("sizes", SIZES, ids=str)
@pytest.mark.parametrize(("test", "equal"), [("student", True), ("welch", False)])
def test_t_tests_against_scipy(test, equal, sizes):
    a, b = random_samples(1, *sizes)
    row, result = only(a, b, test, alpha=0.1), stats.ttest_ind(a, b, equal_var=equal)
    assert row.p == pytest.approx(result.pvalue, abs=1e-12)
    assert (row.low, row.high) == pytest.approx(tuple(result.confidence_interval(0.9)), abs=1e-12)


@pytest.mark.parametrize("sizes", SIZES, ids=str)
def test_mann_whitney_against_scipy(sizes):
    a, b = random_samples(2, *sizes)
    row = only(a, b, "mann-whitney")
    assert row.p == pytest.approx(stats.mannwhitneyu(a, b).pvalue, abs=1e-12)
    assert row.effect_size == pytest.approx(2 * stats.mannwhitneyu(a, b).statistic / (len(a) * len(b)) - 1)


def test_mann_whitney_with_few_tied_topics_against_all_divisions():
    a, b = [0.1, 0.5, 0.5, 0.9], [0.5, 0.7, 0.9, 0.9, 1.0]
    scores = np.array(a + b)

    def u(chosen):
        others = np.delete(scores, chosen)
        return sum((x > others).sum() + (x == others).sum() / 2 for x in scores[list(chosen)])

    every = np.array([u(chosen) for chosen in combinations(range(9), 4)])
    lower, upper = (every <= u(range(4))).mean(), (every >= u(range(4))).mean()
    assert only(a, b, "mann-whitney").p == pytest.approx(min(1, 2 * min(lower, upper)))


def test_hedges_g_against_statsmodels():
    a, b = random_samples(3, 12, 19)
    expected, _ = effectsize_smd(a.mean(), a.std(ddof=1), 12, b.mean(), b.std(ddof=1), 19)
    assert only(a, b, "student").effect_size == pytest.approx(expected, abs=1e-12)


# Properties

SCORES = st.lists(st.integers(0, 6).map(lambda step: step / 6), min_size=0, max_size=7)


@given(SCORES, SCORES, st.sampled_from(sorted(UNPAIRED_TESTS)))
def test_swapping_the_systems_changes_only_the_sign(a, b, test):
    row, swapped = only(a, b, test), only(b, a, test)
    for figure, other in (("difference", "difference"), ("effect_size", "effect_size"), ("low", "high")):
        assert pd.isna(row[figure]) == pd.isna(swapped[other])
        assert pd.isna(row[figure]) or row[figure] == pytest.approx(-swapped[other], abs=1e-9)
    assert pd.isna(row.p) == pd.isna(swapped.p)
    assert pd.isna(row.p) or row.p == pytest.approx(swapped.p, abs=1e-9)


@given(SCORES, SCORES, st.sampled_from(sorted(UNPAIRED_TESTS)))
def test_a_reason_is_given_exactly_if_a_figure_of_a_pair_is_missing(a, b, test):
    row = only(a, b, test)
    assert row[["effect_size", "low", "high", "p"]].isna().any() == pd.notna(row.reason)
    assert pd.isna(row.reason) or row.reason in REASONS
    assert pd.isna(row.p) or 0 <= row.p <= 1


@given(SCORES, SCORES)
def test_an_increasing_transformation_does_not_change_mann_whitney(a, b):
    row, other = only(a, b, "mann-whitney"), only([x**3 - 1 for x in a], [x**3 - 1 for x in b], "mann-whitney")
    assert row[["effect_size", "p"]].equals(other[["effect_size", "p"]])


def test_every_form_of_input_has_the_same_result():
    scores = by_system(*random_samples(4, 5, 8), [0.5, 0.25])
    expected = compare_unpaired(scores)
    wide = pd.DataFrame(scores).T
    long = [(system, topic, value) for system, row in scores.items() for topic, value in row.items()]
    for same in (wide, wide.iloc[:, ::-1], pd.DataFrame(long, columns=["system", "query_id", "value"])):
        pd.testing.assert_frame_equal(compare_unpaired(same), expected, check_exact=True)


def test_a_pair_does_not_depend_on_other_systems_but_its_correction_does():
    samples = [*random_samples(5, 12, 15), *random_samples(6, 9, 20)]
    whole, part = (compare_unpaired(by_system(*chosen)).iloc[0] for chosen in (samples, samples[:2]))
    assert whole.p == part.p == part.p_adjusted
    assert whole.p_adjusted >= whole.p


# Without a p


@pytest.mark.parametrize("test", UNPAIRED_TESTS)
def test_degenerate_samples_have_a_reason(test):
    nothing, one, constant, other, varied = [], [0.5], [0.5, 0.5, 0.5], [0.75, 0.75], [0.25, 0.5, 1]
    assert only(nothing, varied, test).reason == "no_topics"
    assert pd.isna(only(nothing, varied, test).difference)
    assert only(one, varied, test).reason == "one_topic"
    assert only(constant, constant, test).difference == 0
    assert only(constant, other, test).reason == "no_variance"
    assert pd.isna(only(constant, varied, test).reason)


@pytest.mark.parametrize("test", UNPAIRED_TESTS)
def test_identical_constant_systems_have_p_1_under_every_test(test):
    # as in compare_systems; the correction of other pairs does not depend on the test either
    row = only([0.5, 0.5, 0.5], [0.5, 0.5], test)
    assert (row.p, row.p_adjusted, row.significant) == (1, 1, False)
    assert row.reason == "no_difference"
    assert only([0.5], [0.5], test).p == 1
    assert pd.isna(only([], [0.5], test).p)
    assert pd.isna(only([0.5, 0.5], [0.75, 0.75], "welch").p)
    several = compare_unpaired(by_system([0.5, 0.5], [0.5, 0.5, 0.5], [0.1, 0.9]), test)
    assert several.attrs["n_tests"] == 3


def test_common_topics_are_counted_and_noted():
    a = {f"q{n}": n / 100 for n in range(60)}
    b = {f"q{n}": n / 90 for n in range(10, 70)}  # q10 to q59 are common
    c = {f"c{n}": n / 80 for n in range(60)}
    frame = compare_unpaired({"a": a, "b": b, "c": c})
    assert frame["n_common"].tolist() == [50, 0, 0]
    assert frame.attrs["note"].startswith("1 pair of systems with common topics (up to 50 topics; column n_common)")
    assert "not independent. Compare such systems on their common topics with compare_systems." in frame.attrs["note"]
    assert "not independent" in " ".join(repr(frame).split())
    few = compare_unpaired({"a": {"q1": 1, "q2": 3}, "b": {"q2": 2, "q3": 5}}).attrs["note"]
    assert few.startswith("With 2 topics, fewer than 50")
    assert "1 pair of systems with common topics (up to 1 topic; column n_common)" in few
    assert compare_unpaired({"a": a, "c": c}).attrs["note"] is None


def test_ids_that_differ_only_in_type_are_refused():
    sentence = (
        "Every topic must occur once in the scores, but 1 and '1' are the same topic: ids are compared as strings"
    )
    with pytest.raises(ValueError, match=sentence):
        compare_unpaired({"a": {1: 0.5, 2: 0.75}, "b": {"1": 0.25, "3": 0.5}})
    with pytest.raises(ValueError, match=sentence):
        compare_unpaired(pd.DataFrame([[1, 2], [3, 4]], columns=[1, "1"]))
    with pytest.raises(ValueError, match=r"but 1\.0 and '1' are the same topic"):
        compare_unpaired({"a": {1.0: 0.5}, "b": {"1": 0.25}})
    with pytest.raises(ValueError, match="but 7 and '7' are the same system"):
        compare_unpaired({7: {"1": 0.5}, "7": {"2": 0.25}})


def test_scores_that_differ_by_rounding_are_tied():
    third = 0.1 + 0.2
    assert only([0.3, third, 0.3], [third, 0.3], "welch").reason == "no_difference"
    row = only([0.3, third], [third, 0.3, 0.3], "mann-whitney")
    assert (row.p, row.effect_size) == (1, 0)


@pytest.mark.parametrize("test", UNPAIRED_TESTS)
@pytest.mark.parametrize("n_systems", [0, 1])
def test_fewer_than_two_systems_have_no_pair(test, n_systems):
    frame = compare_unpaired(pd.DataFrame(np.ones((n_systems, 3))), test)
    assert frame.empty
    assert frame.attrs["n_tests"] == 0


@pytest.mark.parametrize(
    ("invalid", "sentence"),
    [
        ({"test": "t"}, "test must be one of welch, student, mann-whitney, not 't'"),
        ({"correction": "sidak"}, "correction must be one of none, bonferroni, holm, benjamini-hochberg, not 'sidak'"),
        ({"alpha": 1}, "alpha must be between 0 and 1, such as 0.05, not 1"),
        ({"alpha": "0.05"}, "alpha must be between 0 and 1, such as 0.05, not '0.05'"),
        ({"test": ["welch"]}, r"test must be one of welch, student, mann-whitney, not \['welch'\]"),
    ],
)
def test_invalid_options_are_refused(invalid, sentence):
    with pytest.raises(ValueError, match=sentence):
        compare_unpaired(by_system([1, 2], [3, 4]), **invalid)


def test_invalid_scores_are_refused():
    with pytest.raises(ValueError, match="Every score must be a finite number, not inf for system b, topic b0"):
        compare_unpaired(by_system([1, 2], [np.inf, 4]))
    with pytest.raises(ValueError, match="Every system must occur once in the scores, but 'a' occurs twice"):
        compare_unpaired(pd.DataFrame([[1, 2], [3, 4]], index=["a", "a"]))


# Simulation


def share_significant(test, seed, draw_a, draw_b, n_pairs=500) -> float:
    """The share of p <= 0.05 among independent pairs of systems that draw their scores from two distributions."""
    rng = np.random.default_rng(seed)
    scores = [dict(enumerate(draw(rng))) for draw in (draw_a, draw_b) for _ in range(n_pairs)]
    samples = Samples.from_scores(pd.DataFrame(scores))
    pairs = replace(samples, first=np.arange(n_pairs), second=n_pairs + np.arange(n_pairs))
    return float((UNPAIRED_TESTS[test](pairs, 0.05).p <= 0.05).mean())


@pytest.mark.in_ci
@pytest.mark.parametrize("test", UNPAIRED_TESTS)
def test_one_of_twenty_pairs_of_equal_systems_is_significant(test):
    share = share_significant(test, 7, lambda rng: rng.normal(size=12), lambda rng: rng.normal(size=20))
    assert share == pytest.approx(0.05, abs=0.02)


def test_welch_keeps_its_level_where_student_does_not():
    # the system with fewer topics has the larger variance
    draws = (lambda rng: rng.normal(0, 4, 8), lambda rng: rng.normal(0, 1, 40))
    assert share_significant("welch", 8, *draws) == pytest.approx(0.05, abs=0.02)
    assert share_significant("student", 8, *draws) > 0.2


def test_on_the_same_topics_the_paired_test_finds_more():
    rng = np.random.default_rng(9)
    topics = rng.normal(0, 1, 30)
    scores = pd.DataFrame([topics + rng.normal(0.3, 0.2, 30), topics + rng.normal(0, 0.2, 30)], index=["a", "b"])
    assert compare_systems(scores)["p"][0] < 0.001 < 0.05 < compare_unpaired(scores)["p"][0]
