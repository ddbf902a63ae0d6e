"""Figures of model judges: corrected scores, rankings, confusion, reliability, bought ranks and plans."""

import pandas as pd
import pytest

from agreement import plots
from agreement.plots.trust.bought_ranks import _figure as bought_figure
from agreement.plots.trust.model_scores import _figure as scores_figure
from tests.agreement.plots.test_marks import marks
from tests.agreement.plots.test_slope_chart import KINDS, texts

SCORES = pd.DataFrame(
    {
        "system": ["bm25", "<lsa>", "dense"],
        "model_alone": [0.5, 0.6, 0.7],
        "value": [0.4, None, 0.65],
        "low": [0.3, None, 0.6],
        "high": [0.5, None, 0.7],
    }
)
JUDGES = pd.DataFrame(
    {"judge": ["gpt", "ada", "bob"], "kind": ["model", "person", "person"], "value": [0.9, 0.8, None]}
).assign(low=[0.8, 0.7, None], high=[0.95, 0.9, None])
COUNTS = pd.DataFrame([[6, 2], [0, 0]], index=[0, 1], columns=[0.0, 0.5])
BINS = pd.DataFrame({"stated": [0.1, 0.8, 0.9], "observed": [0.2, 0.6, 0], "n": [50, 20, 0]}).assign(
    low=[0.1, 0.4, 0], high=[0.3, 0.8, 0]
)
RANKS = pd.DataFrame(
    {"system": ["a", "b", "c"], "rank": [1, 2, 3], "rank_by_judge": [1, 1, 2], "rank_by_people": [1, 3, 3]}
)
PLAN = pd.DataFrame(
    [("best", "by topic", "with the model", 90, 80, 99), ("best", "by topic", "without the model", 150, 140, 160)],
    columns=["goal", "design", "judge", "grades", "q10", "q90"],
)
DRAWN = {
    "scores": lambda kind: plots.model_scores(SCORES, kind=kind),
    "rankings": lambda kind: plots.ranking_agreement(JUDGES, kind=kind),
    "confusion": lambda kind: plots.grade_confusion(COUNTS, kind=kind),
    "reliability": lambda kind: plots.reliability_diagram(BINS, kind=kind),
    "ranks": lambda kind: plots.bought_ranks(RANKS, kind=kind),
    "plan": lambda kind: plots.grades_needed(PLAN, kind=kind, n_pairs=200),
}


@pytest.mark.in_ci
@pytest.mark.parametrize(("kind", "begin"), KINDS)
@pytest.mark.parametrize("name", DRAWN)
def test_same_input_gives_the_same_bytes(name, kind, begin):
    chart = DRAWN[name](kind)

    assert chart == DRAWN[name](kind)
    assert chart.startswith(begin)


def test_systems_are_ordered_by_the_corrected_score_and_undefined_ones_come_last():
    axes = scores_figure(SCORES, None, "nDCG@10", 0.95, "").axes[0]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["dense", "bm25", "<lsa>"]
    assert [text.get_text() for text in axes.texts] == ["not corrected"]


def test_marks_of_scores_have_both_scores():
    found = [title for title, names in marks(plots.model_scores(SCORES)) if names == {"system": "bm25"}]
    assert found == ["bm25: corrected 0.400, 0.300 to 0.500; model alone 0.500"]


def test_rankings_show_the_range_of_people_only_if_there_are_people():
    assert "range of people" in texts(plots.ranking_agreement(JUDGES))
    assert "range of people" not in texts(plots.ranking_agreement(JUDGES[JUDGES["kind"] == "model"]))


def test_marks_of_rankings_have_kind_and_interval():
    found = [title for title, names in marks(plots.ranking_agreement(JUDGES)) if names == {"judge": "gpt"}]
    assert found == ["gpt (model): tau_b 0.900, 0.800 to 0.950"]


def test_confusion_has_shares_of_rows_and_rows_without_documents():
    titles = [title for title, _ in marks(plots.grade_confusion(COUNTS))]
    assert titles == [
        "0 by people, 0 by the model: 75% of 8",
        "0 by people, 0.5 by the model: 25% of 8",
        "1 by people, 0 by the model: no document",
        "1 by people, 0.5 by the model: no document",
    ]


def test_classes_without_documents_are_left_out():
    titles = [title for title, _ in marks(plots.reliability_diagram(BINS))]
    assert titles == [
        "stated 0.10, true 0.20 (0.10 to 0.30), 50 documents",
        "stated 0.80, true 0.60 (0.40 to 0.80), 20 documents",
    ]


def test_the_title_of_bought_ranks_counts_first_places():
    title = "Re-ranked by llama, 2 of 3 systems become first under it, and 1 under people"
    assert bought_figure(RANKS, None, "llama").get_label() == title


def test_a_plan_has_a_row_for_each_goal_and_design():
    titles = [title for title, _ in marks(plots.grades_needed(PLAN, n_pairs=200))]
    assert titles == ["best, by topic: 90 with the model, 150 without the model"]


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda: plots.model_scores(SCORES.iloc[:0]), "needs at least one row"),
        (lambda: plots.model_scores(SCORES.assign(system="a")), "Each system must occur once"),
        (lambda: plots.ranking_agreement(JUDGES.drop(columns="kind")), "but kind is missing"),
        (lambda: plots.grade_confusion(COUNTS * 0), "at least one document with both grades"),
        (lambda: plots.reliability_diagram(BINS.assign(n=0)), "needs a class with a document"),
        (lambda: plots.bought_ranks(RANKS.assign(rank="first")), "rank must contain only numbers"),
        (lambda: plots.grades_needed(PLAN, n_pairs=200, kind="gif"), "must be one of svg, pdf, png"),
    ],
)
def test_refusals(draw, message):
    with pytest.raises(ValueError, match=message):
        draw()


@pytest.mark.slow
def test_129_systems_and_40_judges_are_drawn():
    many = pd.DataFrame({"system": [f"s{number}" for number in range(129)], "model_alone": 0.5, "value": 0.4})
    assert b"s128" in plots.model_scores(many.assign(low=0.3, high=0.5))
    judges = pd.DataFrame({"judge": [f"j{number}" for number in range(40)], "kind": "model", "value": 0.5})
    assert b"j39" in plots.ranking_agreement(judges.assign(low=0.3, high=0.6))


@pytest.mark.parametrize(
    "draw",
    [
        lambda: plots.model_scores(SCORES, width=2.95),
        lambda: plots.ranking_agreement(JUDGES, width=2.95),
        lambda: plots.bought_ranks(RANKS, width=2.95),
        lambda: plots.grades_needed(PLAN, n_pairs=200, width=2.95),
        lambda: plots.gain_curve(pd.DataFrame({"n_judged": [0, 1, 2], "found": [0, 1, 1]}), width=2.95),
    ],
    ids=["scores", "rankings", "ranks", "plan", "gain"],
)
def test_a_width_for_phones_is_that_of_the_file(draw):
    assert b'width="212.4pt"' in draw()  # 2.95 inches
