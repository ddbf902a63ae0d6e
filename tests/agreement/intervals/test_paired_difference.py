"""Differences between two kappas: by hand, published, against recomputed kappas, properties, and where none is."""

import pickle
from math import hypot

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t as student

from agreement import (
    Estimate,
    Ratings,
    cohen_kappa,
    fleiss_kappa,
    kappa_difference,
    krippendorff_alpha,
    mean_pairwise,
    overall,
    percent_agreement,
    pooled_kappa,
)
from tests.agreement.random_ratings import seeded, with_topics
from tests.each_value import each_value
from tests.examples import examples

NAMES = ("ann", "bob", "eve")
FIRST, SECOND = ("ann", "bob"), ("ann", "eve")


def ratings_of(*rows, topics=None):
    ids = (None, None) if topics is None else (topics, [f"d{number:02}" for number in range(len(topics))])
    codes = np.array([[-1 if grade is None else grade for grade in row] for row in rows])
    return Ratings(codes, (0, 1), NAMES[: len(rows)], *ids)


def without(ratings, kept):
    return Ratings(
        ratings.codes[:, kept], ratings.scale, ratings.assessors, ratings.query_ids[kept], ratings.doc_ids[kept]
    )


def random_three(seed, n_topics=6, missing=0.0):
    ratings = with_topics(seeded(seed, n_judges=3, n_items=48, n_grades=3, missing=missing), n_topics)
    return Ratings(ratings.codes, ratings.scale, NAMES, ratings.query_ids, ratings.doc_ids)


def test_percent_agreement_by_hand():
    # topic 1: bob agrees 2 of 2, eve 1 of 2; topic 2: bob 1 of 2, eve 1 of 2. Difference 3/4 - 2/4 = 1/4.
    # Without topic 1: 1/2 - 1/2 = 0; without topic 2: 1 - 1/2 = 1/2. Their mean is 1/4, squares 1/16 + 1/16,
    # se^2 = (2 - 1) / 2 * 1/8 = 1/16. t of 1 degree of freedom is 12.706: reach 3.177
    ratings = ratings_of([0, 1, 0, 1], [0, 1, 0, 0], [0, 0, 0, 0], topics=["1", "1", "2", "2"])
    found = kappa_difference(ratings, FIRST, SECOND, "percent_agreement")
    assert (found.value, found.se, found.n, found.topics) == (0.25, 0.25, 4, ("1", "2"))
    assert (found.low, found.high) == (-2, 2)
    assert found.method == "paired jackknife: each topic left out once"
    assert found.warnings == ("n < 100", "only 2 topics")


def test_documents_are_the_parts_of_one_topic_by_hand():
    # differences of agreement: 0, 1, 0, 0; the mean is 1/4, and without each item 1/3, 0, 1/3, 1/3. Their mean is 1/4,
    # squares 3/144 + 1/16 = 1/12, se^2 = 3/4 * 1/12 = 1/16. t of 3 degrees of freedom is 3.1824463
    ratings = ratings_of([0, 1, 0, 1], [0, 1, 0, 0], [0, 0, 0, 0])
    found = kappa_difference(ratings, FIRST, SECOND, "percent_agreement")
    assert found.se == pytest.approx(0.25, abs=1e-15)
    assert (found.low, found.high) == pytest.approx((0.25 - 3.1824463 / 4, 0.25 + 3.1824463 / 4), abs=1e-7)
    assert found.method == "paired jackknife: each document left out once"
    assert found.topics == ()


def test_documents_that_not_all_judged_are_left_out():
    ratings = ratings_of([0, 1, 0, 1, None], [0, 1, 0, 0, 1], [0, 0, 0, None, 1])
    found = kappa_difference(ratings, FIRST, SECOND, "percent_agreement")
    assert (found.n, found.n_dropped) == (3, 1)  # the fifth was judged by no pair
    assert found.value == pytest.approx(1 / 3)


def test_published_kappas():
    # C. D. Manning, P. Raghavan and H. Schuetze (2008), table 8.2: pooled kappa 0.776 of 400 documents; a judge who
    # always says yes has P(A) = 370 / 400, and the difference is that of the kappas of both tables
    table = {(1, 1): 300, (1, 0): 20, (0, 1): 10, (0, 0): 70}
    pairs = [pair for pair, n in table.items() for _ in range(n)]
    rows = [[a for a, _ in pairs], [b for _, b in pairs], [a for a, _ in pairs]]
    found = kappa_difference(ratings_of(*rows), FIRST, SECOND, "pooled_kappa")
    assert round(1 + found.value, 3) == 0.776  # eve judged as ann did, with kappa 1
    assert found.low < found.value < found.high < 0


@pytest.mark.in_ci
@pytest.mark.parametrize("coefficient", ["cohen_kappa", "pooled_kappa", "gwet_ac", "brennan_prediger"])
@each_value("seed", range(50))
def test_against_kappas_computed_again(coefficient, seed):
    ratings = random_three(seed)
    found = kappa_difference(ratings, FIRST, SECOND, coefficient, confidence=0.9)

    def gap(kept):
        part = without(ratings, kept)
        return overall(part, coefficient, "pooled", *FIRST).value - overall(part, coefficient, "pooled", *SECOND).value

    reaches = []
    for parts in (ratings.query_ids, ratings.doc_ids):
        gaps = np.array([gap(parts != part) for part in sorted(set(parts))])
        m = len(gaps)
        se = ((m - 1) / m * ((gaps - gaps.mean()) ** 2).sum()) ** 0.5
        reaches.append((student.ppf(0.95, m - 1) * se, se))
    reach, se = max(reaches)
    assert found.value == pytest.approx(gap(np.ones(ratings.n_items, bool)), abs=1e-9)
    assert found.se == pytest.approx(se, abs=1e-9)
    assert (found.low, found.high) == pytest.approx((found.value - reach, found.value + reach), abs=1e-9)


@each_value("seed", range(20))
def test_mean_over_topics_against_a_paired_t_interval(seed):
    ratings = random_three(seed)
    found = kappa_difference(ratings, FIRST, SECOND, "cohen_kappa", "topics")
    values = [
        [overall(part, "cohen_kappa", "pooled", *pair).value for part in ratings.by_topic().values()]
        for pair in (FIRST, SECOND)
    ]
    gaps = np.subtract(*values)
    reach = student.ppf(0.975, len(gaps) - 1) * gaps.std(ddof=1) / len(gaps) ** 0.5
    assert found.value == pytest.approx(gaps.mean(), abs=1e-9)
    assert (found.low, found.high) == pytest.approx((gaps.mean() - reach, gaps.mean() + reach), abs=1e-9)


@given(st.integers(0, 10_000), st.floats(0.5, 0.99))
@examples(30)
def test_properties(seed, confidence):
    ratings = random_three(seed, missing=0.1)
    found, turned = (
        kappa_difference(ratings, *pairs, confidence=confidence) for pairs in ((FIRST, SECOND), (SECOND, FIRST))
    )
    assert found.value == -turned.value
    assert (found.low, found.high) == pytest.approx((-turned.high, -turned.low), abs=1e-12)
    assert found.low < found.value < found.high
    assert (found.confidence, found.n, found.assessors) == (confidence, turned.n, NAMES)
    order = np.random.default_rng(seed).permutation(ratings.n_items)
    assert kappa_difference(without(ratings, order), FIRST, SECOND).low == pytest.approx(
        kappa_difference(ratings, FIRST, SECOND).low, abs=1e-9
    )


def test_pairing_makes_the_interval_narrower_than_separate_ones():
    rng = np.random.default_rng(1)
    hard = np.repeat(rng.random(30) * 0.4, 20)  # each topic is as hard for bob as for eve
    truth = rng.integers(0, 2, 600)
    rows = [truth, *(np.where(rng.random(600) < hard, 1 - truth, truth) for _ in range(2))]
    topics = [f"{topic:02}" for topic in np.repeat(np.arange(30), 20)]
    ratings = ratings_of(*rows, topics=topics)
    found = kappa_difference(ratings, FIRST, SECOND)
    one, other = (cohen_kappa(ratings, *pair).interval("jackknife_topics") for pair in (FIRST, SECOND))
    assert found.high - found.low < hypot(one.high - one.low, other.high - other.low)


def test_other_coefficients_of_the_same_documents():
    ratings = random_three(1)
    kappa = cohen_kappa(ratings, *FIRST)
    assert pooled_kappa(ratings, *FIRST).difference(kappa).coefficient == "pooled_kappa_minus_cohen_kappa"
    alpha = krippendorff_alpha(ratings).difference(fleiss_kappa(ratings))
    assert alpha.low < alpha.value < alpha.high
    mean = mean_pairwise(ratings, "cohen_kappa")
    assert mean.difference(kappa).value == pytest.approx(mean.value - kappa.value)
    assert "ann and bob minus ann and eve" in str(kappa.difference(cohen_kappa(ratings, *SECOND)))


def test_before_and_after_on_the_same_documents():
    before, after = random_three(1), random_three(2)
    found = cohen_kappa(after, *FIRST).difference(cohen_kappa(before, *FIRST))
    assert found.n == 48
    assert found.convention.startswith("ann and bob; ")


def test_a_difference_that_no_part_changes_has_an_interval():
    # all agree, so each kappa is 1 whatever is left out: the limits come from the separate intervals of both
    ratings = ratings_of(*[[0, 1] * 10] * 3)
    found = kappa_difference(ratings, FIRST, SECOND)
    low = cohen_kappa(ratings, *FIRST).interval("jackknife").low
    if low == 1:  # that interval has no width either
        assert found.low == found.high == 0
    else:
        assert (found.low, found.high) == pytest.approx((low - 1, 1 - low))
    assert found.value == 0
    assert found.method.startswith("separate intervals (jackknife)")


def test_full_agreement_over_topics_has_a_width():
    topics = [str(number // 5) for number in range(50)]
    found = kappa_difference(ratings_of(*[[0, 1] * 25] * 3, topics=topics), FIRST, SECOND)
    assert found.low < 0 < found.high


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([[0, None], [0, 1], [None, 1]], "empty"),
        ([[0, 0], [0, 0], [0, 0]], "one_category"),
        ([[0, 1], [0, 1], [1, 1]], None),
    ],
)
def test_degenerate(rows, reason):
    found = kappa_difference(ratings_of(*rows), FIRST, SECOND)
    assert found.reason == reason
    assert (found.low is None) == (found.value is None) or found.n == 2


def test_one_document():
    found = percent_agreement(ratings_of([1], [1])).difference(percent_agreement(ratings_of([1], [0])))
    assert (found.value, found.n) == (1, 1)
    assert found.low is None
    assert "too few items for an interval" in found.warnings


def test_refusals():
    ratings = random_three(1)
    kappa = cohen_kappa(ratings, *FIRST)
    table = cohen_kappa([[3, 1], [1, 3]])
    with pytest.raises(ValueError, match=r"The second estimate \(cohen kappa\) has no difference: it has no data"):
        kappa.difference(table)
    with pytest.raises(ValueError, match="has no difference: it has no data"):
        pickle.loads(pickle.dumps(kappa)).difference(kappa)
    with pytest.raises(ValueError, match=r"only the first has document '.*' \(1 document in only one of them\)|topic"):
        kappa.difference(cohen_kappa(without(ratings, np.arange(1, 48)), *FIRST))
    with pytest.raises(ValueError, match="needs another Estimate, not float"):
        kappa.difference(0.5)
    with pytest.raises(ValueError, match="confidence must be between 0 and 1"):
        kappa.difference(kappa, confidence=95)
    with pytest.raises(ValueError, match="use across='pooled'"):
        mean_pairwise(ratings, "cohen_kappa", across="topics").difference(kappa)
    assert Estimate(None, "cohen_kappa", status="undefined", reason="empty").difference(kappa).reason == "empty"


def test_refusals_of_pairs():
    ratings = random_three(1)
    with pytest.raises(ValueError, match="The pairs must differ, but both are ann and bob"):
        kappa_difference(ratings, FIRST, ("bob", "ann"))
    with pytest.raises(ValueError, match=r"first must be two different judges, such as \('ann', 'bob'\), not 'ab'"):
        kappa_difference(ratings, "ab", SECOND)
    with pytest.raises(ValueError, match="second must be two different judges"):
        kappa_difference(ratings, FIRST, ("eve", "eve"))
    with pytest.raises(ValueError, match="no assessor 'zed'"):
        kappa_difference(ratings, FIRST, ("ann", "zed"))
