"""Corrected scores and plans in the report: with a draw, without one, and what is left out."""

import pickle

import pandas as pd
import pytest

from agreement import score_table
from agreement.trust import trust_report
from agreement.trust.few_grades.few_human_grades import few_human_grades
from agreement.trust.report_text import trust_text
from agreement.trust.scored_judges import ONLY_DRAWN
from pooling.draws import draw_by_stratum
from tests.agreement.trust.judged_runs import PAIR, judged_runs

RUNS, PEOPLE, MODELS = judged_runs(n_systems=5, n_topics=12)
MODELS = {"good": MODELS["good"], "partial": MODELS["good"].iloc[5:]}
OPTIONS = {"draws": 10, "seed": 1}
PAIRS = PEOPLE["p0"][PAIR]
DRAW = draw_by_stratum(PAIRS, 8, seed=1)


@pytest.mark.slow
def test_without_a_draw_nothing_is_corrected_and_the_report_says_how_to_draw():
    report = trust_report(RUNS, PEOPLE, MODELS, **OPTIONS)
    assert report.corrections.scores == {}
    assert "assay draw draws them" in trust_text(report)
    assert "corrected_scores" not in report.tables()


@pytest.mark.slow
@pytest.mark.parametrize("measure", ["P(rel=2)@5", "nDCG@5"])
def test_scores_are_those_of_few_human_grades(measure):
    report = trust_report(RUNS, PEOPLE, MODELS, measure, draw=DRAW, **OPTIONS)
    grades = DRAW.drawn[PAIR].merge(PEOPLE["p0"])
    expected = few_human_grades(RUNS, MODELS["good"], grades, DRAW, measure, scale=(0, 1, 2, 3), seed=1).to_frame()
    pd.testing.assert_frame_equal(report.corrections.scores["good"].to_frame(), expected)
    assert list(report.corrections.scores) == ["no model", "good"]
    assert list(report.corrections.plans) == ["good"]
    assert {"corrected_scores", "plan"} <= set(report.tables())


@pytest.mark.slow
@pytest.mark.parametrize("measure", ["P(rel=2)@5", "nDCG@5"])
def test_a_report_can_be_stored(measure):
    """The web application keeps it in a cache; its differences still work then."""
    report = pickle.loads(pickle.dumps(trust_report(RUNS, PEOPLE, MODELS, measure, draw=DRAW, **OPTIONS)))
    assert len(report.corrections.scores["good"].differences("s00").to_frame()) == 4


@pytest.mark.slow
def test_what_is_left_out_is_reported():
    notes = trust_report(RUNS, PEOPLE, MODELS, draw=DRAW, **OPTIONS).corrections.notes
    assert notes == (
        "144 grades of p0 of pairs that were not drawn are not used for corrected scores.",
        "Not corrected, because a pair of the draw has no grade of the model: partial.",
    )


DRAWN = {"p0": DRAW.drawn[PAIR].merge(PEOPLE["p0"]), "p1": PEOPLE["p1"]}
NOTE = "p0 graded only the documents of a draw. The ranking under p0 is that of the corrected scores"


@pytest.fixture(scope="module")
def of_a_draw():
    return trust_report(RUNS, DRAWN, MODELS, "nDCG@5", draw=DRAW, groups={"s01": "a", "s02": "a"}, **OPTIONS)


@pytest.mark.in_ci
def test_grades_of_a_draw_are_no_ranking(of_a_draw):
    """Documents that were not drawn are unknown, not without relevance, so no score under people counts them."""
    assert set(of_a_draw.ranking.frame["reason"]) == {ONLY_DRAWN}
    assert of_a_draw.ranking.frame["tau_b"].isna().all()
    assert of_a_draw.ranking.against_people.empty
    assert of_a_draw.verdicts[0].reasons == (ONLY_DRAWN,)
    assert "Corrected scores decide" in str(of_a_draw.verdicts[0])


@pytest.mark.slow
def test_grades_of_a_draw_are_no_scores_of_reranked_runs(of_a_draw):
    again = of_a_draw.gaming["good"].reranking
    complete = trust_report(RUNS, PEOPLE, MODELS, "nDCG@5", **OPTIONS).gaming["good"].reranking
    assert again.first_by_people is None
    assert again.systems[["rank", "rank_by_people", "reranked_by_people"]].isna().all(axis=None)
    assert again.systems["rank_by_judge"].tolist() == complete.systems["rank_by_judge"].tolist()
    tests = of_a_draw.gaming["good"].to_frame().set_index("test")
    unknown = tests.index[tests["reason"] == ONLY_DRAWN]
    assert list(unknown) == ["re-ranking", "group preference", "bias at the top", "oracle steps"]
    assert tests.loc[unknown, ["effect", "p"]].isna().all(axis=None)


def test_report_of_a_draw_has_the_corrected_ranking(of_a_draw):
    text = trust_text(of_a_draw)
    assert NOTE in text
    assert "The ranking by corrected scores" in text
    assert "The ranking under each judge" not in text
    assert "corrected_ranking" in of_a_draw.tables()
    assert of_a_draw.to_frame()["first_by_people"].isna().all()


@pytest.mark.slow
@pytest.mark.parametrize("people", [PEOPLE, DRAWN | {"p0": PEOPLE["p0"]}])
def test_complete_grades_keep_their_ranking_with_a_draw(people):
    report = trust_report(RUNS, people, MODELS, draw=DRAW, **OPTIONS)
    assert NOTE not in trust_text(report)
    assert report.ranking.frame["tau_b"].notna().any()
    assert report.corrections.ranking.empty


@pytest.mark.slow
def test_all_pairs_drawn_give_the_true_scores():
    everything = draw_by_stratum(PAIRS, 20, seed=1)
    report = trust_report(RUNS, PEOPLE, MODELS, "nDCG@5", draw=everything, **OPTIONS)
    table = report.corrections.scores["good"].to_frame().set_index("system")
    expected = score_table(RUNS, PEOPLE["p0"], "nDCG@5").mean(axis=1)
    assert table["value"].tolist() == pytest.approx(expected.tolist())
    assert table["low"].tolist() == pytest.approx(table["high"].tolist())


@pytest.mark.slow
def test_a_small_draw_has_no_plan():
    report = trust_report(RUNS, PEOPLE, MODELS, "P@5", draw=draw_by_stratum(PAIRS, 2, seed=1), **OPTIONS)
    assert report.corrections.plans == {}


@pytest.mark.slow
def test_an_unfinished_draw_is_refused():
    people = {"p0": PEOPLE["p0"].iloc[1:], "p1": PEOPLE["p1"]}
    everything = draw_by_stratum(PAIRS, 20, seed=1)
    with pytest.raises(ValueError, match="1 of 240 drawn pairs has no grade yet"):
        trust_report(RUNS, people, MODELS, draw=everything, **OPTIONS)


def test_ratio_measures_have_differences_too():
    grades = DRAW.drawn[PAIR].merge(PEOPLE["p0"])
    found = few_human_grades(RUNS, MODELS["good"], grades, DRAW, "nDCG@5", seed=1)
    table = found.differences("s04").to_frame()
    assert table["system_b"].unique().tolist() == ["s04"]
    scores = found.to_frame().set_index("system")["value"]
    assert table["value"].iloc[0] == pytest.approx(scores["s00"] - scores["s04"], abs=0.1)
