"""The whole report on model judges: its parts, tables, texts, and what it assumes."""

import json

import pandas as pd
import pytest

from agreement import result_csv, result_json
from agreement.trust import trust_report
from agreement.trust.report_text import trust_text
from pooling.choices import TABLE_STYLES
from tests.agreement.trust.judged_runs import judged_runs

RUNS, PEOPLE, MODELS = judged_runs(n_systems=8, n_topics=12)
MODELS = {**MODELS, "shares": MODELS["good"].assign(relevance=MODELS["good"]["relevance"] / 3)}
OPTIONS = {"measure": "nDCG@10", "draws": 20, "top": 5, "seed": 1}
FOUND = trust_report(RUNS, PEOPLE, MODELS, groups={"s01": "a", "s02": "a"}, **OPTIONS)


def test_verdicts_are_in_the_order_of_the_models_with_their_numbers():
    frame = FOUND.to_frame().set_index("model")
    assert list(frame.index) == ["good", "random", "reverse", "shares"]
    assert frame.loc["random", "verdict"] == "not_safe"
    assert frame.loc["good", "kappa"] == pytest.approx(FOUND.agreement.kappa("good"))
    assert frame.loc["good", "tau_b"] == FOUND.ranking.frame.iloc[0]["tau_b"]
    assert frame.loc["good", "passes"]
    assert not frame.loc["random", "passes"]
    assert frame.loc["good", "sentence"] == str(FOUND.verdicts[0])


def test_fractions_have_no_kappa_and_no_annotator_test_but_a_ranking_and_calibration():
    row = FOUND.to_frame().set_index("model").loc["shares"]
    assert pd.isna(row["kappa"])
    assert pd.isna(row["passes"])
    assert row["tau_b"] > 0.5
    assert list(FOUND.calibrations) == ["shares"]
    tested = FOUND.annotator_tests[0].models.set_index("model")
    assert tested.loc["shares", "reason"] == "fractions, and no threshold declared"


@pytest.mark.slow
def test_a_threshold_makes_fractions_comparable_on_relevance():
    found = trust_report(RUNS, PEOPLE, MODELS, model_rel={"shares": 0.6}, **OPTIONS)
    tested = found.annotator_tests[0].models.set_index("model")
    assert tested["compared"].to_dict() == {
        "good": "grades",
        "random": "grades",
        "reverse": "grades",
        "shares": "relevance",
    }
    assert found.agreement.kappa("shares") == pytest.approx(found.agreement.kappa("good"))


@pytest.mark.slow
def test_only_fractions():
    found = trust_report(RUNS, PEOPLE, {"shares": MODELS["shares"]}, **OPTIONS)
    assert found.annotator_tests[0].passes("shares") is None
    assert "No model could be tested: fractions" in trust_text(found)


@pytest.mark.slow
def test_what_is_assumed_is_reported():
    assert FOUND.notes == ("No scale was declared; it is 0, 1, 2, 3.", "No lowest relevant grade was given; it is 2.")
    declared = trust_report(RUNS, PEOPLE, MODELS, scale=(0, 1, 2, 3), rel=1, **OPTIONS)
    assert declared.notes == ()
    assert declared.rel == 1


def test_fractions_of_people_need_a_scale():
    halves = {"p0": PEOPLE["p0"].assign(relevance=PEOPLE["p0"]["relevance"] / 2)}
    with pytest.raises(ValueError, match="The grades of people are fractions, so the scale must be declared"):
        trust_report(RUNS, halves, MODELS, **OPTIONS)


def test_the_smallest_loss_that_a_model_sees_has_a_corrected_p():
    frame = FOUND.to_frame().set_index("model")
    steps = FOUND.gaming["good"].to_frame().set_index("test").loc["oracle steps"]
    assert frame.loc["good", "seen_loss"] == steps["effect"]
    assert frame.loc["good", "seen_loss_p"] == steps["p_adjusted"] < 0.05
    assert pd.isna(frame.loc["reverse", "seen_loss"])
    assert frame.loc["reverse", "seen_loss_p"] == 1
    table = FOUND.tables()["gaming_oracle_steps"]
    assert list(table) == ["model", "least", "n_pairs", "right", "p", "p_adjusted"]


@pytest.mark.slow
def test_tables_name_the_model_and_are_not_rounded():
    tables = FOUND.tables()
    assert {"verdicts", "ranking", "agreement", "annotator_test", "gaming_tests", "gaming_reranked"} <= set(tables)
    assert set(tables["gaming_tests"]["model"]) == set(MODELS)
    assert set(tables["annotator_test"]["sample"]) == {"documents", "topics"}
    assert tables["gaming_left_out"]["left_out"].unique().tolist() == ["", "a"]
    assert result_csv(FOUND)["verdicts"].startswith("model,verdict,n_topics,tau_b")
    assert json.loads(result_json(FOUND))["summary"] == FOUND.summary()


@pytest.mark.parametrize("style", TABLE_STYLES)
def test_text_has_every_section(style):
    text = trust_text(FOUND, style)
    for title in ("Verdicts", "The ranking under each judge", "Next to another person", "Circularity and gaming"):
        assert title in text
    assert "Calibration of probabilities" in text
    assert "The smallest loss of quality that a model sees" in text
    assert "nan" not in text.lower().replace("finance", "")


@pytest.mark.slow
def test_one_person_is_too_early_and_has_no_section_about_another():
    found = trust_report(RUNS, {"p0": PEOPLE["p0"]}, MODELS, **OPTIONS)
    assert {verdict.kind for verdict in found.verdicts} == {"too_early"}
    assert "Next to another person" not in trust_text(found)
    assert found.summary() == ("4 models for ranking 8 systems by nDCG@10, compared with p0: 4 too early to say.")


@pytest.mark.slow
def test_same_seed_same_report():
    again = trust_report(RUNS, PEOPLE, MODELS, groups={"s01": "a", "s02": "a"}, **OPTIONS)
    assert result_json(again) == result_json(FOUND)
