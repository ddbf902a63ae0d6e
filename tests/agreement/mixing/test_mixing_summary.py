"""The headline of mixed golds: does it matter which judge is the gold?"""

import pandas as pd
import pytest

from agreement.mixing import mixed_golds, mixed_scores
from tests.agreement.mixing_examples import cube_of, random_collection
from tests.agreement.shift.test_summary import seven_judgements


def summary_of(*topics, **options):
    return mixed_scores(cube_of(*topics), min_topics=1, **options).summary()


def test_summary_where_nothing_changes():
    assert summary_of([[0.9, 0.5], [0.8, 0.4]]) == (
        "No. Over all 2 mixed golds (2 judges, 1 topic, AP), tau_b with the ranking by mean scores has a median of "
        "1.000 and is 1.000 or more under 97.5% of golds, no system pair swaps under at least 5% of golds, and the "
        "best system is always a."
    )


def test_summary_where_the_top_changes():
    # means over both: a 0.75, b 0.65, c 0.1; b is before a under y, one pair of three: tau_b = (2 - 1) / 3
    assert summary_of([[0.9, 0.5, 0.1], [0.6, 0.8, 0.1]]) == (
        "Yes, substantially. Over all 2 mixed golds (2 judges, 1 topic, AP), tau_b with the ranking by mean scores has "
        "a median of 0.333 and is 0.333 or more under 97.5% of golds, 1 of 3 system pairs swaps under at least 5% of "
        "golds, and the best system is a under 50% of golds (other best systems: 1)."
    )


def test_summary_with_a_negative_tau():
    # means over both topics: a 0.7, b 0.6; b is ahead under y in both topics, so under 1 of 4 golds; tau_b is -1 there
    summary = summary_of([[0.9, 0.5], [0.5, 0.7]], [[0.9, 0.5], [0.5, 0.7]])

    assert "has a median of 1.000 and is -1.000 or more under 97.5% of golds" in summary


def test_summary_where_the_top_stays_and_others_change():
    summary = summary_of([[0.9, 0.5, 0.3], [0.8, 0.3, 0.4]])

    assert summary.startswith("Yes, substantially. Over all 2 mixed golds")
    assert summary.endswith("and the best system is always a.")


def test_summary_where_the_best_are_always_tied():
    summary = summary_of([[0.9, 0.9, 0.4, 0.3], [0.8, 0.8, 0.3, 0.4]])

    assert summary.startswith("Yes, moderately. Over all 2 mixed golds")
    assert summary.endswith("and the best system is always a tie of 2 systems.")


def test_summary_where_systems_are_at_times_tied():
    summary = summary_of([[0.9, 0.4, 0.3], [0.8, 0.4, 0.4]])

    assert summary.startswith("Yes, moderately. Over all 2 mixed golds")  # tau_b = 2 / sqrt(3 * 2)


def test_summary_of_a_single_draw():
    summary = summary_of([[0.9, 0.5], [0.5, 0.9]], draws=1, seed=0)

    assert summary.startswith("No. Over 1 mixed gold (2 judges, 1 topic, AP, seed 0)")


def test_summary_with_a_seed():
    runs, judgements = random_collection(17)

    summary = mixed_golds(runs, judgements, "AP", draws=20, seed=7).summary()

    assert " Over 20 mixed golds (3 judges, 3 topics, AP, seed 7)" in summary


def test_summary_with_fewer_decimals():
    mixed = mixed_scores(cube_of([[0.9, 0.5], [0.8, 0.5]]), min_topics=1)

    assert "has a median of 1.000 and is 1.000 or more" in mixed.summary()
    assert "has a median of 1.00 and is 1.00 or more" in mixed.summary(digits=2)


def test_summary_counts_golds_that_tie_all_systems():
    tied_under_y = [[0.9, 0.5], [0.5, 0.5]]

    summary = summary_of(tied_under_y, tied_under_y)

    assert "1.000 or more under 97.5% of golds (undefined under 1: all systems tied)" in summary


def test_summary_with_too_few_topics():
    mixed = mixed_scores(cube_of(*[[[0.9, 0.5], [0.6, 0.8]]] * 9))

    assert mixed.summary().startswith(
        f"Preliminary: 9 of 9 topics with two judges; {mixed.thresholds.tag()}. Yes, substantially. Over all "
        "512 mixed golds (2 judges, 9 topics, AP), "
        "tau_b with the ranking by mean scores"
    )


def test_seven_judgements_of_a_second_judge_are_too_few():
    runs, judgements = seven_judgements()

    mixed = mixed_golds(runs, judgements, "AP")

    # ada judges all of the first ten documents of twelve topics, bob seven of one: (11 + (1 + 0.7) / 2) / 12
    assert mixed.judged_share == pytest.approx((11 + 0.85) / 12, abs=1e-15)
    assert (mixed.n_shared_topics, mixed.enough) == (1, False)
    assert mixed.summary().startswith(
        "Preliminary: 1 of 12 topics with two judges, 99% of the first 10 judged; answers need 10 topics, half of the "
        "top ten judged. "
    )


def test_single_judgements_in_every_topic_are_too_few():
    runs, judgements = seven_judgements()
    ada = judgements[judgements["assessor"] == "ada"]
    few = pd.concat([ada.groupby("query_id").head(1).assign(assessor=name) for name in "bcd"])

    mixed = mixed_golds(runs, pd.concat([ada, few]), "AP", draws=10, seed=1)

    assert (mixed.n_shared_topics, mixed.judged_share) == (0, pytest.approx((1 + 3 * 0.1) / 4))
    assert "Preliminary: none of 12 topics with two judges, 33% of" in mixed.summary()
    two = pd.concat([ada, ada.assign(assessor="e"), few])
    mixed = mixed_golds(runs, two, "AP", draws=10, seed=1)
    assert (mixed.n_shared_topics, mixed.judged_share) == (12, pytest.approx(0.46))
    assert not mixed.enough  # the mixed golds judge too little
    assert mixed_golds(runs, two, "AP", draws=10, seed=1, min_judged=0.4).enough


@pytest.mark.parametrize("options", [{"min_topics": 0}, {"min_judged": -1}])
def test_invalid_thresholds_are_refused(options):
    with pytest.raises(ValueError, match=r"min_(topics|judged) must be"):
        mixed_scores(cube_of([[0.9, 0.5], [0.8, 0.4]]), **options)
