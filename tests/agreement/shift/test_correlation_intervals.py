"""Intervals of rank correlations: by hand, against separate programs, published data, properties, and where none is."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.linalg import sqrtm

from agreement import (
    correlation_intervals,
    correlation_intervals_with_judges,
    ranking_shift,
    shift_from_scores,
)
from agreement.effectiveness.judge_scores import scores_by_judge
from agreement.rank_correlation import tau_b_paired
from agreement.shift.correlation_intervals import outer_limits
from agreement.shift.interval_result import INTERVALS_OF
from agreement.shift.plausible_means import plausible_means
from agreement.shift.score_samples import JudgeSample, TopicSample, on_topics_of
from pooling import read_qrels, read_run
from tests.agreement.effectiveness.test_judge_scores import random_collection
from tests.agreement.shift.test_from_scores import table
from tests.agreement.shift.test_shift import SYSTEMS, gold_of, runs_of
from tests.each_value import each_value
from tests.examples import examples, seeds
from tests.realdata import dl19_run_paths, real_data


def random_means(seed, n_draws=4):
    rng = np.random.default_rng(seed)
    n_systems = int(rng.integers(5, 15))
    means = rng.normal(size=(n_systems, 2))
    means[:, 1] += means[:, 0] * rng.normal()
    return means, rng.normal(size=(n_draws, n_systems, 2)) * rng.choice([0.05, 0.3, 1]), int(rng.integers(2, 60))


def scores_of(seed=1, n_systems=8, n_topics=20, spread=0.1):
    rng = np.random.default_rng(seed)
    true = rng.normal(0, spread, (n_systems, 1))
    values = [true + rng.normal(0, 0.1, (n_systems, n_topics)) for _ in "AB"]
    return table(values)


def test_limits_by_hand():
    # tau of the samples: 1 and -1, so the quartiles are -0.5 and 0.5; of the true means: both 1/3
    up, down, swapped = [3, 2, 1], [1, 2, 3], [2, 3, 1]
    drawn = np.array([[up, up], [up, down]], float).transpose(0, 2, 1)
    true = np.array([[up, swapped], [swapped, up]], float).transpose(0, 2, 1)
    limits = outer_limits(tau_b_paired, drawn, true, 0.5)
    assert (limits["low"], limits["high"]) == (-0.5, 0.5)
    assert limits["se"] == pytest.approx(2**0.5)  # mean 0, squares 1 + 1, over n - 1 = 1


def test_true_means_by_hand():
    # errors that are small next to the means: B is the unit matrix, and draws are the samples, times sqrt(n / (n - 1))
    means = np.array([[0, 0], [1, 2], [2, 1], [3, 4], [4, 3]], float)
    errors = np.zeros((2, 5, 2))
    errors[0, 0] = [5e-6, -5e-6]  # less the mean of five systems: 4e-6 and -1e-6
    drawn = plausible_means(means, errors, 2, np.random.default_rng(1))
    expected = (means - 2)[None] + 2**0.5 * (errors - errors.mean(axis=1, keepdims=True))
    assert drawn == pytest.approx(expected, abs=1e-9)


def test_samples_of_topics_by_hand():
    # two topics: a sample has the first twice, both, or the second twice
    sample = TopicSample(np.array([[1.0, 3.0]]), np.array([[0.0, 10.0]]))
    drawn = sample.drawn(np.random.default_rng(1), 200)
    assert {tuple(row) for row in drawn[:, 0].tolist()} == {(1.0, 0.0), (2.0, 5.0), (3.0, 10.0)}
    assert sample.means().tolist() == [[2, 5]]


@pytest.mark.in_ci
@each_value("seed", seeds(200))
def test_true_means_against_one_draw_at_a_time(seed):
    means, errors, n_topics = random_means(seed)
    drawn = plausible_means(means, errors, n_topics, np.random.default_rng(seed))
    assert drawn == pytest.approx(slow_draws(means, errors, n_topics, np.random.default_rng(seed)), abs=1e-9)


def slow_draws(means, errors, n_topics, rng):
    n = len(means)
    y = means - means.mean(axis=0)
    noise = [(e - e.mean(axis=0)) * (n_topics / (n_topics - 1)) ** 0.5 for e in errors]
    v = sum(e.T @ e for e in noise) / (len(noise) * (n - 1))
    t = np.cov(means.T)
    c = 0
    for gold in (0, 1):
        between = sum(np.outer(e[:, gold], e[:, gold]) for e in noise) / len(noise)
        square = (np.trace(between @ between) - np.trace(between) ** 2 / (n_topics - 1)) / (1 + 1 / (n_topics - 1))
        c += (n - 1) * square / np.trace(between) ** 2 / 2
    r = min(np.trace(v) / np.trace(t), 1)
    degrees = max((n - 1) / (1 - r**2 + r**2 * max(c, 1)), 2)
    size = len(noise)
    first, second, below = rng.chisquare(degrees, size), rng.chisquare(degrees - 1, size), rng.normal(size=size)
    result = []
    for e, a, b, c in zip(noise, first, second, below, strict=True):
        lower = np.array([[a**0.5, 0], [c, b**0.5]])
        root = np.real(sqrtm(t))
        total = root @ np.linalg.inv(lower @ lower.T / degrees).T @ root
        values, vectors = np.linalg.eigh(total - v)
        s = vectors @ np.diag(np.maximum(values, 0)) @ vectors.T
        shrinkage = s @ np.linalg.inv(s + v)
        # the root of a symmetric matrix that may be singular
        values, vectors = np.linalg.eigh(v - v @ np.linalg.inv(s + v) @ v)
        values = np.where(values > 1e-12 * np.trace(v), values, 0)
        root_of_posterior = vectors @ np.diag(values**0.5) @ vectors.T
        scaling = root_of_posterior @ np.linalg.inv(np.real(sqrtm(v)))
        result.append(y @ shrinkage.T + e @ scaling.T)
    return np.array(result)


@pytest.mark.in_ci
@each_value("seed", range(50))
def test_samples_of_judges_against_one_sample_at_a_time(seed):
    runs, judgements = random_collection(seed, judges="uvwx")
    people = judgements[judgements["assessor"] < "w"]
    cubes = [scores_by_judge(runs, each, "AP") for each in (people, judgements[judgements["assessor"] >= "w"])]
    names = sorted(set(cubes[0].query_ids) & set(cubes[1].query_ids))
    if len(names) < 2:
        return
    sample = JudgeSample(*(on_topics_of(cube, names) for cube in cubes))
    drawn, rng, kept = sample.drawn(np.random.default_rng(seed), 20), np.random.default_rng(seed), []
    topics = rng.multinomial(len(names), [1 / len(names)] * len(names), 20)
    judges = []
    for part in (sample.first, sample.second):
        n = part.judged.shape[1]
        judges.append(rng.multinomial(n, [1 / n] * n, 20))
    for draw in range(20):
        means = []
        for part, taken in zip((sample.first, sample.second), judges, strict=True):
            sums, weight = np.zeros(part.scores.shape[0]), 0
            for topic in range(len(names)):
                times = part.judged[topic] * taken[draw]
                if times.sum():
                    sums += topics[draw, topic] * (part.scores[:, topic] @ times) / times.sum()
                    weight += topics[draw, topic]
            means.append(sums / weight if weight else None)
        if means[0] is not None and means[1] is not None:
            kept.append(np.stack(means, axis=1))
    assert drawn == pytest.approx(np.array(kept).reshape(drawn.shape), abs=1e-12)


@pytest.mark.slow
def test_published_shrinkage():
    # B. Efron and C. Morris (1977), Stein's paradox in statistics: 18 batters, the first 45 times at bat. With the
    # variance of a mean of 0.2654 (1 - 0.2654) / 45 = 0.00433 and n - 3 = 15, they keep 0.212 of each difference from
    # the mean. With n - 1 = 17 instead, as here: 1 - 17 / 15 * (1 - 0.212) = 0.107.
    hits = np.array([18, 17, 16, 15, 14, 14, 13, 12, 11, 11, 10, 10, 10, 10, 10, 9, 8, 7]) / 45
    error = (0.265 * 0.735 / 45) ** 0.5
    rng = np.random.default_rng(1)
    # a second gold with the same means in another order, uncorrelated with the first
    other = hits.copy()
    for _ in range(20_000):
        shuffled = rng.permutation(hits)
        other = min(other, shuffled, key=lambda each: abs(np.cov(hits, each)[0, 1]))
    # errors of both golds are independent: each system has +-error in each of four equal samples
    systems = rng.normal(size=(4000, 18, 2)) * error
    drawn = plausible_means(np.stack([hits, other], axis=1), systems, 10**9, rng)
    kept = drawn.mean(axis=0)[:, 0] @ (hits - hits.mean()) / ((hits - hits.mean()) ** 2).sum()
    # T is drawn anew, and S = T - V is 0 at least: the mean share is above 0.107, and below the 0.212 of the article
    assert 0.107 < kept < 0.26


@pytest.mark.slow
@given(st.integers(0, 10_000), st.floats(0.5, 3), st.floats(-1, 1))
@examples(20)
def test_properties(seed, factor, shift):
    scores = scores_of(seed, spread=0.05)
    found = correlation_intervals(shift_from_scores(scores), draws=200, seed=seed)
    other = scores.assign(value=scores["value"] * factor + shift)
    again = correlation_intervals(shift_from_scores(other), draws=200, seed=seed)
    for (_, _, one), (_, _, same) in zip(found.estimates, again.estimates, strict=True):
        least = 0 if one.coefficient == "rbo" else -1
        assert least <= one.low <= one.high <= 1
        assert (same.low, same.high) == pytest.approx((one.low, one.high), abs=1e-9)


def test_the_interval_contains_the_percentiles():
    scores = scores_of(spread=0.05)
    shift = shift_from_scores(scores)
    found = correlation_intervals(shift, draws=500, seed=3)
    first, second = (shift.scores[name].to_numpy() for name in "AB")
    drawn = TopicSample(first, second).drawn(np.random.default_rng(3), 500)
    taus = tau_b_paired(drawn[:, :, 0], drawn[:, :, 1]).values
    tau = found.estimate("B", "A")
    assert tau.low <= np.quantile(taus, 0.025)
    assert tau.high >= np.quantile(taus, 0.975)
    assert tau.se == pytest.approx(taus.std(ddof=1))
    assert tau.topics == tuple(shift.scores["A"].columns)


def test_same_seed_gives_the_same_and_more_confidence_a_wider_interval():
    shift = shift_from_scores(scores_of(spread=0.05))
    narrow, wide, again = (correlation_intervals(shift, seed=2, confidence=level) for level in (0.8, 0.99, 0.8))
    assert narrow.to_frame().equals(again.to_frame())
    for (_, _, one), (_, _, other) in zip(narrow.estimates, wide.estimates, strict=True):
        assert other.low <= one.low <= one.high <= other.high


def test_one_judge_for_each_gold_leaves_only_topics():
    runs, judgements = random_collection(3, n_systems=6, n_topics=12, judges="uv")
    golds = {name: judgements[judgements["assessor"] == name] for name in "uv"}
    found = correlation_intervals_with_judges(runs, golds, "AP", draws=300, seed=1)
    plain = {name: gold.drop(columns="assessor") for name, gold in golds.items()}
    expected = correlation_intervals(ranking_shift(runs, plain, "AP"), draws=300, seed=1)
    assert found.resampled == "topics and judges"
    for name in INTERVALS_OF:
        one, other = found.estimate("u", "v", name), expected.estimate("u", "v", name)
        assert one.value == pytest.approx(other.value, abs=1e-12)
        assert one.topics == other.topics
        assert abs(one.low - other.low) < 0.2  # other draws of the same topics
        assert not any("judges" in warning for warning in one.warnings)


def test_few_judges_and_few_topics_are_stated():
    runs, judgements = random_collection(4, n_systems=6, n_topics=6, judges="uvw")
    golds = {"people": judgements, "u": judgements[judgements["assessor"] == "u"]}
    found = correlation_intervals_with_judges(runs, golds, "AP", draws=100, seed=1)
    assert found.estimates[0][2].warnings == ("fewer than 10 topics", "fewer than 5 judges")


def test_equal_golds():
    first = np.random.default_rng(1).random((6, 12))
    tau = correlation_intervals(shift_from_scores(table([first, first])), draws=100, seed=1).estimate("A", "B")
    assert (tau.value, tau.low, tau.high) == (1, 1, 1)
    assert tau.warnings == ("the same scores on all topics",)


@pytest.mark.parametrize(
    ("systems", "topics", "reason"), [(4, 12, "few_systems"), (6, 1, "one_topic"), (1, 12, "one_system")]
)
def test_no_interval(systems, topics, reason):
    scores = scores_of(n_systems=systems, n_topics=topics)
    found = correlation_intervals(shift_from_scores(scores), draws=100, seed=1)
    frame = found.to_frame().set_index("coefficient")
    assert frame["low"].isna().all()
    assert frame["reason"]["tau_b"] == reason
    assert str(found.estimate("A", "B").value is None) == str(reason == "one_system")
    assert "undefined" in repr(found) or systems > 1


def test_no_topic_in_common_and_tied_systems():
    runs = runs_of(SYSTEMS | {"d": "xzy", "e": "yzx"}, ("1", "2", "3", "4"))
    apart = ranking_shift(runs, {"x": gold_of("x", "12"), "y": gold_of("y", "34")}, "AP")
    assert set(correlation_intervals(apart, seed=1).reasons) == {"no_topics"}
    nothing = {"x": gold_of("x", "12"), "none": gold_of("q", "12")}
    found = correlation_intervals(ranking_shift(runs, nothing, "AP"), seed=1)
    assert found.reasons == ("all_tied", "all_tied", None)


def test_invalid():
    shift = shift_from_scores(scores_of())
    with pytest.raises(ValueError, match="needs a seed"):
        correlation_intervals(shift)
    with pytest.raises(ValueError, match="draws must be a whole number of at least 2, not 1"):
        correlation_intervals(shift, draws=1, seed=1)
    with pytest.raises(ValueError, match="must be the result of ranking_shift, not dict"):
        correlation_intervals({}, seed=1)
    own = ranking_shift(runs_of(SYSTEMS), {"x": gold_of("x"), "y": gold_of("y")}, "AP", topics="own")
    with pytest.raises(ValueError, match="topics='common'"):
        correlation_intervals(own, seed=1)
    runs, judgements = random_collection(1)
    with pytest.raises(ValueError, match="two golds or more, not 1"):
        correlation_intervals_with_judges(runs, {"u": judgements}, "AP", seed=1)
    with pytest.raises(ValueError, match=r"no interval of 'tau'.*golds A and B"):
        correlation_intervals(shift, draws=10, seed=1).estimate("A", "B", "tau")


def test_tables():
    found = correlation_intervals(shift_from_scores(scores_of()), draws=50, seed=4)
    frame = found.to_frame()
    assert frame["coefficient"].tolist() == list(INTERVALS_OF)
    assert frame["n_topics"].tolist() == [20] * 3
    assert frame["method"].str.contains("50 draws, seed 4").all()
    assert "seed 4" in repr(found)
    assert r"\begin{tabular}" in found.to_latex()
    assert isinstance(frame, pd.DataFrame)


@pytest.mark.slow
def test_real_golds():
    judges = {name: read_qrels(real_data("dl19", "judges", f"{name}.qrels")) for name in ("nist", "judge1", "judge3")}
    golds = {"nist": judges["nist"], "people": pd.concat([judges["judge1"], judges["judge3"]])}
    golds["people"] = golds["people"].drop_duplicates(["query_id", "doc_id"])
    runs = [read_run(path) for path in dl19_run_paths()[::4]]
    tau = correlation_intervals(ranking_shift(runs, golds, "nDCG@10"), draws=500, seed=1).estimate("nist", "people")
    assert len(tau.topics) > 15
    assert tau.low < tau.value < tau.high
    assert tau.high - tau.low < 0.7


def test_only_rbo_has_a_warning_about_its_coverage():
    found = correlation_intervals(shift_from_scores(scores_of()), draws=50, seed=4)
    assert [len(one.warnings) for *_, one in found.estimates] == [0, 0, 1]
    assert "82%" in found.estimate("A", "B", "rbo").warnings[0]
