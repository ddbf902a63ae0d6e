"""The ranking by corrected scores: against all grades, unreliable differences, many systems, and real data."""

import itertools

import pytest
import scipy.stats

from agreement import score_table
from agreement.trust import corrected_ranking as module
from agreement.trust.corrected_ranking import corrected_ranking
from agreement.trust.few_grades.few_human_grades import few_human_grades
from pooling.draws import draw_by_stratum
from tests.agreement.trust.few_grades.test_few_human_grades import dl19, model_of
from tests.agreement.trust.judged_runs import PAIR, judged_runs

RUNS, PEOPLE, MODELS = judged_runs(n_systems=5, n_topics=12)
PAIRS = PEOPLE["p0"][PAIR]
DRAW = draw_by_stratum(PAIRS, 8, seed=1)


def test_corrected_ranking_of_a_drawn_pool_is_that_of_all_grades():
    """With everything drawn, corrected scores are scores: tau_b and the order of the pairs follow from them."""
    everything = draw_by_stratum(PAIRS, 20, seed=1)
    scores = few_human_grades(RUNS, MODELS["good"], PEOPLE["p0"], everything, "nDCG@5", seed=1)
    row = corrected_ranking({"good": scores}).iloc[0]
    people, model = (score_table(RUNS, gold, "nDCG@5").mean(axis=1) for gold in (PEOPLE["p0"], MODELS["good"]))
    assert row["tau_b"] == pytest.approx(scipy.stats.kendalltau(people, model).statistic)
    same = sum((people[a] - people[b]) * (model[a] - model[b]) > 0 for a, b in itertools.combinations(people.index, 2))
    assert (row["pairs"], row["decided"], row["same_order"]) == (10, 10, same)
    assert (row["best_corrected"], row["best_model"]) == (people.idxmax(), model.idxmax())
    names = f"{row['best_corrected']} for both" if people.idxmax() == model.idxmax() else f"{row['best_model']} by the"
    assert names in row["sentence"]


def test_an_unreliable_difference_decides_nothing():
    grades = DRAW.drawn[PAIR].merge(PEOPLE["p0"])
    found = few_human_grades(RUNS, MODELS["good"], grades, DRAW, "AP(rel=2)", seed=1)
    assert found.differences().to_frame()["reason"].notna().all()
    assert corrected_ranking({"good": found})["decided"].item() == 0


def test_only_the_best_systems_are_compared_in_pairs(monkeypatch):
    monkeypatch.setattr(module, "MOST_COMPARED", 3)
    grades = DRAW.drawn[PAIR].merge(PEOPLE["p0"])
    found = few_human_grades(RUNS, MODELS["good"], grades, DRAW, "nDCG@5", seed=1)
    row = corrected_ranking({"good": found}).iloc[0]
    assert (row["n_systems"], row["pairs"]) == (5, 3)


def test_a_system_that_is_unknown_is_refused():
    grades = DRAW.drawn[PAIR].merge(PEOPLE["p0"])
    found = few_human_grades(RUNS, None, grades, DRAW, "P@5", seed=1)
    assert len(found.differences(systems=["s00", "s03"]).to_frame()) == 1
    with pytest.raises(ValueError, match=r"There is no system 'x'\. The systems are s00, s01"):
        found.differences(systems=["s00", "x"])


@pytest.mark.slow
def test_dl19_with_ten_grades_a_topic():
    """The figures of docs/trust.md. Documents that were not drawn, counted as not relevant, give a tau_b of 0.51."""
    runs, gold = dl19()
    draw = draw_by_stratum(gold[PAIR], 10, seed=1)
    grades = draw.drawn[PAIR].merge(gold, on=PAIR)
    scores = few_human_grades(runs, model_of("gpt-4o.umbrela"), grades, draw, "nDCG@10", scale=(0, 1, 2, 3), seed=1)
    row = corrected_ranking({"gpt-4o": scores}).iloc[0]
    assert round(row["tau_b"], 2) == 0.84
    assert (row["pairs"], row["decided"], row["same_order"], row["opposite_order"]) == (666, 381, 381, 0)
    by_model, of_all, of_draw = (
        score_table(runs, found, "nDCG@10").mean(axis=1) for found in (model_of("gpt-4o.umbrela"), gold, grades)
    )
    assert round(scipy.stats.kendalltau(by_model, of_all).statistic, 2) == 0.92
    assert round(scipy.stats.kendalltau(by_model, of_draw).statistic, 2) == 0.51
