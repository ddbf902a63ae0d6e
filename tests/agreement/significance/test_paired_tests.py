"""The paired tests: by hand, published, against scipy and slow twins, properties, and without a p."""

from itertools import permutations, product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from agreement.significance import compare_systems
from tests.examples import examples

# R's data set `sleep` (Student 1908): extra hours of sleep with two drugs.
SLEEP = [[0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0], [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]]
# Hollander & Wolfe (1973), p. 29: depression scores before and after, the example of R's wilcox.test.
DEPRESSION = [[1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30]]
DEPRESSION += [[0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29]]
# Darwin's maize, crossed minus self-fertilised, in eighths of an inch (Fisher 1935, section 21).
MAIZE = [[49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48], [0] * 15]


def table(scores) -> pd.DataFrame:
    scores = np.asarray(scores, dtype=float)
    systems = pd.Index([f"s{number}" for number in range(len(scores))], name="system")
    return pd.DataFrame(scores, index=systems, columns=[f"q{number}" for number in range(scores.shape[1])])


def only(scores, test, **options) -> pd.Series:
    """The row of the one pair of two systems."""
    frame = compare_systems(table(scores), test, **options)
    assert len(frame) == 1
    return frame.iloc[0]


def random_scores(seed: int, n_systems: int, n_topics: int, steps: int = 0) -> np.ndarray:
    """Scores as a measure gives them: topics differ, and with `steps` there are ties and zeros."""
    rng = np.random.default_rng(seed)
    scores = rng.beta(2, 2, (n_systems, n_topics)) * rng.random(n_topics) + rng.random((n_systems, 1)) / 8
    return np.round(scores * steps) / steps if steps else scores


# By hand


def test_t_by_hand():
    # differences 1, 2, 3: mean 2, s = 1, t = 2 / (1 / sqrt 3) = 3.4641 with 2 degrees of freedom, where
    # P(|T| >= t) = 1 - t / sqrt(t^2 + 2) = 1 - sqrt(12 / 14)
    row = only([[1, 2, 3], [0, 0, 0]], "t")
    assert row.difference == 2
    assert row.effect_size == 2
    assert row.p == pytest.approx(1 - (12 / 14) ** 0.5, abs=1e-15)
    # 2 -+ 4.302653 / sqrt 3
    assert (row.low, row.high) == pytest.approx((-0.484138, 4.484138), abs=1e-6)


def test_sign_by_hand():
    # four won, one lost, one tied: 2 * (1 + 5) / 2^5
    row = only([[1, 1, 1, 1, 0, 0], [0, 0, 0, 0, 1, 0]], "sign")
    assert row.p == pytest.approx(12 / 32, abs=1e-15)
    assert row.effect_size == 4 / 5


def test_wilcoxon_by_hand():
    # sizes 1, 2, 3 with signs + + -: W+ = 3, W- = 3; sums of subsets of {1, 2, 3}: 0 1 2 3 3 4 5 6, so P(W <= 3) = 5/8
    row = only([[1, 2, 0], [0, 0, 3]], "wilcoxon")
    assert row.p == 1
    assert row.effect_size == 0
    # signs + + +: W+ = 6, P(W >= 6) = 1/8
    assert only([[1, 2, 3], [0, 0, 0]], "wilcoxon").p == 2 / 8
    # sizes 1, 1, 2 and a zero: ranks 1.5, 1.5, 3 with signs + - +; W+ = 4.5, W- = 1.5; sums 0 1.5 1.5 3 3 4.5 4.5 6
    row = only([[1, 0, 2, 5], [0, 1, 0, 5]], "wilcoxon")
    assert row.p == 2 * 3 / 8
    assert row.effect_size == 3 / 6


def test_randomisation_by_hand():
    # differences 1, 2, 3: of the 8 sums -6 -4 -2 0 0 2 4 6 two are as extreme as 6
    row = only([[1, 2, 3], [0, 0, 0]], "randomisation")
    assert row.p == 2 / 8
    # differences 1, 2, -3: the sum is 0, and no sum is less extreme
    assert only([[1, 2, 0], [0, 0, 3]], "randomisation").p == 1


def test_tukey_by_hand():
    # one topic: however it is shuffled, its range is 3, and only the pair that is 3 apart is not below it
    frame = compare_systems(table([[0], [1], [3]]), "tukey", seed=1, draws=99)
    assert frame["p"].tolist() == [1, 1, 1]
    # two systems, one topic ahead by 1 in both: the range of sums is 2 or 0, each with chance 1/2
    frame = compare_systems(table([[1, 1], [0, 0]]), "tukey", seed=1, draws=9999)
    assert frame["p"][0] == pytest.approx(1 / 2, abs=0.02)


# Published


def test_t_of_the_sleep_data_as_r_prints_it():
    # t = -4.0621, df = 9, p-value = 0.002833, 95 percent confidence interval -2.4598858 -0.7001142, mean -1.58
    row = only(SLEEP, "t")
    assert row.difference == pytest.approx(-1.58, abs=1e-12)
    assert row.effect_size * 10**0.5 == pytest.approx(-4.0621, abs=5e-5)
    assert row.p == pytest.approx(0.002833, abs=5e-7)
    assert (row.low, row.high) == pytest.approx((-2.4598858, -0.7001142), abs=5e-8)


def test_wilcoxon_of_the_depression_data_as_r_prints_it():
    # wilcox.test(x, y, paired = TRUE, alternative = "greater"): V = 40, p-value = 0.01953
    row = only(DEPRESSION, "wilcoxon")
    assert row.p == pytest.approx(2 * 0.01953, abs=1e-5)
    assert row.effect_size == pytest.approx((40 - 5) / 45, abs=1e-15)


def test_fishers_randomisation_of_darwins_maize():
    # of the 32768 sums, 863 are 314 or more, and as many -314 or less
    row = only(MAIZE, "randomisation", draws=2**15)
    assert row.p == 2 * 863 / 32768


def test_darwins_maize_by_the_other_tests():
    # Fisher (1935), section 17: t = 2.148, which is just significant at 5 percent
    t = only(MAIZE, "t")
    assert t.effect_size * 15**0.5 == pytest.approx(2.148, abs=5e-4)
    assert t.significant
    # scipy's documentation of wilcoxon: p = 0.041259765625
    assert only(MAIZE, "wilcoxon").p == pytest.approx(0.041259765625, abs=1e-15)
    # 13 of 15: R's binom.test(13, 15) prints p-value = 0.007385
    assert only(MAIZE, "sign").p == pytest.approx(0.007385, abs=5e-7)


def test_tukey_of_two_systems_is_the_randomisation_test():
    assert only(MAIZE, "tukey", seed=4, draws=20_000).p == pytest.approx(2 * 863 / 32768, abs=0.005)


# Oracles

SHAPES = [(4, 3, 0), (4, 8, 10), (4, 9, 4), (2, 13, 4), (5, 14, 0), (4, 20, 8), (6, 50, 0), (5, 50, 20), (4, 51, 0)]


def expected(scores, find) -> list[float]:
    return [find(a, b) for row, a in enumerate(scores) for b in scores[row + 1 :]]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_t_against_scipy(shape):
    scores = random_scores(1, *shape)
    frame = compare_systems(table(scores), "t", alpha=0.1)
    results = [stats.ttest_rel(a, b) for row, a in enumerate(scores) for b in scores[row + 1 :]]
    assert frame["p"].tolist() == pytest.approx([result.pvalue for result in results], abs=1e-12)
    limits = [result.confidence_interval(0.9) for result in results]
    assert frame["low"].tolist() == pytest.approx([limit.low for limit in limits], abs=1e-12)
    assert frame["high"].tolist() == pytest.approx([limit.high for limit in limits], abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_wilcoxon_against_scipy(shape):
    # whole numbers, so that ties are ties for scipy too
    scores = random_scores(2, *shape) if not shape[2] else np.rint(random_scores(2, *shape) * shape[2])
    frame = compare_systems(table(scores), "wilcoxon")
    assert frame["p"].tolist() == pytest.approx(expected(scores, lambda a, b: stats.wilcoxon(a, b).pvalue), abs=1e-12)


def test_wilcoxon_against_scipy_on_a_mixture_of_tied_and_untied_pairs():
    scores = np.vstack([random_scores(3, 3, 30), np.rint(10 * random_scores(4, 3, 30))])
    frame = compare_systems(table(scores), "wilcoxon")
    assert frame["p"].tolist() == pytest.approx(expected(scores, lambda a, b: stats.wilcoxon(a, b).pvalue), abs=1e-12)
    assert not frame.attrs["exact"]


def documented_method(differences):
    """The method that `agreement.significance.wilcoxon` documents for one pair of systems."""
    sizes = np.abs(differences)
    untied = sizes.all() and len(np.unique(sizes)) == len(sizes)
    if untied and len(sizes) <= 50:
        return "exact"
    # With at most 13 topics, scipy's permutation method goes through all settings of the signs.
    return stats.PermutationMethod() if len(sizes) <= 13 else "asymptotic"


@pytest.mark.parametrize("n_topics", [5, 14, 30, 50, 51, 80])
def test_every_row_of_a_wilcoxon_batch_against_one_dimensional_scipy(n_topics):
    # Whole numbers, so that ties are ties for scipy too: large ones without ties, small ones with ties and zeros.
    rng = np.random.default_rng([17, n_topics])
    untied = (
        rng.permuted([2.0 ** np.arange(n_topics)] * 2, axis=1)
        if n_topics <= 50
        else rng.integers(10**9, size=(2, n_topics))
    )
    zeros = untied[0] * (np.arange(n_topics) > 0)
    tied = rng.integers(4, size=(2, n_topics))
    scores = np.vstack([untied, zeros, tied, tied[:1], np.zeros(n_topics), [np.arange(1, n_topics + 1)]])

    frame = compare_systems(table(scores), "wilcoxon")

    pairs = [(a, b) for row, a in enumerate(scores) for b in scores[row + 1 :]]
    methods = set()
    for (a, b), row in zip(pairs, frame.itertuples(), strict=True):
        differences = a - b
        if not differences.any():
            assert row.p == 1
            assert row.reason == "no_difference"
            continue
        method = documented_method(differences)
        methods.add(method if isinstance(method, str) else "permutation")
        one_row = stats.wilcoxon(differences, method=method, correction=False)
        assert row.p == pytest.approx(one_row.pvalue, abs=1e-12)
        n = np.count_nonzero(differences)
        assert (1 - abs(row.effect_size)) * n * (n + 1) / 4 == pytest.approx(one_row.statistic, abs=1e-9)
        alone = only([a, b], "wilcoxon")
        assert (alone.p, alone.effect_size) == (row.p, row.effect_size)
    assert (frame["reason"] == "no_difference").sum() == 1
    assert methods == {"exact" if n_topics <= 50 else "asymptotic", "permutation" if n_topics <= 13 else "asymptotic"}


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_sign_against_scipy(shape):
    def binomial(a, b):
        return stats.binomtest(int((a > b).sum()), int((a != b).sum())).pvalue

    scores = random_scores(5, *shape)
    assert compare_systems(table(scores), "sign")["p"].tolist() == pytest.approx(expected(scores, binomial), abs=1e-12)


@pytest.mark.parametrize("shape", [(3, 2, 0), (4, 6, 4), (3, 10, 0), (3, 10, 5)], ids=str)
def test_exact_randomisation_against_scipy(shape):
    def permuted(a, b):
        statistic = stats.permutation_test(
            (a - b,), lambda d, axis: np.abs(d.mean(axis)), permutation_type="samples", alternative="greater"
        )
        return statistic.pvalue

    scores = random_scores(6, *shape)
    frame = compare_systems(table(scores), "randomisation")
    assert frame["p"].tolist() == pytest.approx(expected(scores, permuted), abs=1e-12)
    assert frame.attrs["exact"]
    assert frame.attrs["draws"] == 2 ** shape[1]
    assert frame.attrs["seed"] is None


def test_sampled_randomisation_is_close_to_the_exact_one():
    scores = table(random_scores(7, 5, 12, 20))
    exact = compare_systems(scores, "randomisation", draws=4096)
    drawn = compare_systems(scores, "randomisation", draws=4095, seed=8)
    assert exact.attrs["exact"]
    assert not drawn.attrs["exact"]
    assert drawn["p"].tolist() == pytest.approx(exact["p"].tolist(), abs=0.03)


def test_sampled_randomisation_against_a_slow_twin():
    scores = random_scores(9, 4, 20, 10)
    signs = 1.0 - 2 * np.random.default_rng(3).integers(2, size=(200, 20), dtype=np.int8)

    def slow(a, b):
        sums = [abs(sum(sign * (x - y) for sign, x, y in zip(row, a, b, strict=True))) for row in signs]
        return (1 + sum(s >= abs(sum(a - b)) - 1e-10 for s in sums)) / 201

    frame = compare_systems(table(scores), "randomisation", seed=3, draws=200)
    by_name = scores[:, sorted(range(20), key=str)]  # the signs are drawn for the topics q0, q1, q10, q11, ...
    assert frame["p"].tolist() == pytest.approx(expected(by_name, slow), abs=1e-15)


def test_tukey_against_a_slow_twin_that_tries_all_shuffles():
    scores = random_scores(10, 3, 4, 10)
    ranges = [np.ptp(np.sum(shuffled, axis=0)) for shuffled in product(*(permutations(topic) for topic in scores.T))]

    def slow(a, b):
        return np.mean([r >= abs(sum(a - b)) - 1e-10 for r in ranges])

    assert len(ranges) == 6**4
    frame = compare_systems(table(scores), "tukey", seed=11, draws=20_000)
    # three standard errors of a share of 20,000
    assert frame["p"].tolist() == pytest.approx(expected(scores, slow), abs=0.011)


def test_tukey_is_close_to_the_studentised_range():
    rng = np.random.default_rng(12)
    scores = rng.normal(size=(5, 120)) + np.array([[0], [0.1], [0.2], [0.3], [0.4]])
    residuals = scores - scores.mean(1, keepdims=True) - scores.mean(0) + scores.mean()
    error = (residuals**2).sum() / (4 * 119)

    def tukey(a, b):
        return stats.studentized_range.sf(abs(np.mean(a - b)) / (error / 120) ** 0.5, 5, 4 * 119)

    frame = compare_systems(table(scores), "tukey", seed=13, draws=10_000)
    assert frame["p"].tolist() == pytest.approx(expected(scores, tukey), abs=0.02)
    effects = expected(scores, lambda a, b: np.mean(a - b) / error**0.5)
    assert frame["effect_size"].tolist() == pytest.approx(effects, abs=1e-12)


# Properties

TESTS = ["t", "wilcoxon", "sign", "randomisation"]
grades = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=2, max_size=9)
MIRRORED = {"t": 0, "wilcoxon": 0, "sign": 1, "randomisation": 0}


@pytest.mark.parametrize("test", TESTS)
@examples(30)
@given(scores=grades)
def test_exchanging_the_systems_negates_everything_but_p(test, scores):
    a, b = zip(*scores, strict=True)
    forward, backward = only([a, b], test), only([b, a], test)

    assert forward.difference == -backward.difference
    if pd.notna(forward.p):
        assert forward.p == pytest.approx(backward.p, abs=1e-12)
        assert 0 < forward.p <= 1
    if pd.notna(forward.effect_size):
        assert forward.effect_size == pytest.approx(MIRRORED[test] - backward.effect_size, abs=1e-12)
    if pd.notna(forward.low):
        assert forward.low == pytest.approx(-backward.high, abs=1e-12)
        assert forward.low <= forward.difference <= forward.high


@pytest.mark.parametrize("test", TESTS)
@examples(30)
@given(scores=grades, data=st.data())
def test_the_order_of_topics_does_not_matter(test, scores, data):
    a, b = zip(*scores, strict=True)
    c, d = zip(*data.draw(st.permutations(scores)), strict=True)
    first, second = only([a, b], test), only([c, d], test)

    assert pd.isna(first.p) == pd.isna(second.p)
    if pd.notna(first.p):
        assert first.p == pytest.approx(second.p, abs=1e-12)


@pytest.mark.parametrize("test", TESTS)
@examples(30)
@given(scores=grades)
def test_harder_topics_and_another_unit_change_no_p(test, scores):
    a, b = np.array(scores).T / 9
    ease = np.arange(len(a)) / 7
    first, second = only([a, b], test), only([100 * (a + ease), 100 * (b + ease)], test)

    assert pd.isna(first.p) == pd.isna(second.p)
    if pd.notna(first.p):
        assert first.p == pytest.approx(second.p, abs=1e-9)


def test_differences_that_differ_only_by_rounding_are_ties():
    # 1/2 - 1/3 and 1/3 - 1/6 are both 1/6, but not to the last bit
    assert 1 / 2 - 1 / 3 != 1 / 3 - 1 / 6
    rounded = only([[1 / 2, 1 / 3, 0], [1 / 3, 1 / 6, 1]], "wilcoxon")
    whole = only([[3, 2, 0], [2, 1, 6]], "wilcoxon")
    assert rounded.effect_size == whole.effect_size
    assert rounded.p == whole.p


def test_scores_that_differ_only_by_rounding_are_tied():
    assert 0.1 + 0.2 != 0.3
    assert only([[0.1 + 0.2, 0.5], [0.3, 0.5]], "sign").reason == "no_difference"


def test_ranges_that_differ_only_by_rounding_are_tied():
    # a range as large as that of s0 and s2 needs all topics in the same order, 6 of 6^3 shuffles
    up = np.array([[0.3, 0.7, 0.4], [0.2, 0.4, 0.3], [0.1, 0.1, 0.2]])
    frame = compare_systems(table(up), "tukey", seed=16, draws=20_000)
    widest = [
        np.ptp(np.sum(shuffled, axis=0)) > np.ptp(up.sum(axis=1)) - 1e-9
        for shuffled in product(*(permutations(topic) for topic in up.T))
    ]
    assert frame["p"][1] == pytest.approx(np.mean(widest), abs=0.005)


def test_tukey_is_significant_if_its_interval_excludes_zero():
    frame = compare_systems(table(random_scores(14, 12, 30)), "tukey", seed=15, draws=2000, alpha=0.3)

    assert 0 < frame["significant"].sum() < len(frame)
    outside = (frame["low"] > 0) | (frame["high"] < 0)
    assert outside.tolist() == frame["significant"].tolist()
    width = (frame["high"] - frame["low"]).tolist()
    assert width == pytest.approx([width[0]] * len(frame), abs=1e-12)


# Degenerate

EQUAL, AHEAD = [[1, 2, 3], [1, 2, 3]], [[1.1, 2.1, 3.1], [1, 2, 3]]


@pytest.mark.parametrize("test", ["t", "wilcoxon", "sign", "randomisation"])
def test_equal_systems(test):
    row = only(EQUAL, test)
    assert row.p == 1
    assert row.effect_size is pd.NA
    assert row.low is pd.NA
    assert row.high is pd.NA
    assert row.reason == "no_difference"
    assert row.difference == 0
    assert not row.significant


@pytest.mark.parametrize(
    ("test", "p", "effect"),
    [("t", None, None), ("wilcoxon", 2 / 8, 1), ("sign", 2 / 8, 1), ("randomisation", 2 / 8, None)],
)
def test_always_ahead_by_the_same(test, p, effect):
    row = only(AHEAD, test)
    assert row.p is pd.NA if p is None else row.p == p
    assert row.effect_size is pd.NA if effect is None else row.effect_size == effect
    assert row.low is pd.NA
    assert row.reason == "same_difference"


@pytest.mark.parametrize(("test", "p"), [("t", None), ("wilcoxon", 1), ("sign", 1), ("randomisation", 1)])
def test_one_topic(test, p):
    row = only([[2], [1]], test)
    assert row.p is pd.NA if p is None else row.p == p
    assert row.low is pd.NA
    assert row.reason == "one_topic"
    assert not row.significant


def test_tukey_without_variance():
    equal = only(EQUAL, "tukey", seed=1, draws=100)
    assert equal.p == 1
    assert equal.reason == "no_difference"
    ahead = only(AHEAD, "tukey", seed=1, draws=100)
    assert ahead.effect_size is pd.NA
    assert ahead.reason == "same_difference"
    assert ahead.low < ahead.high
    assert only([[2], [1]], "tukey", seed=1, draws=100).reason == "one_topic"


def test_tukey_with_too_few_draws_has_no_limits():
    row = only(MAIZE, "tukey", seed=1, draws=9)
    assert row.reason == "few_draws"
    assert row.low is pd.NA
    assert not row.significant
