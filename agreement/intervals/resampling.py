"""Samples with replacement, thousands at once: how often each pattern of items occurs in each sample."""

from collections.abc import Iterator, Sequence

import numpy as np

from agreement.intervals.defaults import IntervalRequest
from agreement.intervals.kernel import Floats, Integers, Sample

BLOCK = 4_000_000  # numbers of occurrences in memory at once


def draws_of_items(sample: Sample, request: IntervalRequest) -> Floats:
    """The coefficient in samples of items, nan if undefined; shape (draws,)."""
    return _values(request.generator(), sample, request.draws)


def draws_of_topics(sample: Sample, request: IntervalRequest) -> Floats:
    """The coefficient in samples of topics and of items within each topic, nan if undefined; shape (draws,)."""
    rng, features = request.generator(), sample.kernel.features
    sums = np.zeros((request.draws, features.shape[1]))
    for (patterns, times), chosen in zip(sample.topics, _chosen(rng, request, len(sample.topics)), strict=True):
        draw = np.repeat(np.arange(request.draws), chosen)
        for start, weights in _occurrences(rng, times, len(draw)):
            # add.at, because a draw may have a topic several times; += would add one of them.
            np.add.at(sums, draw[start : start + len(weights)], weights @ features[patterns])
    return sample.kernel.values(sums)


def draws_of_means(samples: Sequence[Sample | None], request: IntervalRequest) -> Floats:
    """The mean of the coefficient over topics, in samples of items within topics and, if requested, of topics.

    Shapes: the result (draws,).
    """
    rng, total, count = request.generator(), np.zeros(request.draws), np.zeros(request.draws)
    for sample, chosen in zip(samples, _chosen(rng, request, len(samples)), strict=True):
        draw = np.repeat(np.arange(request.draws), chosen)
        if sample is None or not len(draw):
            continue
        values = _values(rng, sample, len(draw))
        defined = np.isfinite(values)
        total += np.bincount(draw[defined], values[defined], request.draws)
        count += np.bincount(draw[defined], minlength=request.draws)
    return np.asarray(np.divide(total, count, out=np.full(request.draws, np.nan), where=count > 0))


def _chosen(rng: np.random.Generator, request: IntervalRequest, n_topics: int) -> Integers:
    """How often each topic occurs in each draw, shape (n_topics, draws)."""
    if not request.topics:
        return np.ones((n_topics, request.draws), np.intp)
    return np.asarray(rng.multinomial(n_topics, np.full(n_topics, 1 / n_topics), request.draws).T)


def _values(rng: np.random.Generator, sample: Sample, draws: int) -> Floats:
    features = sample.kernel.features
    return np.concatenate(
        [sample.kernel.values(weights @ features) for _, weights in _occurrences(rng, sample.times, draws)]
    )


def _occurrences(rng: np.random.Generator, times: Floats | Integers, draws: int) -> Iterator[tuple[int, Floats]]:
    """Blocks of draws: the first draw of the block, and how often each pattern occurs in each of its draws."""
    n, step = int(times.sum()), max(BLOCK // max(len(times), 1), 1)
    for start in range(0, draws, step):
        yield start, rng.multinomial(n, times / n, min(step, draws - start)).astype(np.float64)
