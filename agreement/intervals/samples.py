"""Tables and ratings as patterns of items, for the intervals (`agreement.intervals.kernel`)."""

import numpy as np

from agreement.coefficients.pairs import Pair
from agreement.intervals.kernel import Sample, by_topic, chance_kernel, distinct
from agreement.ratings import MISSING, Ratings
from agreement.weights import Weights


def sample_of_pair(pair: Pair, weights: Weights, chance: str | None, topics: bool = False) -> Sample:
    """The cells of a table that is not all zeros; with `topics`, also those of every topic.

    Parameters
    ----------
    pair : Pair
    weights : Weights
    chance : str or None
        As in `agreement.coefficients.chance.terms`.
    topics : bool
        Ask for `Sample.topics`.

    Raises
    ------
    ValueError
        Topics are asked for, and only a table is known.
    """
    if topics and pair.ratings is None:
        raise ValueError("a table does not know its topics: interval 'topics' needs Ratings")
    size = len(pair.scale)
    times = pair.table.astype(float).ravel()
    cells = np.flatnonzero(times)
    first, second = np.divmod(cells, size)
    said = np.eye(size)
    both = np.stack([said[first], said[second]], axis=1)
    given = both if chance == "unpooled" else both.mean(axis=1, keepdims=True)
    agree, ones = weights.floats()[first, second], np.ones(len(cells))
    kernel = chance_kernel(agree, ones, given, np.ones(given.shape[:2]), weights, chance)
    uses = np.minimum(pair.table.sum(axis=1), pair.table.sum(axis=0))
    used = pair.table.sum(axis=1) + pair.table.sum(axis=0) > 0
    parts = _topics_of_pair(pair, cells) if topics else []
    return Sample(kernel, times[cells], parts, _uses(pair.scale, uses, used))


def _topics_of_pair(pair: Pair, cells: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    first, second = (pair.ratings.row(name) for name in pair.fields["assessors"])
    both = (first != MISSING) & (second != MISSING)
    cell = first[both].astype(np.intp) * len(pair.scale) + second[both]
    return by_topic(np.searchsorted(cells, cell), pair.ratings.topic_codes[0][both])


def sample_of_counts(
    ratings: Ratings, weights: Weights, chance: str | None, pi_items: str, topics: bool = False
) -> Sample:
    """The distinct rows of counts; items without a judgement, and for "ge2" those with one, are none.

    Parameters
    ----------
    ratings : Ratings
    weights : Weights
    chance : str or None
        A model of one distribution, or None.
    pi_items : str
        As in `agreement.coefficients.tally`.
    topics : bool
        Ask for `Sample.topics`.
    """
    items = np.flatnonzero(ratings.counts.sum(axis=1) >= (2 if pi_items == "ge2" else 1))
    given = ratings.counts[items]
    first, pattern = distinct(given)
    rows = given[first].astype(float)
    sizes = rows.sum(axis=1)
    present = sizes if pi_items == "pooled" else np.ones(len(rows))
    shares = rows * (present / sizes)[:, None]
    kernel = chance_kernel(*_agreement(rows, weights), shares[:, None], present[:, None], weights, chance)
    uses = given.sum(axis=0)
    parts = by_topic(pattern, ratings.topic_codes[0][items]) if topics else []
    return Sample(kernel, np.bincount(pattern).astype(float), parts, _uses(ratings.scale, uses, uses > 0))


def sample_of_judges(ratings: Ratings, weights: Weights, topics: bool = False) -> Sample:
    """The distinct columns of codes, each assessor with a distribution; idle assessors are none.

    Parameters are those of `sample_of_counts`.
    """
    items = np.flatnonzero(ratings.counts.sum(axis=1) > 0)
    codes = ratings.codes[:, items]
    codes = codes[(codes != MISSING).any(axis=1)]
    first, pattern = distinct(codes.T.astype(np.int64) + 1)
    said = codes[:, first].T[:, :, None] == np.arange(len(ratings.scale))
    agreement = _agreement(said.sum(axis=1).astype(float), weights)
    kernel = chance_kernel(*agreement, said.astype(float), said.any(axis=2).astype(float), weights, "unpooled")
    uses = (codes[:, :, None] == np.arange(len(ratings.scale))).sum(axis=1)
    parts = by_topic(pattern, ratings.topic_codes[0][items]) if topics else []
    uses = _uses(ratings.scale, uses.min(axis=0), uses.any(axis=0))
    return Sample(kernel, np.bincount(pattern).astype(float), parts, uses)


def _agreement(rows: np.ndarray, weights: Weights) -> tuple[np.ndarray, np.ndarray]:
    """Agreement within items of such counts, 0 where there is one judgement; and where there are two or more."""
    sizes = rows.sum(axis=1)
    agreed = (rows @ weights.floats() * rows).sum(axis=1) - sizes
    return agreed / np.maximum(sizes * (sizes - 1), 1), (sizes > 1).astype(float)


def _uses(scale: tuple, uses: np.ndarray, used: np.ndarray) -> dict:
    return {grade: int(number) for grade, number, some in zip(scale, uses, used, strict=True) if some}
