"""The figures of the shift pages, compared with other programs and with the libraries."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import agreement
from assess.analysis.data import collection_judgements
from assess.analysis.documents.leverage import leverage_of
from assess.analysis.reference import MEANINGS, judges_of, offered_rules
from assess.analysis.shift.draws import correlations_of, intervals_of, mixed_of
from assess.analysis.shift.golds import default_rules, golds_of
from assess.analysis.shift.parts import measures_of
from assess.analysis.shift.ranking import shift_of
from assess.analysis.shift.ranks import compared_frame, range_frame
from assess.analysis.shift.swaps import differences_of, explain_swap, swaps_of
from assess.analysis.shift_query import ShiftInputs
from assess.collections import runfiles
from assess.errors import Refused
from tests.assess.web.research.analysis.pages import judge
from tests.factories import small_collection

RUNS = {
    "alpha": {"1": ["a", "b", "c"], "2": ["x", "y", "z"], "3": ["k", "l", "m"]},
    "beta": {"1": ["b", "c", "a"], "2": ["y", "z", "x"], "3": ["l", "m", "k"]},
    "gamma": {"1": ["c", "a", "b"], "2": ["z", "x", "y"], "3": ["m", "k", "l"]},
    "delta": {"1": ["a", "c", "b"], "2": ["x", "z", "y"], "3": ["l", "k", "m"]},
}
DOCUMENTS = [("1", "a"), ("1", "b"), ("1", "c"), ("2", "x"), ("2", "y"), ("2", "z")]
INPUTS = ShiftInputs("AP(rel=1)", reference="judge:first")


@pytest.fixture
def collection(db):
    """Four systems, and three judges who disagree."""
    collection = small_collection(RUNS, "ranked", grades=["0=no", "1=some", "2=much"], depth=3)
    for name, grades in (("first", (1, 0, 2, 1, 0, 0)), ("second", (0, 1, 0, 0, 2, 1)), ("third", (1, 1, 0, 0, 1, 0))):
        judge(collection, name, dict(zip(DOCUMENTS, grades, strict=True)))
    return collection


def test_tau_b_is_that_of_scipy(collection):
    shift = shift_of(collection, INPUTS)
    frame = compared_frame(shift)
    assert len(frame) == 15  # six golds
    for row in frame.to_dict("records"):
        x, y = (shift.scores[gold].mean(axis=1).round(12) for gold in (row["gold_a"], row["gold_b"]))
        if row["tau_b_reason"] == "all_tied":
            assert min(x.nunique(), y.nunique()) == 1
        else:
            assert row["tau_b"] == pytest.approx(stats.kendalltau(x, y).statistic)
    assert frame["tau_b"].notna().sum() == 6
    assert len(compared_frame(shift, only_reference=True)) == 5


def test_rank_ranges_are_those_of_the_ranks(collection):
    shift = shift_of(collection, INPUTS)
    for row in range_frame(shift).to_dict("records"):
        ranks = shift.ranks.loc[shift.ranks["system"] == row["system"], "rank"].tolist()
        assert (row["best"], row["worst"], row["n_golds"]) == (min(ranks), max(ranks), 6)
        assert row["mean"] == pytest.approx(np.mean(ranks))


@pytest.mark.slow
def test_all_rules_can_be_golds(collection):
    rules = [rule for rule, _ in offered_rules(judges_of(collection))]
    assert {"judge:first", "judge:second", "judge:third", *MEANINGS} - {"adjudicated"} == set(rules)
    shift = shift_of(collection, ShiftInputs("nDCG@10", (*rules, "at_least:2")))
    assert shift.golds == (*rules, "at_least:2")
    same = {("union", "max"), ("intersection", "min"), ("majority", "median")}
    assert all((shift.scores[a] == shift.scores[b]).all(axis=None) for a, b in same)


@pytest.mark.in_ci
@pytest.mark.parametrize("measure", ["ERR@10", "RBP(p=0.8)"])
def test_measures_that_need_the_scale_get_it(collection, measure):
    inputs = ShiftInputs(measure, ("judge:first", "judge:second"), reference="judge:first")
    shift = shift_of(collection, inputs)
    runs = [runfiles.load(run) for run in collection.runs.all()]
    gold = golds_of(collection, collection_judgements(collection), ["judge:first"])["judge:first"]
    expected = agreement.score_table(runs, gold, measure, scale=(0, 1, 2))
    pd.testing.assert_frame_equal(shift.scores["judge:first"], expected, check_names=False)
    assert mixed_of(collection, inputs, draws=10).measure == shift.measure
    assert intervals_of(collection, inputs).gold == "judge:first"
    assert leverage_of(collection, inputs, gold="judge:first").measure == shift.measure


@pytest.mark.in_ci
def test_only_measures_that_need_the_scale_refuse_fractional_golds(collection):
    golds = ("mean", "judge:first")
    assert shift_of(collection, ShiftInputs("nDCG@10", golds)).golds == golds
    with pytest.raises(Refused, match=r"Grade 0\.\d+ is not on the scale 0, 1, 2"):
        shift_of(collection, ShiftInputs("ERR@10", golds))


@pytest.mark.parametrize(("measure", "missing"), [("Specificity", "the number of documents in the whole collection")])
def test_measures_that_need_what_a_site_does_not_know_are_refused(collection, measure, missing):
    with pytest.raises(Refused, match=f"{measure} needs {missing}, which this site does not know"):
        shift_of(collection, ShiftInputs(measure))


def test_dawid_skene_uses_the_declared_scale(collection):
    frame = collection_judgements(collection)
    expected = agreement.make_gold(frame, "dawid_skene", scale=(0, 1, 2))
    gold = golds_of(collection, frame, ["dawid_skene"])["dawid_skene"]
    pd.testing.assert_series_equal(gold["relevance"], expected["relevance"])


@pytest.mark.in_ci
def test_judges_and_systems_that_are_left_out_count_nowhere(collection):
    inputs = ShiftInputs("AP(rel=1)", without_judges=("third",), without_systems=("delta",))
    shift = shift_of(collection, inputs)
    assert shift.systems == ("alpha", "beta", "gamma")
    assert "judge:third" not in shift.golds
    kept = collection_judgements(collection, ("first", "second"))
    union = agreement.make_gold(kept, "union")
    runs = [runfiles.load(run) for run in collection.runs.exclude(system="delta")]
    expected = agreement.ranking_shift(runs, union, "AP(rel=1)").ranks
    assert shift.ranks_under("union")["score"].tolist() == expected["score"].tolist()
    assert "third" not in mixed_of(collection, inputs).judges
    assert leverage_of(collection, inputs, gold="union").n_systems == 3
    with pytest.raises(Refused, match="no runs"):
        shift_of(collection, ShiftInputs("AP", without_systems=tuple(RUNS)))
    with pytest.raises(Refused, match="no judgements"):
        shift_of(collection, ShiftInputs("AP", without_judges=("first", "second", "third")))


@pytest.mark.in_ci
def test_differences_have_the_p_of_scipy_and_holm_by_hand(collection):
    frame = differences_of(collection, INPUTS, test="t", correction="holm")
    scores = shift_of(collection, INPUTS).scores["judge:first"]
    ps = {}
    for row in frame.dropna(subset=["p"]).to_dict("records"):
        pair = row["system_a"], row["system_b"]
        ps[pair] = stats.ttest_rel(scores.loc[pair[0]], scores.loc[pair[1]]).pvalue
        assert row["p"] == pytest.approx(ps[pair])
    largest, adjusted = 0.0, {}
    for place, pair in enumerate(sorted(ps, key=ps.get)):  # Holm 1979: p times the number of tests that are left
        largest = max(largest, min(1, ps[pair] * (len(ps) - place)))
        adjusted[pair] = largest
    for row in frame.dropna(subset=["p"]).to_dict("records"):
        assert row["p_adjusted"] == pytest.approx(adjusted[row["system_a"], row["system_b"]])
    sizes = frame["difference"].abs().tolist()
    assert sizes == sorted(sizes, reverse=True)


@pytest.mark.slow
def test_swapped_pairs_are_tested_under_both_golds(collection):
    swaps = swaps_of(collection, INPUTS, against="judge:second", test="t", correction="none")
    shift = shift_of(collection, INPUTS)
    assert len(swaps) == shift.pair("judge:first", "judge:second").swapped > 0
    for row in swaps.to_dict("records"):
        for side, gold in (("a", "judge:first"), ("b", "judge:second")):
            ahead, behind = row[f"ahead_{side}"], row[f"ahead_{'b' if side == 'a' else 'a'}"]
            x, y = shift.scores[gold].loc[ahead], shift.scores[gold].loc[behind]
            assert row[f"difference_{side}"] == pytest.approx(x.mean() - y.mean())
            assert row[f"difference_{side}"] > 0
            if not pd.isna(row[f"p_adjusted_{side}"]):
                assert row[f"p_adjusted_{side}"] == pytest.approx(stats.ttest_rel(x, y).pvalue)


@pytest.mark.slow
def test_contributions_of_documents_sum_to_the_change(collection):
    swap = {"a": "alpha", "b": "beta", "gold_1": "judge:first", "gold_2": "judge:second"}
    why = explain_swap(collection, INPUTS, **swap)
    assert why.swapped
    assert why.documents["contribution"].sum() == pytest.approx(why.change)
    assert why.topics["contribution"].sum() == pytest.approx(why.change)
    shift = shift_of(collection, INPUTS)
    means = [shift.scores[gold].mean(axis=1) for gold in ("judge:first", "judge:second")]
    assert why.change == pytest.approx(np.subtract(*(each["alpha"] - each["beta"] for each in means[::-1])))


def test_leverage_is_the_effect_of_one_changed_grade(collection):
    found = leverage_of(collection, INPUTS, gold="majority")
    row = found.documents.iloc[0]
    judgements = collection_judgements(collection)
    gold = agreement.make_gold(judgements, "majority")
    changed = gold.copy()
    changed.loc[(gold["query_id"] == row["query_id"]) & (gold["doc_id"] == row["doc_id"]), "relevance"] = row["grade"]
    runs = [runfiles.load(run) for run in collection.runs.all()]
    pair = agreement.ranking_shift(runs, {"before": gold, "after": changed}, "AP(rel=1)").pairs[0]
    assert row["pairs_swapped"] == pair.swapped
    assert row["tau"] == pytest.approx(pair.tau_b.value)


@pytest.mark.slow
def test_mixed_golds_are_all_combinations_of_judges(collection):
    mixed = mixed_of(collection, INPUTS)
    assert (mixed.draws, mixed.exhaustive) == (9, True)  # three judges of each of two topics
    shift = shift_of(collection, INPUTS)
    scores = [shift.scores[f"judge:{name}"] for name in ("first", "second", "third")]
    combined = np.array([(one["1"] + other["2"]).to_numpy() / 2 for one in scores for other in scores])
    frame = mixed.systems_frame.set_index("system").loc[list(shift.systems)]
    assert frame["mean"].tolist() == pytest.approx(combined.mean(axis=0).tolist())
    ranks = 1 + (combined[:, None, :] - combined[:, :, None] > 1e-12).sum(axis=2)
    assert frame["least_rank"].tolist() == ranks.min(axis=0).tolist()
    assert frame["greatest_rank"].tolist() == ranks.max(axis=0).tolist()


@pytest.mark.slow
def test_intervals_are_those_of_the_library(collection):
    found = intervals_of(collection, INPUTS)
    shift = shift_of(collection, INPUTS)
    expected = agreement.rank_intervals(shift.scores["judge:first"], seed=1).set_index("system")
    rows = found.topics.set_index("system")
    assert rows[["low", "high"]].equals(expected.loc[rows.index, ["low", "high"]])
    assert found.topics["rank"].is_monotonic_increasing
    assert found.judges.attrs["resampled"] == "topics and judges"


@pytest.mark.soak
def test_measures_side_by_side_are_those_of_each_measure(collection):
    frame = measures_of(collection, INPUTS, measures=["AP(rel=1)", "AP(rel=2)", "nDCG@10"])
    assert len(frame) == 15
    for row in frame.to_dict("records"):
        shift = shift_of(collection, ShiftInputs(row["measure"], reference="judge:first"))
        pair = shift.pair("judge:first", row["gold_b"])
        assert (row["swapped"], row["n_topics"]) == (pair.swapped, pair.n_topics)
        assert row["tau_b"] == pair.tau_b.value or pd.isna(row["tau_b"])
        assert row["top_b"] == " ".join(shift.ranks_under(row["gold_b"]).query("rank == 1")["system"])


@pytest.mark.in_ci
def test_reversed_pair_still_names_the_best_of_the_reference_first(collection):
    frame = measures_of(collection, ShiftInputs("AP(rel=1)", reference="judge:second"), measures=["AP(rel=1)"])
    shift = shift_of(collection, ShiftInputs("AP(rel=1)", reference="judge:second"))
    best = " ".join(shift.ranks_under("judge:second").query("rank == 1")["system"])
    assert set(frame["top_a"]) == {best}


def test_default_golds_contain_decisions_only_if_there_are_some(collection):
    rules = default_rules(collection, collection_judgements(collection))
    assert rules == ("judge:first", "judge:second", "judge:third", "union", "intersection", "majority")


@pytest.mark.in_ci
def test_invalid_requests_are_refused(collection):
    for inputs in (ShiftInputs("nonsense"), ShiftInputs("AP(rel=9)"), ShiftInputs("AP", ("nobody",))):
        with pytest.raises(Refused):
            shift_of(collection, inputs)
    with pytest.raises(Refused, match="no run of system"):
        explain_swap(collection, INPUTS, a="alpha", b="omega", gold_1="union", gold_2="majority")
    with pytest.raises(Refused):
        leverage_of(collection, INPUTS, gold="nothing")
    with pytest.raises(Refused):
        swaps_of(collection, INPUTS, against="nothing", test="t", correction="holm")


@pytest.mark.slow
def test_intervals_of_correlations_are_those_of_the_library(collection):
    found = correlations_of(collection, INPUTS)
    shift = shift_of(collection, INPUTS)
    expected = agreement.correlation_intervals(shift, 2000, 1)
    assert (found.seed, found.draws, found.resampled) == (1, 2000, "topics")
    assert len(found.estimates) == 3 * len(shift.others)
    for gold in shift.others:
        one, other = (each.estimate("judge:first", gold) for each in (found, expected))
        assert (one.value, one.low, one.high, one.reason) == (other.value, other.low, other.high, other.reason)
    assert set(found.reasons) <= {"few_systems", "all_tied"}  # four systems
