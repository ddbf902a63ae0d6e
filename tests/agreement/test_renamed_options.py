"""Options that have a new name: the old one is an error that states the new one."""

import pandas as pd
import pytest

from agreement import (
    Ratings,
    compare_systems,
    evaluate,
    krippendorff_alpha,
    mean_pairwise,
    overall,
    rank_intervals,
    rank_intervals_with_judges,
)
from agreement.plots import rank_interval_chart
from pooling import expected_width, plan, plan_overlap

RATINGS = Ratings.from_matrix([[0, 1, 1, 0], [0, 1, 0, 0]], (0, 1))
SCORES = pd.DataFrame([[0.5, 0.6], [0.4, 0.5]], index=["bm25", "lsa"], columns=["1", "2"])


@pytest.mark.parametrize("function", [overall, mean_pairwise])
def test_the_confidence_of_a_mean(function):
    with pytest.raises(TypeError, match="no option 'level'"):
        function(RATINGS, "cohen_kappa", level=0.9)


@pytest.mark.parametrize(
    ("call", "old", "new"),
    [
        (lambda: rank_intervals(SCORES, seed=1, level=0.9), "level", "confidence"),
        (lambda: rank_intervals_with_judges(None, None, "AP", seed=1, level=0.9), "level", "confidence"),
        (lambda: rank_interval_chart(None, level=0.9), "level", "confidence"),
        (lambda: plan(100, width=0.2, kappa=0.5, prevalence=0.5, level=0.9), "level", "confidence"),
        (lambda: plan_overlap(0.2, 0.5, 0.5, level=0.9), "level", "confidence"),
        (lambda: expected_width(100, 0.5, 0.5, level=0.9), "level", "confidence"),
        (lambda: compare_systems(SCORES, "tukey", seed=1, samples=99), "samples", "draws"),
        (lambda: evaluate(None, None, measures="AP"), "measures", "measure"),
    ],
)
def test_other_options(call, old, new):
    with pytest.raises(TypeError, match=rf"\(\) has no option '{old}': it is called '{new}'"):
        call()


def test_the_level_of_measurement_keeps_its_name():
    assert krippendorff_alpha(RATINGS, level="nominal").interval("analytic", confidence=0.9).confidence == 0.9
