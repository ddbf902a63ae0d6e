"""Every pair of systems compared: the table, its corrections, its chance, and what is refused."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import ttest_rel
from statsmodels.stats.multitest import multipletests

from agreement.significance import REASONS, TESTS, adjusted, compare_systems
from tests.agreement.significance.test_paired_tests import random_scores, table

COLUMNS = ["system_a", "system_b", "n_topics", "difference", "effect_size", "low", "high"]
COLUMNS += ["p", "p_adjusted", "significant", "reason"]


def options(test: str) -> dict:
    return {"seed": 5, "draws": 300} if test in ("randomisation", "tukey") else {}


def test_by_hand():
    # z beats both on 3 topics by 1, 2, 3 (t: p = 0.0742, see the paired tests); m and a are equal
    scores = pd.DataFrame([[1, 2, 3], [0, 0, 0], [0, 0, 0]], index=["z", "m", "a"], columns=["1", "2", "3"])
    frame = compare_systems(scores)

    assert frame.columns.tolist() == COLUMNS
    assert list(zip(frame["system_a"], frame["system_b"], strict=True)) == [("z", "m"), ("z", "a"), ("m", "a")]
    assert frame["difference"].tolist() == [2, 2, 0]
    assert frame["n_topics"].tolist() == [3, 3, 3]
    p = 1 - (12 / 14) ** 0.5
    assert frame["p"].tolist() == [pytest.approx(p), pytest.approx(p), 1]
    # three pairs: Holm triples the smaller p, and the next may not be below it
    assert frame["p_adjusted"].tolist() == [pytest.approx(3 * p), pytest.approx(3 * p), 1]
    assert frame["reason"].tolist() == [pd.NA, pd.NA, "no_difference"]
    assert frame.attrs["n_tests"] == 3


@pytest.mark.parametrize("correction", ["holm", "bonferroni", "benjamini-hochberg"])
def test_the_correction_does_not_depend_on_the_test(correction):
    # m and a are identical, and z is ahead of c by 2 on every topic: a t test has no p for the latter
    rows = [[3, 5, 4, 7], [1, 3, 2, 5], [0, 1, 2, 0], [0, 1, 2, 0]]
    scores = pd.DataFrame(rows, index=["z", "c", "m", "a"], columns=list("1234"))
    for test in ("t", "wilcoxon", "sign", "randomisation"):
        frame = compare_systems(scores, test, correction)
        identical = frame.set_index(["system_a", "system_b"]).loc[("m", "a")]
        assert (identical["p"], identical["p_adjusted"], identical["reason"]) == (1, 1, "no_difference")
        p = frame["p"].fillna(1).to_numpy(float)
        assert frame["p_adjusted"].fillna(1).to_numpy(float) == pytest.approx(adjusted(p, correction))
        assert frame.attrs["n_tests"] == 6


def test_a_p_at_the_level_is_significant():
    # signs of 1, 2, 3: two of eight sums are as far out, 0.25
    ahead = table([[1, 2, 3], [0, 0, 0]])
    assert compare_systems(ahead, "randomisation", alpha=0.25)["significant"].tolist() == [True]
    assert compare_systems(ahead, "randomisation", alpha=0.24)["significant"].tolist() == [False]


@pytest.mark.parametrize(("correction", "name"), [("bonferroni", "bonferroni"), ("benjamini-hochberg", "fdr_bh")])
def test_against_scipy_and_statsmodels(correction, name):
    scores = random_scores(1, 12, 25)
    p = [ttest_rel(a, b).pvalue for row, a in enumerate(scores) for b in scores[row + 1 :]]
    rejected, expected, *_ = multipletests(p, 0.2, method=name)
    frame = compare_systems(table(scores), correction=correction, alpha=0.2)

    assert frame["p_adjusted"].tolist() == pytest.approx(expected, abs=1e-12)
    assert frame["significant"].tolist() == rejected.tolist()
    assert 0 < frame["significant"].sum() < len(frame)


@pytest.mark.parametrize("test", TESTS)
def test_attrs_describe_the_test(test):
    frame = compare_systems(table(random_scores(2, 4, 20)), test, alpha=0.1, **options(test))

    drawn = {"seed": 5, "draws": 300} if options(test) else {"seed": None, "draws": None}
    expected = {"test": test, "correction": "none" if test == "tukey" else "holm", "alpha": 0.1, **drawn}
    assert expected.items() <= frame.attrs.items()
    assert frame.attrs["n_systems"] == 4
    assert frame.attrs["n_tests"] == 6
    assert frame.attrs["effect_size"]
    assert frame.attrs["interval"]


@pytest.mark.parametrize("test", ["randomisation", "tukey"])
def test_results_depend_on_the_seed_only(test):
    scores = table(random_scores(3, 5, 20))
    first, again, other = (compare_systems(scores, test, seed=seed, draws=500) for seed in (1, 1, 2))

    pd.testing.assert_frame_equal(first, again)
    assert first["p"].tolist() != other["p"].tolist()


@pytest.mark.parametrize("test", TESTS)
def test_a_pair_does_not_depend_on_other_systems(test):
    scores = table(random_scores(4, 6, 20))
    figure = "difference" if test == "tukey" else "p"  # the p of Tukey's test is about all systems at once
    whole = compare_systems(scores, test, **options(test)).set_index(["system_a", "system_b"])
    part = compare_systems(scores.loc[["s1", "s4"]], test, **options(test)).set_index(["system_a", "system_b"])

    assert part[figure].tolist() == pytest.approx([whole[figure]["s1", "s4"]], abs=1e-12)


@pytest.mark.in_ci
@given(st.integers(2, 6), st.integers(1, 6), st.integers(0, 99))
def test_a_reason_is_given_exactly_if_a_figure_is_missing(n_systems, n_topics, seed):
    scores = np.random.default_rng(seed).integers(3, size=(n_systems, n_topics))
    for test in TESTS:
        frame = compare_systems(table(scores), test, **options(test))
        missing = frame[["effect_size", "low", "high", "p"]].isna().any(axis=1)
        assert missing.tolist() == frame["reason"].notna().tolist()
        assert set(frame["reason"].dropna()) <= set(REASONS)
        assert frame["p"].isna().tolist() == frame["p_adjusted"].isna().tolist()
        assert not frame["significant"][frame["p"].isna()].any()


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("n_systems", [0, 1])
def test_fewer_than_two_systems_have_no_pair(test, n_systems):
    frame = compare_systems(table(np.ones((n_systems, 3))), test)

    assert frame.columns.tolist() == COLUMNS
    assert frame.empty
    assert frame.attrs["n_tests"] == 0


@pytest.mark.parametrize("test", TESTS)
def test_no_topics(test):
    row = compare_systems(table(np.ones((2, 0))), test).iloc[0]

    assert row[["difference", "effect_size", "low", "high", "p", "p_adjusted"]].isna().all()
    assert row.reason == "no_topics"
    assert row.n_topics == 0
    assert not row.significant


SCORES = table(random_scores(6, 3, 20))


@pytest.mark.parametrize(
    ("invalid", "sentence"),
    [
        ({"test": "anova"}, "test must be one of t, wilcoxon, sign, randomisation, tukey, not 'anova'"),
        ({"correction": "sidak"}, "correction must be one of none, bonferroni, holm, benjamini-hochberg, not 'sidak'"),
        ({"test": "tukey", "seed": 1, "correction": "holm"}, "correction must be 'none' for test 'tukey'"),
        ({"alpha": 0}, "alpha must be between 0 and 1, such as 0.05, not 0"),
        ({"alpha": 1}, "alpha must be between 0 and 1"),
        ({"test": "tukey", "seed": 1, "draws": 0}, "draws must be a whole number of at least 1, not 0"),
        ({"test": "tukey", "seed": 1, "draws": 2.5}, "draws must be a whole number of at least 1, not 2.5"),
        ({"test": "tukey"}, "Test 'tukey' draws at random and needs a seed"),
        ({"test": "randomisation"}, "Test 'randomisation' draws at random and needs a seed"),
        ({"test": ["t"]}, r"test must be one of t, wilcoxon, sign, randomisation, tukey, not \['t'\]"),
        ({"alpha": "0.05"}, "alpha must be between 0 and 1, such as 0.05, not '0.05'"),
        ({"alpha": float("nan")}, "alpha must be between 0 and 1, such as 0.05, not nan"),
        ({"correction": 5}, "correction must be one of none, bonferroni, holm, benjamini-hochberg, not 5"),
        ({"draws": float("nan")}, "draws must be a whole number of at least 1, not nan"),
        ({"draws": "100"}, "draws must be a whole number of at least 1, not '100'"),
        ({"draws": True}, "draws must be a whole number of at least 1, not True"),
        ({"seed": -1}, "seed must be a whole number of at least 0, not -1"),
        ({"seed": "1"}, "seed must be a whole number of at least 0, not '1'"),
    ],
)
def test_invalid_options_are_refused(invalid, sentence):
    with pytest.raises(ValueError, match=sentence):
        compare_systems(SCORES, **invalid)


def test_invalid_tables_are_refused():
    with pytest.raises(ValueError, match="Every system must occur once in the scores, but 's0' occurs twice"):
        compare_systems(SCORES.rename(index={"s1": "s0"}))
    with pytest.raises(ValueError, match="A table must have each column once, but 'q0' occurs twice"):
        compare_systems(SCORES.rename(columns={"q1": "q0"}))
    with pytest.raises(ValueError, match="but 1 and '1' are the same topic: ids are compared as strings"):
        compare_systems(SCORES.rename(columns={"q0": 1, "q1": "1"}))
    with pytest.raises(ValueError, match="but 1 and '1' are the same system: ids are compared as strings"):
        compare_systems(SCORES.rename(index={"s0": 1, "s1": "1"}))
    with pytest.raises(ValueError, match="but 1 and '1' are the same system: ids are compared as strings"):
        compare_systems({1: {"q1": 1.0}, "1": {"q1": 2.0}})
    missing = SCORES.mask((SCORES.index == "s1")[:, None] & (SCORES.columns == "q2"))
    with pytest.raises(ValueError, match=r"System 's1' has no score on topic 'q2'\."):
        compare_systems(missing)
    with pytest.raises(ValueError, match=r"not inf for system s1, topic q2"):
        compare_systems(missing.fillna(np.inf))
    with pytest.raises(ValueError, match=r"System 's1' has no score on topic 'q2'\."):
        compare_systems({"s0": {"q1": 1, "q2": 2}, "s1": {"q1": 1}})


@pytest.mark.parametrize("test", sorted(TESTS))
def test_the_order_of_topics_changes_nothing(test):
    scores = pd.DataFrame(np.random.default_rng(1).random((4, 20)), list("abcd"), [f"q{n}" for n in range(20)])
    expected = compare_systems(scores, test, **options(test))
    long = scores.rename_axis("system").rename_axis(columns="query_id").stack().rename("value").reset_index()

    for same in (scores.iloc[:, ::-1], long, pd.DataFrame(np.asfortranarray(scores), scores.index, scores.columns)):
        pd.testing.assert_frame_equal(compare_systems(same, test, **options(test)), expected, check_exact=True)
