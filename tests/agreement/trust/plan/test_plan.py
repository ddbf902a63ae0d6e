"""A plan of human grades: what it needs, what it says, and whether its numbers come true."""

import numpy as np
import pandas as pd
import pytest

from agreement.golds.corrected import classes_of
from agreement.trust.plan import plan_grades
from agreement.trust.plan.goals import significant_pairs, smallest
from agreement.trust.plan.worlds import Known
from pooling.draws import draw_by_stratum
from tests.agreement.trust.plan.collections import PAIR, collection

DATA = collection()
DRAW = draw_by_stratum(DATA.pairs, 5, seed=1)
GRADES = DRAW.drawn[PAIR].merge(DATA.people)


def planned(measure="P(rel=2)@5", grades=GRADES, draw=DRAW, model=DATA.model, **options):
    return plan_grades(DATA.runs, model, grades, draw, measure, seed=3, **{"n_worlds": 5, **options})


def needed(plan, goal="scores", design="by topic", judge="with the model") -> int:
    table = plan.to_frame().set_index(["goal", "design", "judge"])
    return int(table.loc[(goal, design, judge), "grades"])


def test_table_has_a_row_for_each_goal_design_and_judge():
    table = planned().to_frame()
    assert len(table) == 3 * 4 * 2
    assert (table["q10"] <= table["grades"]).all()
    assert (table["grades"] <= table["q90"]).all()
    assert (table["further"] == np.maximum(table["grades"] - 60, 0)).all()
    assert (table["hours"] == table["further"] * 20 / 3600).all()


def test_narrower_intervals_need_more_grades():
    assert needed(planned(width=0.03)) > needed(planned(width=0.1))


@pytest.mark.in_ci
def test_intervals_at_every_look_need_more_grades():
    assert needed(planned(at_any_time=True, width=0.1)) > needed(planned(width=0.1))


def test_a_model_that_is_always_right_saves_nearly_everything():
    draw = draw_by_stratum(DATA.pairs, 20, seed=1)  # all pairs
    plan = planned(grades=DATA.people, draw=draw, model=DATA.people)
    assert needed(plan) == 1
    assert needed(plan, judge="without the model") > 50


def test_a_constant_model_saves_nothing():
    plan = planned(model=DATA.model.assign(relevance=1), designs=["by topic"])
    table = plan.to_frame()
    by_judge = [table[table["judge"] == judge]["grades"].tolist() for judge in ("with the model", "without the model")]
    assert by_judge[0] == by_judge[1]


def test_with_all_grades_known_there_is_one_world():
    plan = planned(grades=DATA.people, draw=draw_by_stratum(DATA.pairs, 20, seed=1))
    assert plan.needed["world"].unique().tolist() == [0]
    assert (plan.to_frame()["further"] == 0).all()


@pytest.mark.slow
def test_the_planned_number_reaches_the_width():
    """With so many grades per topic, the spread of corrected scores over draws is the planned width."""
    everything = draw_by_stratum(DATA.pairs, 20, seed=1)
    plan = planned(grades=DATA.people, draw=everything, designs=["by topic"], width=0.04)
    per_topic = round(needed(plan) / 12)
    truth = (DATA.people["relevance"] >= 2).to_numpy(float)
    means = DATA.people.assign(gain=truth, model=DATA.model["relevance"]).groupby("model")["gain"].mean()
    guess = DATA.model["relevance"].map(means).to_numpy()
    weights = _weights_of_first_five("bm25")
    errors = []
    for seed in range(400):
        drawn = draw_by_stratum(DATA.pairs, per_topic, seed=seed).frame
        weight = drawn["drawn"] / drawn["inclusion_probability"]
        errors.append((weights * guess).sum() + (weight * weights * (truth - guess)).sum() - (weights * truth).sum())
    half_width = 1.96 * np.std(errors)
    assert half_width == pytest.approx(0.04, rel=0.25)


def _weights_of_first_five(system: str) -> np.ndarray:
    run = DATA.runs[DATA.runs["system"] == system]
    rank = run.groupby("query_id")["score"].rank(ascending=False).to_numpy()
    return (rank <= 5) / 5 / 12


def test_same_seed_same_plan():
    pd.testing.assert_frame_equal(planned().needed, planned().needed)


def test_summary_names_the_cheapest_design_of_each_goal():
    text = planned().summary()
    assert text.startswith("Of 240 pairs, people must grade about as many: to know each score to ±0.05, ")
    assert text.endswith("Intervals of 95% hold for a number fixed before; P(rel=2)@5, seed 3.")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"width": 0}, "width must be above 0, not 0"),
        ({"confidence": 1}, "confidence must be between 0 and 1"),
        ({"n_worlds": 0}, "n_worlds must be at least 1, not 0"),
        ({"seconds_per_grade": 0}, "seconds_per_grade must be above 0, not 0"),
        ({"designs": ["by hand"]}, "designs must be one or more of uniform, by topic, .*, not 'by hand'"),
        ({"measure": "RR"}, "A plan can be made for P, DCG, RBP, nDCG, AP, not for RR"),
        ({"model": DATA.model[5:]}, "The model has no grade for 5 pairs of the draw, such as document 'd00'"),
        ({"grades": GRADES[1:]}, "1 of 60 drawn pairs has no grade yet"),
        ({"grades": DATA.people}, "180 grades are of pairs that were not drawn"),
    ],
)
def test_refusals(options, message):
    with pytest.raises(ValueError, match=message):
        planned(**options)


def test_few_grades_are_refused():
    draw = draw_by_stratum(DATA.pairs, 2, seed=1)
    with pytest.raises(ValueError, match="A plan needs at least 30 grades of people, not 24"):
        planned(grades=draw.drawn[PAIR].merge(DATA.people), draw=draw)


def test_worlds_keep_known_grades_and_draw_the_others_by_class():
    model = np.array([0] * 500 + [1] * 500)
    people = np.full(1000, np.nan)
    people[:100], people[500:600] = 0, 1  # in the sample, the model was always right
    known = Known(model, people, np.full(1000, 0.2))
    world = next(iter(known.worlds(1, seed=1)))
    assert (world[:100] == 0).all()
    assert (world[500:600] == 1).all()
    assert world[100:500].mean() < 0.05
    assert world[600:].mean() > 0.95


def test_many_model_grades_become_eight_classes():
    classes = classes_of(np.linspace(0, 1, 1000))
    assert np.bincount(classes).tolist() == [125] * 8


def test_smallest_is_found_by_bisection():
    assert [smallest(lambda n, least=least: n >= least, 1000) for least in (1, 2, 577, 1000)] == [1, 2, 577, 1000]


def test_significant_pairs_are_those_of_a_paired_t_test():
    scores = np.array([[0.1, 0.2, 0.3, 0.4], [0.5, 0.61, 0.7, 0.79], [0.11, 0.2, 0.29, 0.41]])
    assert np.argwhere(significant_pairs(scores)).tolist() == [[0, 1], [1, 2]]


def test_identical_systems_do_not_differ():
    assert not significant_pairs(np.ones((2, 5))).any()
