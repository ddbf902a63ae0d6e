"""Intervals of tau_b, tau_AP and RBO between the rankings of the same systems under two golds.

The population value is the correlation of the rankings by the mean score over all topics from which the topics of the
golds are a sample. The limits are the outer ones of two intervals: the percentiles of the correlation of the mean
scores in samples of topics, and those of draws of the true mean scores (`agreement.shift.plausible_means` has the model
and its sources). Each alone is too often wrong. The scatter of means over topics changes a correlation, and samples of
topics have it twice, so that their percentiles contain the population value in 0 to 99 % of the simulations of
docs/studies/comparisons.md. The draws remove this bias, and too much of it if similar systems share
their errors. Both together contain the population value of tau_b in 94 to 100 % of the data sets of each setting,
of tau_AP in 92 to 100 %, and of RBO in 94 to 100 %, except one setting with 82 %; intervals of RBO have a warning.

With judges, both golds are judgements by several judges, and the score of a system on a topic is the mean over the
judges of the topic. A draw takes topics with replacement and, for each gold, judges with replacement. The weight of a
score is the product of how often its topic and its judge were taken (Owen 2007). So judges are resampled with all their
topics, and the interval covers another choice of judges of the same kind.

An interval needs five systems and two topics on which both golds have scores. Undefined intervals have a reason:
"few_systems", "no_topics", "one_topic", or that of the coefficient, such as "all_tied".

References
----------
N. M. Laird and T. A. Louis (1987). Empirical Bayes confidence intervals based on bootstrap samples. Journal of the
American Statistical Association 82(399), 739-750.
A. B. Owen (2007). The pigeonhole bootstrap. Annals of Applied Statistics 1(2), 386-411.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np

from agreement.effectiveness.judge_scores import scores_by_judge
from agreement.effectiveness.measure import MeasureLike
from agreement.effectiveness.ranked_runs import Runs, prepare_for
from agreement.effectiveness.scores import check_score_options
from agreement.estimate import Estimate, undefined
from agreement.rank_correlation import (
    Batch,
    ranking_of,
    rbo,
    rbo_paired,
    tau_ap_b,
    tau_ap_b_paired,
    tau_b,
    tau_b_paired,
)
from agreement.shift.gold_pairs import PERSISTENCE
from agreement.shift.interval_result import INTERVALS_OF, CorrelationIntervals
from agreement.shift.plausible_means import plausible_means
from agreement.shift.result import RankingShift
from agreement.shift.score_samples import FEW_JUDGES, JudgeSample, TopicSample, on_topics_of
from agreement.shift.views import higher_is_better, on_topics
from agreement.significance.rank_intervals import DrawRequest
from pooling.inputs import Input, as_judgements

LEAST_SYSTEMS = 5
FEW_TOPICS = 10
OF_RBO = "intervals of RBO contain the true value in as few as 82% of simulated data sets"
TOPICS, TOPICS_AND_JUDGES = "topics", "topics and judges"
Paired = Callable[[np.ndarray, np.ndarray], Batch]
PAIRED: dict[str, Paired] = {
    "tau_b": tau_b_paired,
    "tau_ap_b": tau_ap_b_paired,
    "rbo": lambda x, y: rbo_paired(x, y, PERSISTENCE),
}


def correlation_intervals(
    shift: RankingShift, draws: int = 2000, seed: int | None = None, confidence: float = 0.95
) -> CorrelationIntervals:
    """Compute intervals of the rank correlations between every two golds, over topics.

    Parameters
    ----------
    shift : RankingShift
        A shift on common topics (`topics="common"`), of runs or of scores.
    draws : int
        Number of draws, at least 2.
    seed : int
        Seed of the draws; required.
    confidence : float
        Level of the intervals, between 0 and 1.

    Returns
    -------
    CorrelationIntervals
        For each of `shift.pairs`, tau_b, tau_ap_b and rbo with limits; without limits and with a reason for fewer than
        five systems or two topics.

    Raises
    ------
    ValueError
        There is no seed, an option is invalid, or the shift compares each gold on its own topics.

    References
    ----------
    N. M. Laird and T. A. Louis (1987). Empirical Bayes confidence intervals based on bootstrap samples. Journal of the
    American Statistical Association 82(399), 739-750.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement import correlation_intervals, shift_from_scores
    >>> rows = [
    ...     (gold, f"system{s}", f"{q}", "AP", s / 40 + (s * q * step % 7) / 10)
    ...     for gold, step in (("nist", 1), ("llm", 3)) for s in range(6) for q in range(12)
    ... ]
    >>> scores = pd.DataFrame(rows, columns=["gold", "system", "query_id", "measure", "value"])
    >>> found = correlation_intervals(shift_from_scores(scores), seed=1)
    >>> tau = found.estimate("nist", "llm")
    >>> f"{tau.value:.3f}, {tau.low:.3f} to {tau.high:.3f}, {len(tau.topics)} topics"
    '0.600, -0.067 to 1.000, 12 topics'
    """
    request = _request(draws, seed, confidence)
    if not isinstance(shift, RankingShift):
        raise ValueError(f"shift must be the result of ranking_shift, not {type(shift).__name__}.")
    if shift.topics != "common":
        raise ValueError("Intervals compare golds on the same topics; compute the shift with topics='common'.")
    ascending = higher_is_better(shift.scores, shift.lower_is_better)
    rows, reasons = [], []
    for pair in shift.pairs:
        tables = on_topics(ascending[pair.gold_a], ascending[pair.gold_b], shift.topics)
        first, second = (table.to_numpy(np.float64) for table in tables)
        sample = TopicSample(first, second)
        names = tuple(map(str, tables[0].columns))
        estimates = {name: getattr(pair, name) for name in INTERVALS_OF}
        found, reason = _with_intervals(estimates, sample, names, request, TOPICS)
        rows += [(pair.gold_a, pair.gold_b, one) for one in found]
        reasons += reason
    return CorrelationIntervals(tuple(rows), tuple(reasons), TOPICS, request.draws, request.seed, request.confidence)


def correlation_intervals_with_judges(
    runs: Runs,
    golds: Mapping[str, Input],
    measure: MeasureLike,
    draws: int = 2000,
    seed: int | None = None,
    confidence: float = 0.95,
    **score_options: Any,
) -> CorrelationIntervals:
    """Compute intervals of the rank correlations between every two golds, over topics and judges.

    Parameters
    ----------
    runs : table, path, dictionary, iterable of these, or RankedRuns
        Rankings with the columns system, query_id, doc_id and score.
    golds : mapping of str to a table, path or dictionary
        For each gold the judgements of its judges: assessor, query_id, doc_id, relevance (numbers) and optionally
        repeat. Only repeat 0 counts. A gold may have one judge, who is then not resampled.
    measure : str, ir_measures.Measure, or Measure
        A measure such as "AP", "nDCG@10" or "P(rel=2)@5", for which higher is better.
    draws : int
        Number of draws, at least 2.
    seed : int
        Seed of the draws; required.
    confidence : float
        Level of the intervals, between 0 and 1.
    **score_options
        scale (declared grades, lowest first), collection_size (number of documents) and known (documents the reader
        knew: query_id, doc_id), for the measures that need them.

    Returns
    -------
    CorrelationIntervals
        For every two golds, tau_b, tau_ap_b and rbo of the rankings by the mean over topics of the mean over judges,
        with limits; without limits and with a reason for fewer than five systems or two common topics.

    Raises
    ------
    ValueError
        There is no seed, fewer than two golds, an option is invalid, the measure is unknown or lower is better, or the
        runs or judgements are invalid.

    References
    ----------
    A. B. Owen (2007). The pigeonhole bootstrap. Annals of Applied Statistics 1(2), 386-411.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement import correlation_intervals_with_judges
    >>> runs = pd.DataFrame(
    ...     [(f"s{s}", q, d, -((i * (s + 1)) % 7)) for s in range(5) for q in "123" for i, d in enumerate("uvwxyz")],
    ...     columns=["system", "query_id", "doc_id", "score"],
    ... )
    >>> relevant = (("ann", "uv"), ("bob", "vx"))
    >>> rows = [(judge, q, d, int(d in docs)) for judge, docs in relevant for q in "123" for d in "uvwxyz"]
    >>> people = pd.DataFrame(rows, columns=["assessor", "query_id", "doc_id", "relevance"])
    >>> golds = {"people": people, "llm": people[people["assessor"] == "ann"]}
    >>> found = correlation_intervals_with_judges(runs, golds, "AP", draws=100, seed=1)
    >>> found.resampled, len(found.estimates)
    ('topics and judges', 3)
    """
    request = _request(draws, seed, confidence)
    check_score_options(correlation_intervals_with_judges, score_options)
    if len(golds) < 2:
        raise ValueError(f"Intervals compare two golds or more, not {len(golds)}.")
    judged = {name: as_judgements(judgements) for name, judgements in golds.items()}
    ranked = prepare_for(runs, list(judged.values()))
    cubes = {name: scores_by_judge(ranked, each, measure, **score_options) for name, each in judged.items()}
    rows, reasons = [], []
    for a, b in combinations(cubes, 2):
        names = tuple(name for name in cubes[a].query_ids if name in set(cubes[b].query_ids))
        sample = JudgeSample(on_topics_of(cubes[a], names), on_topics_of(cubes[b], names))
        estimates = _correlations(sample.means(), cubes[a].systems, len(names))
        found, reason = _with_intervals(estimates, sample, names, request, TOPICS_AND_JUDGES)
        rows += [(a, b, one) for one in found]
        reasons += reason
    return CorrelationIntervals(
        tuple(rows), tuple(reasons), TOPICS_AND_JUDGES, request.draws, request.seed, request.confidence
    )


def _request(draws: int, seed: int | None, confidence: float) -> DrawRequest:
    request = DrawRequest.checked(draws, seed, confidence)
    if request.draws < 2:
        raise ValueError(f"draws must be a whole number of at least 2, not {draws!r}.")
    return request


def _with_intervals(
    estimates: Mapping[str, Estimate],
    sample: TopicSample | JudgeSample,
    topics: tuple[str, ...],
    request: DrawRequest,
    resampled: str,
) -> tuple[list[Estimate], list[str | None]]:
    """The coefficients with their limits, and for each the reason if it has none."""
    fixed: dict[str, Any] = {"topics": topics, "confidence": request.confidence}
    means = sample.means() if topics else np.zeros((0, 2))
    reason = _reason(means, sample.n_topics)
    if reason is None:
        rng = np.random.default_rng(request.seed)
        drawn = sample.drawn(rng, request.draws)
        true = plausible_means(means, drawn - means, sample.n_topics, rng)
        method = f"{resampled} resampled, with and without bias, {request.draws:,} draws, seed {request.seed}"
        fixed |= {"method": method, "warnings": _warnings(sample)}
    found: list[Estimate] = []
    reasons: list[str | None] = []
    for name, estimate in estimates.items():
        why = estimate.reason or reason
        limits: dict[str, Any] = {} if why else outer_limits(PAIRED[name], drawn, true, request.confidence)
        kept = {key: value for key, value in fixed.items() if limits or key == "topics"}
        if limits and name == "rbo":
            kept["warnings"] += (OF_RBO,)
        found.append(replace(estimate, **kept, **limits))
        reasons.append(why)
    return found, reasons


def _reason(means: np.ndarray, n_topics: int) -> str | None:
    if n_topics < 2:
        return "one_topic" if n_topics else "no_topics"
    return "few_systems" if len(means) < LEAST_SYSTEMS else None


def _warnings(sample: TopicSample | JudgeSample) -> tuple[str, ...]:
    warnings: tuple[str, ...] = ("the same scores on all topics",) if sample.is_same else ()
    warnings += (f"fewer than {FEW_TOPICS} topics",) if sample.n_topics < FEW_TOPICS else ()
    return warnings + ((f"fewer than {FEW_JUDGES} judges",) if sample.few_judges else ())


def outer_limits(paired: Paired, drawn: np.ndarray, true: np.ndarray, confidence: float) -> dict[str, float]:
    """Return the outer limits of the percentiles in samples and in draws of the true means, and the standard error.

    Shapes: `drawn`, `true` (n_draws, n_systems, 2).
    """
    ends = [(1 - confidence) / 2, (1 + confidence) / 2]
    batches = [paired(means[:, :, 0], means[:, :, 1]) for means in (drawn, true)]
    sampled, corrected = (batch.values[batch.defined] for batch in batches)
    lows, highs = zip(*(np.quantile(values, ends) for values in (sampled, corrected) if len(values)), strict=True)
    return {"low": float(min(lows)), "high": float(max(highs)), "se": float(sampled.std(ddof=1))}


def _correlations(means: np.ndarray, systems: Sequence[str], n_topics: int) -> dict[str, Estimate]:
    if not n_topics:
        return {name: undefined(name, "no_topics", n=len(systems)) for name in INTERVALS_OF}
    x, y = means.T
    rankings = [ranking_of(scores, list(systems)) for scores in (x, y)]
    return {
        "tau_b": tau_b(x, y),
        "tau_ap_b": tau_ap_b(x, y),
        "rbo": rbo(rankings[0], rankings[1], p=PERSISTENCE, ties="a"),
    }
