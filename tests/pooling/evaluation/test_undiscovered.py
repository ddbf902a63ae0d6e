"""Undiscovered documents: the fit by hand and against a general optimiser, the curve, and undefined cases."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from pooling import read_qrels
from pooling.evaluation.decline import fitted_decline, fitted_power
from pooling.evaluation.undiscovered import undiscovered
from tests.pooling.evaluation.test_coverage import gold_of, run_of
from tests.realdata import dl19_runs, real_data

TEN = "abcdefghij"

numbers = st.lists(st.integers(0, 30), min_size=5, max_size=40).map(np.array)


def declining_gold():
    """One run of ten documents; new relevant ones at ranks 1, 2, 3, 5 and 9."""
    return run_of({"s": TEN}), gold_of({doc_id: int(doc_id in "abcei") for doc_id in TEN})


def fit_of(found):
    """C and s by a general optimiser: the largest Poisson likelihood of found + 1."""
    logs = np.log(np.arange(1, len(found) + 1))

    def loss(parameters):
        log_mean = parameters[0] + parameters[1] * logs
        return (np.exp(log_mean) - (found + 1) * log_mean).sum()

    best = minimize(
        loss, [np.log(found.mean() + 1), -0.5], method="Nelder-Mead", options={"xatol": 1e-10, "fatol": 1e-12}
    )
    return np.exp(best.x[0]), best.x[1]


class TestFit:
    def test_through_two_points_by_hand(self):
        # C * 1**s = 8 and C * 2**s = 2, so C = 8 and s = -2.
        assert fitted_power(np.array([8, 2])) == pytest.approx((8, -2))

    @pytest.mark.parametrize(("scale", "slope"), [(20, -0.5), (3, -1.7), (5, 0.0), (2, 0.8)])
    def test_an_exact_power_is_recovered(self, scale, slope):
        assert fitted_power(scale * np.arange(1, 31) ** slope) == pytest.approx((scale, slope))

    @pytest.mark.parametrize("seed", range(5))
    def test_against_a_general_optimiser(self, seed):
        found = np.random.default_rng(seed).poisson(15 * np.arange(1, 41) ** -0.6)
        decline = fitted_decline(found, 100)
        assert (decline.scale, decline.slope) == pytest.approx(fit_of(found), rel=1e-5)

    @given(numbers)
    def test_the_curve_has_the_observed_total(self, found):
        decline = fitted_decline(found, 100)
        if not decline.reason:
            curve = decline.scale * np.arange(1.0, len(found) + 1) ** decline.slope - 1
            assert curve.sum() == pytest.approx(found.sum(), abs=1e-6)

    def test_goodness_of_fit_by_hand(self):
        # 15 / n - 1 goes through 14, 6.5, 4 ...: an exact decline has R2 = 1.
        assert fitted_decline(60 // np.arange(1, 7) - 1, 10).r_squared == pytest.approx(1)

    def test_goodness_of_fit_against_residuals(self):
        found = np.array([9, 7, 2, 4, 1, 0, 2])
        decline = fitted_decline(found, 7)
        fitted = decline.scale * np.arange(1.0, 8) ** decline.slope - 1
        assert decline.r_squared == pytest.approx(1 - np.var(found - fitted) * 7 / (np.var(found) * 7), abs=1e-9)


class TestExtrapolation:
    def test_by_hand(self):
        # New at ranks 1 to 6: 60/n - 1 = 59, 29, 19, 14, 11, 9. Ranks 7 and 8 promise 60/7 - 1 + 60/8 - 1 = 14.0714.
        decline = fitted_decline(60 // np.arange(1, 7) - 1, 8)
        assert (decline.scale, decline.slope) == pytest.approx((60, -1))
        assert decline.undiscovered == pytest.approx(60 / 7 + 60 / 8 - 2)

    def test_the_curve_ends_where_it_reaches_zero(self):
        # 60 / n - 1 is 0 at n = 60: a limit beyond adds nothing.
        found = 60 // np.arange(1, 7) - 1
        assert fitted_decline(found, 10_000).undiscovered == pytest.approx(fitted_decline(found, 60).undiscovered)

    def test_the_prediction_for_the_second_half_by_hand(self):
        # Ten ranks: the first five are 60/n - 1, which promises 9, 53/7, 6.5, 17/3 and 5; none of it was found.
        found = np.concatenate([60 // np.arange(1, 6) - 1, np.zeros(5, dtype=int)])
        decline = fitted_decline(found, 20)
        assert decline.half_predicted == pytest.approx(9 + 53 / 7 + 6.5 + 17 / 3 + 5)
        assert decline.half_found == 0

    @given(numbers, st.integers(40, 200))
    def test_a_deeper_limit_never_finds_less(self, found, limit):
        near, far = fitted_decline(found, limit), fitted_decline(found, limit + 50)
        assert near.reason == far.reason
        if not near.reason:
            assert 0 <= near.undiscovered <= far.undiscovered

    def test_the_decline_of_simulated_data_is_extrapolated(self):
        # 43 topics whose expected numbers follow the curve: the estimate for ranks 21 to 200 is within a tenth.
        ranks = np.arange(1, 201)
        found = np.random.default_rng(1).poisson(400 * ranks**-0.6 - 1)
        estimate = fitted_decline(found[:20], 200).undiscovered
        assert estimate == pytest.approx(found[20:].sum(), rel=0.1)


class TestRunsAndGold:
    def test_what_is_new_at_each_rank_by_hand(self):
        # s: a b c, t: b d a. Best ranks: a 1, b 1, c 3, d 2; d is not judged, c is not relevant.
        result = undiscovered(run_of({"s": "abc", "t": "bda"}), gold_of({"a": 1, "b": 2, "c": 0}), 3)
        assert result.observed[["rank", "n_new", "n_judged", "n_relevant"]].values.tolist() == [
            *([1, 2, 2, 2], [2, 1, 0, 0], [3, 1, 1, 0])
        ]
        assert result.share_judged == 0.75

    def test_the_default_depth_is_the_judged_depth(self):
        runs, gold = declining_gold()
        assert undiscovered(runs, gold).depth == 10
        assert undiscovered(runs, gold[gold["doc_id"] != "h"]).depth == 7
        assert undiscovered(runs, gold.assign(relevance=gold["relevance"].where(gold["doc_id"] != "d", -1))).depth == 3

    def test_a_single_topic_equals_the_total(self):
        runs, gold = declining_gold()
        result = undiscovered(runs, gold)
        assert result.overall.undiscovered == result.topics["undiscovered"].iloc[0]
        assert result.topics["n_relevant"].tolist() == [5]
        assert result.curve["n_relevant"].tolist()[:10] == [1, 1, 1, 0, 1, 0, 0, 0, 1, 0]
        assert result.curve["n_relevant"].isna().tolist() == [False] * 10 + [True] * 990
        assert result.curve["fitted"][10:].sum() == pytest.approx(result.overall.undiscovered)

    def test_rel_is_the_least_relevant_grade(self):
        runs, gold = declining_gold()
        twos = gold.assign(relevance=gold["relevance"] * 2 + (gold["doc_id"] == "d"))
        assert undiscovered(runs, twos, rel=2).overall == undiscovered(runs, gold).overall

    def test_topics_add_up_to_the_total(self):
        first, gold = declining_gold()
        runs = pd.concat([first, run_of({"s": TEN}, "2")])
        golds = pd.concat([gold, gold_of({doc_id: int(doc_id in "abd") for doc_id in TEN}, "2")])
        result = undiscovered(runs, golds)
        assert result.topics["n_relevant"].tolist() == [5, 3]
        assert result.curve["n_relevant"].dropna().tolist() == [2, 2, 1, 1, 1, 0, 0, 0, 1, 0]

    def test_the_description_has_data_and_assumptions(self):
        runs, gold = declining_gold()
        text = undiscovered(runs, gold, limit=20).describe()
        assert text.startswith(
            "A pool of these runs to rank 20 would contain about 1 more relevant document (systems: 1;"
        )
        assert (
            "ranks: 10; share of the pool judged: 100.0%; relevant documents found: 5; fit of C n^s - 1: C = " in text
        )
        assert "This assumes that the whole pool is judged and that the decline continues" in text


class TestUndefined:
    @pytest.mark.parametrize(
        ("found", "reason"),
        [
            ([9, 5, 3, 2], "the pool has 4 ranks; at least 5 are needed"),
            ([9, 5, 0, 0, 0, 0], "only 2 ranks have new relevant documents; at least 3 are needed"),
            ([0] * 9, "only 0 ranks have new relevant documents; at least 3 are needed"),
            ([3] * 9, "new relevant documents do not become fewer with rank"),
            ([1, 2, 3, 4, 5], "new relevant documents do not become fewer with rank"),
        ],
    )
    def test_undefined_fits_have_a_reason(self, found, reason):
        decline = fitted_decline(np.array(found), 100)
        assert (decline.reason, decline.undiscovered, decline.scale, decline.r_squared) == (reason, None, None, None)
        assert decline.at(np.arange(2)) == [None, None]

    def test_a_topic_that_no_run_has(self):
        runs, gold = declining_gold()
        result = undiscovered(runs, pd.concat([gold, gold_of({"z": 1}, "2")]))
        assert result.topics["reason"].tolist() == ["", "no run has the topic"]
        assert result.topics["undiscovered"].isna().tolist() == [False, True]
        assert result.observed.loc[result.observed["query_id"] == "2", "fitted"].isna().all()

    def test_a_topic_without_gold_is_ignored(self):
        runs, gold = declining_gold()
        more = pd.concat([runs, run_of({"s": "xyz"}, "2")])
        assert undiscovered(more, gold).overall == undiscovered(runs, gold).overall

    def test_unjudged_first_documents_give_an_undefined_result(self):
        result = undiscovered(run_of({"s": "ab"}), gold_of({"b": 1}))
        assert (result.depth, result.share_judged) == (0, None)
        assert result.describe().startswith(
            "The number of undiscovered relevant documents is undefined: the pool has 0 ranks; at least 5 are needed"
            " (systems: 1; topics: 1;"
        )

    def test_an_empty_gold_is_refused(self):
        with pytest.raises(ValueError, match="gold is empty"):
            undiscovered(run_of({"s": "ab"}), gold_of({"b": 1}).iloc[:0])

    @pytest.mark.parametrize(
        ("options", "sentence"),
        [
            ({"depth": 0}, "depth must .* not 0"),
            ({"limit": 1.5}, "limit must .* not 1.5"),
            ({"depth": 9, "limit": 8}, "limit must be at least 9"),
        ],
    )
    def test_invalid_arguments_are_refused(self, options, sentence):
        runs, gold = declining_gold()
        with pytest.raises(ValueError, match=sentence):
            undiscovered(runs, gold, **options)


@pytest.mark.slow
def test_the_decline_of_trec_2019_predicts_the_next_10_ranks():
    # NIST judged the pool to depth 10, and below it what a classifier proposed: most of the relevant documents.
    result = undiscovered(dl19_runs(), read_qrels(real_data("dl19", "judges", "nist.qrels")), 20, rel=2)
    assert (result.overall.half_found, round(result.overall.half_predicted)) == (277, 277)
    assert result.overall.r_squared > 0.98
