"""Verdicts on models: each kind, their sentences, thresholds, and that no verdict contradicts its numbers."""

from dataclasses import replace

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement.trust import TrustThresholds, ranking_under_model, verdict
from agreement.trust.against_people import FEW_TOPICS
from tests.agreement.trust.judged_runs import judged_runs
from tests.agreement.trust.test_ranking import FOUND

LIMIT = st.floats(-1, 1, allow_nan=False).map(lambda value: round(value, 3))


def with_limits(all_limits: tuple[float, float], top_limits: tuple[float, float] | None = None, n_topics: int = 30):
    """The ranking of FOUND, whose only model is "good" with these intervals of the difference."""
    base = FOUND.against_people[FOUND.against_people["model"] == "good"].reset_index(drop=True)
    limits = [all_limits, all_limits if top_limits is None else top_limits]
    table = base.assign(low=[low for low, _ in limits], high=[high for _, high in limits], n_topics=n_topics)
    table["difference"] = (table["low"] + table["high"]) / 2
    return replace(FOUND, against_people=table if top_limits is not None else table[:1])


@pytest.mark.parametrize(
    ("of_all", "of_top", "kind"),
    [
        ((-0.04, 0.1), (-0.04, 0.1), "safe"),
        ((-0.04, 0.1), None, "safe"),
        ((-0.04, 0.1), (-0.3, 0.1), "safe_except_top"),
        ((-0.04, 0.1), (-0.3, -0.1), "safe_except_top"),
        ((-0.3, -0.06), (-0.04, 0.1), "not_safe"),
        ((-0.3, 0.1), (-0.04, 0.1), "too_early"),
    ],
)
def test_kinds(of_all, of_top, kind):
    assert verdict(with_limits(of_all, of_top), "good").kind == kind


@given(of_all=st.tuples(LIMIT, LIMIT).map(sorted), of_top=st.tuples(LIMIT, LIMIT).map(sorted), margin=st.floats(0, 0.5))
def test_no_verdict_contradicts_its_numbers(of_all, of_top, margin):
    kind = verdict(with_limits(tuple(of_all), tuple(of_top)), "good", thresholds=TrustThresholds(margin)).kind
    assert (kind == "not_safe") == (of_all[1] < -margin)
    assert (kind in ("safe", "safe_except_top")) == (of_all[0] > -margin)
    assert (kind == "safe") == (min(of_all[0], of_top[0]) > -margin)


def test_the_sentence_has_the_numbers_of_both_choices_of_systems():
    sentence = verdict(with_limits((-0.04, 0.1), (-0.3, 0.1)), "good").sentence
    assert sentence.startswith("good is safe for ranking these systems, except among the best 5: for all 14 systems, ")
    assert "tau_b with p0 " in sentence
    assert " on the same documents (difference +0.03, 95% interval -0.04 to +0.10); for the top 5, tau_b" in sentence
    assert sentence.endswith(("The best system stays s13.", "which p0 puts first."))


def test_agreement_and_gaming_stand_beside_and_change_nothing():
    ranking = with_limits((-0.04, 0.1))
    plain = verdict(ranking, "good")
    full = verdict(
        ranking,
        "good",
        kappa=0.41,
        people_kappa=(0.34, 0.47),
        passes_alternative_annotator_test=True,
        can_buy_first=(34, 37),
    )
    assert (full.kind, full.sentence) == (plain.kind, plain.sentence)
    assert full.beside == (
        "Its kappa with the reference is 0.41; other people 0.34 to 0.47.",
        "It passes the alternative annotator test.",
        "Re-ranked by good, 34 of 37 runs would be first under it.",
    )
    assert str(full) == " ".join([full.sentence, *full.beside])


def test_too_few_topics_and_systems_are_reasons():
    found = verdict(with_limits((-0.04, 0.1), n_topics=9), "good", thresholds=TrustThresholds(min_systems=20))
    assert found.kind == "too_early"
    assert found.reasons == ("9 topics of the 10 needed", "14 systems of the 20 needed")


@pytest.mark.parametrize(
    ("n_people", "n_topics", "has_caution"), [(1, 24, True), (1, 25, False), (2, 24, False), (1, 9, False)]
)
def test_few_topics_with_one_other_person_each_are_not_reliable(n_people, n_topics, has_caution):
    """With 9 topics it is too early anyway."""
    runs, people, models = judged_runs(n_topics=n_topics, n_systems=6, people=n_people + 1)
    found = verdict(ranking_under_model(runs, people, models, draws=50, seed=1), "good")
    assert found.caution == (FEW_TOPICS if has_caution else "")
    assert (FEW_TOPICS in str(found)) == has_caution


def test_topics_that_different_people_judged_have_one_other_person_each():
    runs, people, models = judged_runs(n_topics=24, n_systems=6)
    halves = {name: people[name] for name in ("p0", "p1", "p2")}
    halves["p1"] = halves["p1"][halves["p1"]["query_id"] < "t12"]
    halves["p2"] = halves["p2"][halves["p2"]["query_id"] >= "t12"]
    ranking = ranking_under_model(runs, halves, models, draws=50, seed=1)
    assert set(ranking.against_people["n_people"]) == {2}
    assert verdict(ranking, "good").caution == FEW_TOPICS


def test_one_person_is_too_early():
    alone = replace(FOUND, against_people=pd.DataFrame())
    assert verdict(alone, "good").sentence == (
        "It is too early to say whether good is safe for ranking these systems: no second person judged."
    )


def test_models_of_a_collection():
    kinds = {model: verdict(FOUND, model).kind for model in ("random", "reverse")}
    assert kinds == {"random": "not_safe", "reverse": "not_safe"}


def test_thresholds_are_printed_and_checked():
    assert TrustThresholds(0.02, 15, 8).tag() == (
        "tau_b at most 0.02 below that of another person, on 15 topics and 8 systems or more"
    )
    for options in ({"margin": -0.1}, {"min_topics": 1}, {"min_systems": 0}):
        with pytest.raises(ValueError, match=next(iter(options))):
            TrustThresholds(**options)


def test_unknown_model_is_refused():
    with pytest.raises(ValueError, match="The ranking has no model 'x'"):
        verdict(FOUND, "x")
