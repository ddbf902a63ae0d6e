"""Samples drawn with replacement, thousands at once: how often each pattern of items occurs in each of them."""

from collections.abc import Iterator

import numpy as np

from agreement.intervals.kernel import Sample
from agreement.intervals.requests import Request

BLOCK = 4_000_000  # numbers of occurrence that are held at once


def draws_of_items(sample: Sample, request: Request) -> np.ndarray:
    """The coefficient in samples of as many items, nan where undefined; shape (draws,)."""
    return _values(request.generator(), sample, request.draws)


def draws_of_topics(sample: Sample, request: Request) -> np.ndarray:
    """The coefficient in samples of as many topics, and of as many items within each; shape (draws,)."""
    rng, features = request.generator(), sample.kernel.features
    sums = np.zeros((request.draws, features.shape[1]))
    for (patterns, times), chosen in zip(sample.topics, _chosen(rng, request, len(sample.topics)), strict=True):
        draw = np.repeat(np.arange(request.draws), chosen)
        for start, weights in _occurrences(rng, times, len(draw)):
            np.add.at(sums, draw[start : start + len(weights)], weights @ features[patterns])
    return sample.kernel.values(sums)


def draws_of_means(samples: list[Sample | None], request: Request) -> np.ndarray:
    """The mean over topics of the coefficient, in samples of items within topics, and of topics where asked.

    Parameters
    ----------
    samples : list of Sample or None
        One for each topic; None where the coefficient is undefined, which adds nothing to a mean.
    request : Request

    Returns
    -------
    ndarray of float, shape (draws,)
        nan where no topic of the draw has a value.
    """
    rng, drawn = request.generator(), np.zeros((2, request.draws))
    for sample, chosen in zip(samples, _chosen(rng, request, len(samples)), strict=True):
        draw = np.repeat(np.arange(request.draws), chosen)
        if sample is None or not len(draw):
            continue
        found = _values(rng, sample, len(draw))
        defined = np.isfinite(found)
        drawn[0] += np.bincount(draw[defined], found[defined], request.draws)
        drawn[1] += np.bincount(draw[defined], minlength=request.draws)
    return np.divide(drawn[0], drawn[1], out=np.full(request.draws, np.nan), where=drawn[1] > 0)


def _chosen(rng: np.random.Generator, request: Request, n_topics: int) -> np.ndarray:
    """How often each topic is in each draw, shape (n_topics, draws)."""
    if not request.topics:
        return np.ones((n_topics, request.draws), np.int64)
    return rng.multinomial(n_topics, np.full(n_topics, 1 / n_topics), request.draws).T


def _values(rng: np.random.Generator, sample: Sample, draws: int) -> np.ndarray:
    features = sample.kernel.features
    return np.concatenate(
        [sample.kernel.values(weights @ features) for _, weights in _occurrences(rng, sample.times, draws)]
    )


def _occurrences(rng: np.random.Generator, times: np.ndarray, draws: int) -> Iterator[tuple[int, np.ndarray]]:
    """Where a block of draws begins, and how often each pattern occurs in each of them."""
    n, step = int(times.sum()), max(BLOCK // max(len(times), 1), 1)
    for start in range(0, draws, step):
        yield start, rng.multinomial(n, times / n, min(step, draws - start)).astype(float)
