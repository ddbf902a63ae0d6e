"""Capture-recapture: the number of relevant documents from the overlap of independent sources."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from pooling import capture_recapture

SOURCE = st.sets(st.sampled_from("abcdefghijkl"))


def sources(n1, n2, m):
    """Two sources of these sizes with this number in common."""
    numbers = [f"d{number}" for number in range(n1 + n2 - m)]
    return {"systems": numbers[:n1], "searchers": numbers[n1 - m :]}


def only_pair(found, **options):
    return capture_recapture(found, **options).pairs.iloc[0]


def test_the_estimates_by_hand():
    # n1 = 10, n2 = 15, m = 5: 10 * 15 / 5 = 30; 11 * 16 / 6 - 1 = 28.33.
    # Variance 11 * 16 * 5 * 10 / (36 * 7) = 34.92, found 20, 20 / 28.33 = 0.7059.
    pair = only_pair(sources(10, 15, 5))
    assert (pair["n_source"], pair["n_other"], pair["n_common"], pair["n_found"]) == (10, 15, 5, 20)
    assert pair["lincoln_petersen"] == 30
    assert pair["chapman"] == pytest.approx(28 + 1 / 3)
    assert pair["standard_error"] == pytest.approx(34.9206349**0.5)
    assert pair["completeness"] == pytest.approx(20 / (28 + 1 / 3))
    assert pair["reason"] == ""


def test_a_published_example():
    # The turtles of the article "Mark and recapture" of Wikipedia: 10 marked, 15 caught, 5 of them marked; 30 and 28.
    pair = only_pair(sources(10, 15, 5))
    assert (round(pair["lincoln_petersen"]), round(pair["chapman"])) == (30, 28)


@given(st.integers(1, 60), st.integers(1, 60), st.data())
def test_the_limits_are_the_last_totals_that_scipy_allows(n1, n2, data):
    m = data.draw(st.integers(1, min(n1, n2)))
    pair = only_pair(sources(n1, n2, m))
    error = 0.025 * (1 + 1e-9)  # a probability that equals the error is not above it

    def allowed(total):
        return min(stats.hypergeom.cdf(m, total, n1, n2), stats.hypergeom.sf(m - 1, total, n1, n2)) > error

    low, high = int(pair["low"]), int(pair["high"])
    assert allowed(low)
    assert allowed(high)
    assert not allowed(high + 1)
    assert low == n1 + n2 - m or not allowed(low - 1)
    assert pair["completeness_low"] == pair["n_found"] / pair["high"]
    assert pair["completeness_high"] == pair["n_found"] / pair["low"]


@given(SOURCE, SOURCE, SOURCE)
def test_estimates_are_at_least_what_was_found(first, second, third):
    result = capture_recapture({"a": first, "b": second, "c": third})
    assert result.n_found == len(first | second | third)
    known = result.pairs.dropna(subset=["chapman"])
    assert (known["chapman"] >= known["n_found"] - 1e-9).all()
    assert (known["low"] >= known["n_found"]).all()
    assert known["completeness"].between(0, 1 + 1e-9).all()


@given(SOURCE, SOURCE)
def test_the_order_of_two_sources_does_not_matter(first, second):
    one, other = (only_pair({"a": a, "b": b}) for a, b in ((first, second), (second, first)))
    for name in ("lincoln_petersen", "chapman", "low", "high"):
        assert one[name] is other[name] or one[name] == other[name]


@given(st.lists(SOURCE, min_size=2, max_size=5))
def test_the_compared_sources(found):
    named = {str(number): ids for number, ids in enumerate(found)}
    pairs = capture_recapture(named).pairs
    assert list(zip(pairs["source"], pairs["other"], strict=True)) == list(combinations(named, 2))
    others = capture_recapture(named, against="others").pairs
    assert others["source"].tolist() == list(named)
    assert set(others["other"]) == {"all others"}
    for source, n_common in zip(others["source"], others["n_common"], strict=True):
        rest = set().union(*(ids for name, ids in named.items() if name != source))
        assert n_common == len(named[source] & rest)


def test_chapman_is_unbiased_for_independent_sources():
    # Exactly so if n1 + n2 >= N: the expectation over the hypergeometric distribution, term by term.
    total, n1, n2 = 30, 18, 14
    expected = sum(stats.hypergeom.pmf(m, total, n1, n2) * ((n1 + 1) * (n2 + 1) / (m + 1) - 1) for m in range(n2 + 1))
    assert expected == pytest.approx(total)


@pytest.mark.slow
def test_intervals_contain_the_number_as_often_as_stated():
    rng, total, hits, draws = np.random.default_rng(20), 120, 0, 400
    for _ in range(draws):
        found = {name: np.flatnonzero(rng.random(total) < share).tolist() for name, share in (("a", 0.5), ("b", 0.3))}
        pair = only_pair(found)
        hits += pair["low"] <= total <= pair["high"]
    assert hits / draws >= 0.94  # 0.95 or more in theory; three standard errors are 0.03


def test_dependent_sources_find_too_little():
    # Half of the documents are easy for both sources: completeness is overestimated.
    rng, total = np.random.default_rng(21), 400
    chance = np.where(np.arange(total) < total // 2, 0.8, 0.1)
    pair = only_pair({name: np.flatnonzero(rng.random(total) < chance).tolist() for name in "ab"})
    assert pair["high"] < total


def test_nothing_in_common_has_no_upper_limit():
    pair = only_pair(sources(3, 4, 0))
    assert pair.isna()[["lincoln_petersen", "high"]].all()
    assert (pair["chapman"], pair["completeness_low"]) == (19, 0)
    assert pair["reason"] == "nothing is in common, so there is no upper limit"


def test_a_source_that_found_nothing():
    pairs = capture_recapture({"a": [], "b": ["x"], "c": []}).pairs
    assert pairs["reason"].tolist() == [f"{name} found no relevant document" for name in "aac"]
    assert pairs["chapman"].isna().all()


def test_equal_sources_look_complete():
    pair = only_pair(sources(8, 8, 8))
    assert (pair["lincoln_petersen"], pair["chapman"], pair["standard_error"], pair["low"]) == (8, 8, 0, 8)
    assert pair["high"] >= 8


def test_the_result_states_its_assumption():
    result = capture_recapture(sources(10, 15, 5))
    assert "independent" in result.assumption
    assert result.assumption in repr(result)
    assert repr(result).startswith("CaptureRecapture: completeness 0.706 (20 relevant documents found; 1 comparison).")
    assert "undefined" in repr(capture_recapture({"a": [], "b": []}))


@pytest.mark.parametrize(
    ("found", "options", "message"),
    [
        ({"a": ["x"]}, {}, "capture-recapture needs two sources or more, not 1"),
        ({"a": ["x"], "b": "x"}, {}, "the documents of source 'b' must be a collection of ids, not str"),
        ({"a": [], "b": []}, {"against": "all"}, "against must be one of 'each', 'others', not 'all'"),
        ({"a": [], "b": []}, {"confidence": 1}, "confidence must be a number between 0 and 1, not 1"),
    ],
)
def test_invalid_input_is_refused(found, options, message):
    with pytest.raises(ValueError, match=f"^{message}$"):
        capture_recapture(found, **options)
