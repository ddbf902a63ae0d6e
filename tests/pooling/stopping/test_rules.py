"""The target method and the quantile bound: when an ordered review may stop."""

from math import comb, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from pooling import quantile_bound, quantile_number, target_method
from pooling.stopping.quantile_bound import sample_needed, sample_size_needed
from pooling.stopping.target_method import target_recall

LETTERS = "abcdefghijklmnopqrst"
REVIEWS = st.permutations(LETTERS)
RELEVANT = st.sets(st.sampled_from(LETTERS), min_size=3)


# the target method


def test_the_target_method_by_hand():
    # Sample: x, a, y, c have the two relevant documents a and c; z is not used. The review reaches c at 4.
    result = target_method(list("xaycz"), list("abxcyz"), set("abc"), target=2)
    assert (result.status, result.stop_after, result.n_sampled, result.n_sampled_relevant) == ("stopped", 4, 4, 2)
    assert result.n_judged == 5  # x, a, y, c of the sample and a, b, x, c of the review
    assert result.recall == pytest.approx(0.05**0.5)


def test_the_guarantee_of_ten_documents():
    # Cormack and Grossman (2016) state recall 0.70 with 95 % for 10 documents; 0.7^10 = 0.028 is below 5 %.
    assert target_recall(10, 0.95) == pytest.approx(0.7411, abs=1e-4)
    assert 0.7**10 < 0.05
    assert "at least 0.741 with 95% confidence" in target_method([], [], set()).guarantee


def test_the_review_must_reach_the_whole_target():
    result = target_method(list("ab"), list("ax"), set("ab"), target=2)
    assert (result.status, result.stop_after, result.n_judged, result.n_reached) == ("continue", None, None, 1)
    assert repr(result).startswith("StoppingRule: continue the review: 1 of 2 sampled relevant documents reached")


def test_a_sample_without_enough_relevant_documents():
    result = target_method(list("abc"), list("abc"), set("a"), target=3)
    assert result.status == "undefined"
    assert result.reason == "the sample has 1 relevant document, and the method needs 3"
    assert result.to_frame().loc[0, ["n_needed", "stop_after", "n_judged"]].isna().all()


@given(REVIEWS, REVIEWS, RELEVANT, st.integers(1, 3))
def test_the_target_method_is_that_of_a_loop(sample, review, relevant, target):
    drawn, wanted = set(), set()
    for doc_id in sample:
        drawn.add(doc_id)
        wanted |= {doc_id} & relevant
        if len(wanted) == target:
            break
    judged = 0
    while wanted:
        wanted -= {review[judged]}
        drawn.add(review[judged])
        judged += 1
    result = target_method(sample, review, relevant, target=target)
    assert (result.stop_after, result.n_judged) == (judged, len(drawn))


# the quantile bound


def test_the_bound_by_hand():
    # Two sampled relevant documents, recall 0.5: P(at most 0 below the median) = 1/4, at most 1: 3/4.
    assert quantile_number(2, 0.5, 0.25) == 1
    assert quantile_number(2, 0.5, 0.75) == 2
    assert quantile_number(2, 0.5, 0.76) is None


def test_published_sizes():
    # For recall 0.8 and 95 %, 14 relevant documents are the fewest: 0.8^13 = 0.055, 0.8^14 = 0.044.
    assert [quantile_number(r, 0.8, 0.95) for r in (13, 14)] == [None, 14]
    assert sample_needed(0.8, 0.95) == 14
    assert quantile_number(10, 0.7, 0.95) == 10  # the target method is a special case


@given(st.integers(0, 300), st.floats(0.05, 0.99), st.floats(0.5, 0.99))
def test_the_bound_is_the_quantile_of_scipy(r, recall, confidence):
    expected = int(stats.binom.ppf(confidence, r, recall)) + 1
    assert quantile_number(r, recall, confidence) == (expected if r and expected <= r else None)


@given(st.integers(1, 40), st.floats(0.05, 0.99), st.floats(0.5, 0.99))
def test_the_bound_is_that_of_a_loop(r, recall, confidence):
    total, expected = 0.0, None
    for j in range(1, r + 1):
        total += comb(r, j - 1) * recall ** (j - 1) * (1 - recall) ** (r - j + 1)
        if total >= confidence and expected is None:
            expected = j
    assert quantile_number(r, recall, confidence) == expected


@given(st.floats(0.05, 0.97), st.floats(0.5, 0.99))
def test_the_smallest_sample_that_has_a_bound(recall, confidence):
    least = sample_needed(recall, confidence)
    assert quantile_number(least + 1, recall, confidence) is not None
    if least > 1:
        assert quantile_number(least - 1, recall, confidence) is None
    assert least == pytest.approx(log(1 - confidence) / log(recall), abs=1)


@given(st.integers(14, 200))
def test_more_confidence_and_more_recall_need_more_documents(r):
    numbers = [quantile_number(r, 0.8, confidence) or r + 1 for confidence in (0.5, 0.8, 0.95, 0.99)]
    assert numbers == sorted(numbers)
    numbers = [quantile_number(r, recall, 0.95) or r + 1 for recall in (0.5, 0.8, 0.9)]
    assert numbers == sorted(numbers)


@given(REVIEWS, REVIEWS, RELEVANT)
def test_the_bound_stops_where_the_review_reaches_enough(sample, review, relevant):
    drawn = sample[:12]
    result = quantile_bound(drawn, review, relevant, recall=0.5, confidence=0.8)
    positions = sorted(review.index(doc_id) + 1 for doc_id in drawn if doc_id in relevant)
    needed = quantile_number(len(positions), 0.5, 0.8)
    assert result.stop_after == (positions[needed - 1] if needed else None)
    point = quantile_bound(drawn, review, relevant, recall=0.5, confidence=0.8, bound="point")
    if positions and needed:
        assert point.stop_after <= result.stop_after


def test_with_all_sampled_documents_the_bound_is_the_target_method():
    rng = np.random.default_rng(3)
    review = [f"d{number}" for number in range(200)]
    relevant = set(review[:60:2])
    sample = rng.permutation(review).tolist()
    target = target_method(sample, review, relevant, target=14)
    bound = quantile_bound(sample[: target.n_sampled], review, relevant, recall=0.8)
    assert bound.n_needed == 14
    assert bound.stop_after == target.stop_after


def test_the_point_estimate_has_no_guarantee():
    result = quantile_bound(list("ab"), list("ab"), set("ab"), bound="point")
    assert result.guarantee.startswith("None")
    assert result.n_needed == 2  # 0.8 * 2 = 1.6


def test_a_sample_without_relevant_documents_and_an_empty_review():
    result = quantile_bound(list("ab"), [], set())
    assert (result.status, result.n_needed) == ("undefined", None)
    assert result.reason == "the sample has 0 relevant documents, and the bound needs 14"
    assert quantile_bound([], [], set(), bound="point").status == "undefined"


@pytest.mark.parametrize(
    ("rule", "options", "message"),
    [
        (target_method, {"target": 0}, "target must be a whole number from 1, not 0"),
        (target_method, {"confidence": 1.0}, "confidence must be a number between 0 and 1, not 1.0"),
        (quantile_bound, {"recall": 0}, "recall must be a number between 0 and 1, not 0"),
        (quantile_bound, {"bound": "mean"}, "bound must be one of 'confidence', 'point', not 'mean'"),
    ],
)
def test_invalid_options_are_refused(rule, options, message):
    with pytest.raises(ValueError, match=f"^{message}$"):
        rule(["a"], ["a"], {"a"}, **options)


@pytest.mark.parametrize("rule", [target_method, quantile_bound])
def test_invalid_lists_are_refused(rule):
    with pytest.raises(ValueError, match="sample must have each document once; 'a' occurs twice"):
        rule(["a", "a"], [], set())
    with pytest.raises(ValueError, match="review must be a list of ids, not str"):
        rule(["a"], "a", set())


# coverage


def reviews_that_hold(rule, draws, total=40, size=400, n_documents=400, **options):
    """The share of random samples with which the review stops at this recall or above."""
    rng, held, stopped = np.random.default_rng(16), 0, 0
    review = [f"d{number}" for number in range(n_documents)]
    relevant = set(rng.choice(review[: n_documents // 2], total, replace=False).tolist())
    for _ in range(draws):
        sample = rng.permutation(review).tolist()
        result = rule(sample[:size], review, relevant, **options)
        if result.stop_after is not None:
            stopped += 1
            held += len(relevant.intersection(review[: result.stop_after])) >= result.recall * total - 1e-9
    return held, stopped


def test_the_target_method_holds_as_often_as_stated():
    held, stopped = reviews_that_hold(target_method, 400)
    assert stopped == 400
    assert held / stopped >= 0.93  # 0.95 or more in theory; two standard errors are 0.02


def test_the_quantile_bound_holds_as_often_as_stated():
    held, stopped = reviews_that_hold(quantile_bound, 400, total=120, size=150, recall=0.8)
    assert stopped == 400
    assert held / stopped >= 0.93


def test_the_point_estimate_holds_in_about_half_of_the_cases():
    held, stopped = reviews_that_hold(quantile_bound, 400, total=120, size=150, recall=0.8, bound="point")
    assert 0.4 < held / stopped < 0.75


@pytest.mark.parametrize("recall", [0.5, 0.7, 0.8, 0.9])
def test_the_bound_holds_in_small_populations_exactly(recall):
    # Without chance: the hypergeometric probability that the bound stops too early, for each population and sample.
    for total in (20, 45, 100):
        early = int(np.ceil(recall * total - 1e-9)) - 1  # relevant documents that are too few
        for r in range(1, total + 1):
            needed = quantile_number(r, recall, 0.95)
            if needed is not None:
                assert stats.hypergeom.sf(needed - 1, total, early, r) <= 0.05 + 1e-9


@pytest.mark.parametrize(("n_documents", "n_relevant"), [(29, 2), (60, 9), (500, 40), (2_000, 30)])
@pytest.mark.parametrize(("recall", "confidence"), [(0.5, 0.7), (0.8, 0.95)])
def test_sample_size_needed_is_the_smallest_by_the_hypergeometric_distribution(
    n_documents, n_relevant, recall, confidence
):
    least = sample_needed(recall, confidence)
    sizes = np.arange(n_documents + 1)
    enough = stats.hypergeom.sf(least - 1, n_documents, n_relevant, sizes) >= 0.95 - 1e-12
    expected = int(sizes[enough][0]) if enough.any() else None
    assert sample_size_needed(n_documents, n_relevant, recall=recall, confidence=confidence) == expected


def test_sample_size_needed_by_hand():
    # Both of 2 relevant documents are in 29 of 29 documents for sure, and in 28 with probability 28 * 27 / (29 * 28).
    assert sample_size_needed(29, 2, recall=0.5, confidence=0.7, probability=0.94) == 29
    assert sample_size_needed(29, 2, recall=0.5, confidence=0.7, probability=0.93) == 28
    assert sample_size_needed(0, 0, recall=0.5, confidence=0.7) is None


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"n_relevant": 30}, "n_relevant must be at most n_documents, 29, not 30"),
        ({"n_documents": -1}, "n_documents"),
        ({"recall": 1}, "recall must be a number between 0 and 1"),
        ({"probability": 0}, "probability must be a number between 0 and 1"),
    ],
)
def test_sample_size_needed_refuses(values, message):
    arguments = {"n_documents": 29, "n_relevant": 2, "recall": 0.5, "confidence": 0.7} | values
    with pytest.raises(ValueError, match=message):
        sample_size_needed(arguments.pop("n_documents"), arguments.pop("n_relevant"), **arguments)
