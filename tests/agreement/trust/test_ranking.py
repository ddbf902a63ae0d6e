"""The ranking under models and people: by hand, against single functions, real data, properties, degenerate input."""

import numpy as np
import pandas as pd
import pytest

from agreement import compare_systems, parse_measure, prepare, score_table
from agreement.rank_correlation import maximum_drop, pairwise_accuracy, ranking_of, rbo, tau_ap_b, tau_b, tau_gap
from agreement.shift.gold_pairs import PERSISTENCE
from agreement.trust import ranking_under_model
from agreement.trust.model_files import read_model_grades
from agreement.trust.ranking import accuracy_paired
from pooling.trec import read_qrels
from tests.agreement.trust.judged_runs import judged_runs
from tests.realdata import dl19_runs, real_data

RUNS, PEOPLE, MODELS = judged_runs()
OPTIONS = {"measure": "nDCG@10", "draws": 100, "seed": 1}
FOUND = ranking_under_model(RUNS, PEOPLE, MODELS, top=5, **OPTIONS)


def row(judge: str, systems: str = "all", found=FOUND) -> pd.Series:
    return found.frame.set_index(["judge", "systems"]).loc[(judge, systems)]


def test_coefficients_are_those_of_the_single_functions():
    reference, model = (score_table(RUNS, gold, "nDCG@10") for gold in (PEOPLE["p0"], MODELS["good"]))
    x, y = reference.mean(axis=1), model.mean(axis=1)
    found = row("good")
    assert found["tau_b"] == pytest.approx(tau_b(x, y).value)
    assert found["tau_ap_b"] == pytest.approx(tau_ap_b(x, y).value)
    assert found["tau_gap"] == pytest.approx(tau_gap(x, y).value)
    assert found["pairwise_accuracy"] == pytest.approx(pairwise_accuracy(x, y).value)
    rankings = [ranking_of(scores, list(x.index)) for scores in (x, y)]
    assert found["rbo"] == pytest.approx(rbo(*rankings, p=PERSISTENCE, ties="a").value)
    assert found["maximum_drop"] == maximum_drop(x, y).value
    assert found["mean_reference"] == pytest.approx(x.mean())


def test_significant_differences_are_counted_as_by_compare_systems():
    signs = []
    for gold in (PEOPLE["p0"], MODELS["good"]):
        tests = compare_systems(score_table(RUNS, gold, "nDCG@10"))
        signs.append(np.sign(tests["difference"].to_numpy(float)) * tests["significant"].to_numpy(bool))
    found = row("good")
    assert found["kept"] == ((signs[0] == signs[1]) & (signs[0] != 0)).sum()
    assert found["lost"] == ((signs[0] != 0) & (signs[1] == 0)).sum()
    assert found["invented"] == ((signs[0] == 0) & (signs[1] != 0)).sum()
    assert row("reverse")["reversed"] > 0


def test_the_best_systems_are_compared_by_themselves():
    reference = score_table(RUNS, PEOPLE["p0"], "nDCG@10").mean(axis=1)
    best = reference.nlargest(5).index
    model = score_table(RUNS, MODELS["good"], "nDCG@10").mean(axis=1)
    assert row("good", "top 5")["n_systems"] == 5
    assert row("good", "top 5")["tau_b"] == pytest.approx(tau_b(reference[best], model[best]).value)


def test_limits_contain_the_value_and_are_ordered():
    for name in ("tau_b", "tau_ap_b", "tau_gap", "rbo", "pairwise_accuracy"):
        assert (FOUND.frame[f"{name}_low"] <= FOUND.frame[f"{name}_high"]).all()


def test_people_are_compared_on_the_pairs_that_both_judged():
    half = PEOPLE["p1"].iloc[::2]
    found = ranking_under_model(RUNS, {"p0": PEOPLE["p0"], "half": half}, MODELS, **OPTIONS)
    same = PEOPLE["p0"].merge(half[["query_id", "doc_id"]])
    scores = [score_table(RUNS, gold, "nDCG@10").mean(axis=1) for gold in (same, half)]
    assert row("half", found=found)["tau_b"] == pytest.approx(tau_b(*scores).value)
    assert row("half", found=found)["pairs"] == "also graded by half"


def test_a_model_that_errs_like_people_is_like_people_and_others_are_worse():
    table = FOUND.against_people.set_index(["model", "systems"])
    assert abs(table.loc[("good", "all"), "difference"]) < 0.1
    for model in ("random", "reverse"):
        assert table.loc[(model, "all"), "high"] < -0.05
    assert (table["low"] <= table["difference"]).all()
    assert (table["difference"] <= table["high"]).all()
    assert set(table["n_people"]) == {2}


def test_a_model_that_is_a_person_has_the_tau_of_that_person():
    people = {name: PEOPLE[name] for name in ("p0", "p1")}
    found = ranking_under_model(RUNS, people, {"copy": PEOPLE["p1"]}, **OPTIONS)
    table = found.against_people
    assert table["tau_b_model"].tolist() == table["tau_b_person"].tolist()
    assert table["low"].tolist() == table["high"].tolist() == [0, 0]


def test_without_a_second_person_there_is_no_comparison_with_people():
    found = ranking_under_model(RUNS, {"p0": PEOPLE["p0"]}, MODELS, **OPTIONS)
    assert found.against_people.empty
    assert list(found.tables()) == ["ranking"]
    assert found.summary().endswith("; no second person judged.")


def test_same_seed_same_result():
    again = ranking_under_model(RUNS, PEOPLE, MODELS, top=5, **OPTIONS)
    pd.testing.assert_frame_equal(again.frame, FOUND.frame)
    pd.testing.assert_frame_equal(again.against_people, FOUND.against_people)


def test_paired_accuracy_is_that_of_single_rankings():
    rng = np.random.default_rng(1)
    truth, estimate = rng.integers(0, 4, (2, 30, 6)).astype(float)
    expected = [pairwise_accuracy(x, y).value for x, y in zip(truth, estimate, strict=True)]
    assert accuracy_paired(truth, estimate).values.tolist() == pytest.approx(expected)


def test_a_judge_without_a_common_topic_has_a_reason():
    other = MODELS["good"].assign(query_id="x" + MODELS["good"]["query_id"])
    found = ranking_under_model(RUNS, PEOPLE, {"other": other}, **OPTIONS)
    assert row("other", found=found)["reason"] == "no common topic"
    assert found.summary() == "No model can be compared with p0: no common topic."


def test_all_systems_tied_is_undefined():
    nothing = MODELS["good"].assign(relevance=0)
    found = ranking_under_model(RUNS, PEOPLE, {"nothing": nothing}, **OPTIONS)
    assert row("nothing", found=found)["reason"] == "all_tied"
    assert pd.isna(row("nothing", found=found)["tau_b"])


def test_one_system_is_undefined():
    found = ranking_under_model(RUNS[RUNS["system"] == "s00"], PEOPLE, MODELS, **OPTIONS)
    assert set(found.frame["reason"]) == {"one system"}


@pytest.mark.parametrize(
    ("people", "models", "options", "message"),
    [
        ({}, MODELS, {}, "people must have at least one judge"),
        (PEOPLE, {}, {}, "models must have at least one judge"),
        (PEOPLE, {"p0": MODELS["good"]}, {}, "'p0' is the name of a person and of a model"),
        (PEOPLE, {"m": MODELS["good"].assign(relevance=-1)}, {}, "The judge 'm' has no grade"),
        (PEOPLE, {"m": pd.concat([MODELS["good"]] * 2)}, {}, "m: document 'd00' of topic 't00' has two grades"),
        (PEOPLE, MODELS, {"top": 1}, "top must be"),
        (PEOPLE, MODELS, {"draws": 1}, "draws must be"),
        (PEOPLE, MODELS, {"confidence": 1}, "confidence must be"),
        (PEOPLE, MODELS, {"measure": "E@10"}, "for which higher is better"),
    ],
)
def test_refusals(people, models, options, message):
    with pytest.raises(ValueError, match=message):
        ranking_under_model(RUNS, people, models, **{**OPTIONS, **options})


@pytest.fixture(scope="module")
def dl19():
    folder = real_data("dl19", "model_judges")
    files = {name: folder / f"{name}.umbrela.txt" for name in ("gpt-4o", "gpt-4", "llama3.2")}
    models = read_model_grades(files, duplicates="last").golds
    people = {"nist": read_qrels(real_data("dl19", "judges", "nist.qrels"))}
    return ranking_under_model(prepare(dl19_runs()), people, models, parse_measure("nDCG@10"), draws=2, seed=1)


@pytest.mark.in_ci
@pytest.mark.parametrize(
    ("judge", "tau_all", "tau_top", "mean"),
    [("gpt-4o", 0.916, 0.733, 0.676), ("gpt-4", 0.850, 0.644, 0.708), ("llama3.2", 0.823, 0.422, 0.673)],
)
def test_dl19(dl19, judge, tau_all, tau_top, mean):
    """Computed by another program (37 runs, 43 topics, gain = grade); of llama3.2's repeated grades the last counts."""
    assert row(judge, found=dl19)["tau_b"] == pytest.approx(tau_all, abs=5e-4)
    assert row(judge, "top 10", found=dl19)["tau_b"] == pytest.approx(tau_top, abs=5e-4)
    assert row(judge, found=dl19)["mean_judge"] == pytest.approx(mean, abs=5e-4)
    assert row(judge, found=dl19)["mean_reference"] == pytest.approx(0.620, abs=5e-4)
