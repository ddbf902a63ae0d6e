"""Random data against scikit-learn, statsmodels, krippendorff and nltk."""

from itertools import combinations

import krippendorff
import pytest
from nltk.metrics.agreement import AnnotationTask
from nltk.metrics.distance import interval_distance
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats import inter_rater

from agreement import (
    brennan_prediger,
    cohen_kappa,
    fleiss_kappa,
    krippendorff_alpha,
    mean_pairwise,
    pairwise,
    percent_agreement,
    pooled_kappa,
)
from tests.agreement.random_ratings import seeded
from tests.each_value import each_value

SEEDS = range(20)
CLOSE = 1e-9


@pytest.mark.parametrize("weights", ["identity", "linear", "quadratic"])
@each_value("seed", SEEDS)
def test_scikit_learn(seed, weights):
    ratings = seeded(seed, n_judges=2, missing=0)
    peer = cohen_kappa_score(*ratings.codes, labels=range(4), weights=None if weights == "identity" else weights)

    assert cohen_kappa(ratings, weights=weights).value == pytest.approx(peer, abs=CLOSE)


@each_value("seed", SEEDS)
def test_scikit_learn_on_all_pairs(seed):
    ratings = seeded(seed)

    for (a, b), value in zip(combinations(ratings.codes, 2), pairwise(ratings)["cohen_kappa"], strict=True):
        both = (a >= 0) & (b >= 0)
        assert value == pytest.approx(cohen_kappa_score(a[both], b[both], labels=range(4)), abs=CLOSE)


@pytest.mark.parametrize("weights", ["identity", "linear", "quadratic"])
@each_value("seed", SEEDS)
def test_statsmodels_on_two_judges(seed, weights):
    table = seeded(seed, n_judges=2, missing=0).table("1", "2")
    peer = inter_rater.cohens_kappa(table, wt=None if weights == "identity" else weights)
    result = cohen_kappa(table, weights=weights).interval("analytic")

    assert result.value == pytest.approx(peer.kappa, abs=CLOSE)
    assert result.se == pytest.approx(peer.std_kappa, abs=CLOSE)
    assert result.se_null == pytest.approx(peer.std_kappa0, abs=CLOSE)
    assert (result.low, result.high) == pytest.approx((peer.kappa_low, peer.kappa_upp), abs=CLOSE)


@each_value("seed", SEEDS)
def test_statsmodels_on_many_judges(seed):
    ratings = seeded(seed, missing=0)

    peer = inter_rater.fleiss_kappa(ratings.counts.astype(int), method="fleiss")
    assert fleiss_kappa(ratings).value == pytest.approx(peer, abs=CLOSE)
    peer = inter_rater.fleiss_kappa(ratings.counts.astype(int), method="randolph")
    assert brennan_prediger(ratings).value == pytest.approx(peer, abs=CLOSE)


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval", "ratio"])
@each_value("seed", SEEDS)
def test_krippendorff(seed, level):
    ratings = seeded(seed)
    peer = krippendorff.alpha(value_counts=ratings.counts, value_domain=list(range(4)), level_of_measurement=level)

    assert krippendorff_alpha(ratings, level).value == pytest.approx(peer, abs=CLOSE)


@each_value("seed", SEEDS)
def test_nltk(seed):
    ratings = seeded(seed, n_judges=3, missing=0)
    judgements = [
        (judge, item, int(grade)) for judge, row in enumerate(ratings.codes) for item, grade in enumerate(row)
    ]
    task = AnnotationTask(judgements)

    assert mean_pairwise(ratings, "cohen_kappa").value == pytest.approx(task.kappa(), abs=CLOSE)
    assert percent_agreement(ratings).value == pytest.approx(task.avg_Ao(), abs=CLOSE)
    assert fleiss_kappa(ratings).value == pytest.approx(task.pi(), abs=CLOSE)
    assert krippendorff_alpha(ratings).value == pytest.approx(task.alpha(), abs=CLOSE)
    task = AnnotationTask(judgements, distance=interval_distance)
    assert krippendorff_alpha(ratings, "interval").value == pytest.approx(task.alpha(), abs=CLOSE)


@each_value("seed", SEEDS)
def test_nltk_on_two_judges(seed):
    ratings = seeded(seed, n_judges=2, missing=0)
    judgements = [
        (judge, item, int(grade)) for judge, row in enumerate(ratings.codes) for item, grade in enumerate(row)
    ]
    task = AnnotationTask(judgements, distance=lambda first, second: abs(first - second) / 3)

    assert pooled_kappa(ratings).value == pytest.approx(AnnotationTask(judgements).pi(), abs=CLOSE)
    assert cohen_kappa(ratings, weights="linear").value == pytest.approx(task.weighted_kappa(), abs=CLOSE)
