"""The headline of mixed golds: does it matter which judge is the gold?"""

from agreement.mixing import mixed_golds, mixed_scores
from tests.agreement.mixing_examples import cube_of, random_collection


def test_summary_where_nothing_changes():
    assert mixed_scores(cube_of([[0.9, 0.5], [0.8, 0.4]])).summary() == (
        "No. Over all 2 mixed golds (2 judges, 1 topic, AP), tau_b with the ranking by mean scores has a median of "
        "1.000 and is 1.000 or more under 97.5% of golds, no system pair swaps under at least 5% of golds, and the "
        "best system is always a."
    )


def test_summary_where_the_top_changes():
    # means over both: a 0.75, b 0.65, c 0.1; b is before a under y, one pair of three: tau_b = (2 - 1) / 3
    assert mixed_scores(cube_of([[0.9, 0.5, 0.1], [0.6, 0.8, 0.1]])).summary() == (
        "Yes, substantially. Over all 2 mixed golds (2 judges, 1 topic, AP), tau_b with the ranking by mean scores has "
        "a median of 0.333 and is 0.333 or more under 97.5% of golds, 1 of 3 system pairs swaps under at least 5% of "
        "golds, and the best system is a under 50% of golds (other best systems: 1)."
    )


def test_summary_where_the_top_stays_and_others_change():
    summary = mixed_scores(cube_of([[0.9, 0.5, 0.3], [0.8, 0.3, 0.4]])).summary()

    assert summary.startswith("Yes, substantially. Over all 2 mixed golds")
    assert summary.endswith("and the best system is always a.")


def test_summary_where_the_best_are_always_tied():
    summary = mixed_scores(cube_of([[0.9, 0.9, 0.4, 0.3], [0.8, 0.8, 0.3, 0.4]])).summary()

    assert summary.startswith("Yes, moderately. Over all 2 mixed golds")
    assert summary.endswith("and the best system is always a tie of 2 systems.")


def test_summary_where_systems_are_at_times_tied():
    summary = mixed_scores(cube_of([[0.9, 0.4, 0.3], [0.8, 0.4, 0.4]])).summary()

    assert summary.startswith("Yes, moderately. Over all 2 mixed golds")  # tau_b = 2 / sqrt(3 * 2)


def test_summary_of_a_single_draw():
    summary = mixed_scores(cube_of([[0.9, 0.5], [0.5, 0.9]]), draws=1, seed=0).summary()

    assert summary.startswith("No. Over 1 mixed gold (2 judges, 1 topic, AP, seed 0)")


def test_summary_with_a_seed():
    runs, judgements = random_collection(17)

    summary = mixed_golds(runs, judgements, "AP", draws=20, seed=7).summary()

    assert "Over 20 mixed golds (3 judges, 3 topics, AP, seed 7)" in summary


def test_summary_counts_golds_that_tie_all_systems():
    tied_under_y = [[0.9, 0.5], [0.5, 0.5]]

    summary = mixed_scores(cube_of(tied_under_y, tied_under_y)).summary()

    assert "1.000 or more under 97.5% of golds (undefined under 1: all systems tied)" in summary
