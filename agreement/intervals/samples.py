"""Tables and ratings as patterns of items, for the intervals (`agreement.intervals.kernel`)."""

import numpy as np
import numpy.typing as npt

from agreement.coefficients.pairs import Pair
from agreement.intervals.kernel import (
    Floats,
    Integers,
    Sample,
    SampledItems,
    TopicPatterns,
    by_topic,
    chance_kernel,
    distinct,
)
from agreement.judgements import Grade, Scale
from agreement.ratings import MISSING, Ratings
from agreement.weights import Weights


def sample_of_pair(pair: Pair, weights: Weights, chance: str | None, topics: bool = False) -> Sample:
    """The cells of a table of two judges as patterns."""
    if topics and pair.ratings is None:
        raise ValueError("An interval over topics needs Ratings; a table has no topics.")
    size = len(pair.scale)
    times = pair.table.astype(np.float64).ravel()
    cells = np.flatnonzero(times)
    first, second = np.divmod(cells, size)
    one_hot = np.eye(size)
    both = np.stack([one_hot[first], one_hot[second]], axis=1)
    shares = both if chance == "unpooled" else both.mean(axis=1, keepdims=True)
    agree, ones = weights.floats()[first, second], np.ones(len(cells))
    kernel = chance_kernel(agree, ones, shares, np.ones(shares.shape[:2]), weights, chance)
    uses = np.minimum(pair.table.sum(axis=1), pair.table.sum(axis=0))
    used = pair.table.sum(axis=1) + pair.table.sum(axis=0) > 0
    rare = _uses(pair.scale, uses, used)
    if not topics or pair.ratings is None:
        return Sample(kernel, times[cells], [], rare)
    return Sample(kernel, times[cells], *_items_of_pair(pair, pair.ratings, cells, rare))


def _items_of_pair(
    pair: Pair, ratings: Ratings, cells: Integers, uses: dict[Grade, int]
) -> tuple[TopicPatterns, dict[Grade, int], SampledItems]:
    first, second = (ratings.row(name) for name in pair.fields["assessors"])
    both = np.flatnonzero((first != MISSING) & (second != MISSING))
    cell = first[both].astype(np.intp) * len(pair.scale) + second[both]
    pattern = np.searchsorted(cells, cell)
    return by_topic(pattern, ratings.topic_codes[0][both]), uses, sampled_items(ratings, pattern, both)


def sampled_items(ratings: Ratings, pattern: Integers, items: Integers) -> SampledItems:
    """The items of ratings at some positions, with their patterns.

    Shapes: `pattern`, `items` (n_items,).
    """
    return SampledItems(pattern, ratings.query_ids[items], ratings.doc_ids[items])


def sample_of_counts(
    ratings: Ratings, weights: Weights, chance: str | None, pi_items: str, topics: bool = False
) -> Sample:
    """The distinct rows of counts as patterns; items without a judgement (for "ge2" also with one) are left out."""
    items = np.flatnonzero(ratings.counts.sum(axis=1) >= (2 if pi_items == "ge2" else 1))
    counts = ratings.counts[items]
    first, pattern = distinct(counts)
    rows = counts[first].astype(np.float64)
    sizes = rows.sum(axis=1)
    present = sizes if pi_items == "pooled" else np.ones(len(rows))
    shares = rows * (present / sizes)[:, None]
    kernel = chance_kernel(*_agreement(rows, weights), shares[:, None], present[:, None], weights, chance)
    by_judge = _uses_of_two(ratings, items)
    uses = counts.sum(axis=0) if by_judge is None else by_judge.min(axis=0)
    parts = by_topic(pattern, ratings.topic_codes[0][items]) if topics else []
    rare = _uses(ratings.scale, uses, counts.sum(axis=0) > 0)
    found = sampled_items(ratings, pattern, items) if topics else None
    return Sample(kernel, np.bincount(pattern).astype(np.float64), parts, rare, found)


def sample_of_judges(ratings: Ratings, weights: Weights, topics: bool = False) -> Sample:
    """The distinct columns of codes as patterns, with a distribution for each judge; idle judges are left out."""
    items = np.flatnonzero(ratings.counts.sum(axis=1) > 0)
    codes = ratings.codes[:, items]
    codes = codes[(codes != MISSING).any(axis=1)]
    # + 1, because MISSING is -1 and `distinct` takes numbers from 0.
    first, pattern = distinct(codes.T.astype(np.int64) + 1)
    one_hot = codes[:, first].T[:, :, None] == np.arange(len(ratings.scale))
    agreement = _agreement(one_hot.sum(axis=1).astype(np.float64), weights)
    shares, present = one_hot.astype(np.float64), one_hot.any(axis=2).astype(np.float64)
    kernel = chance_kernel(*agreement, shares, present, weights, "unpooled")
    counts = (codes[:, :, None] == np.arange(len(ratings.scale))).sum(axis=1)
    parts = by_topic(pattern, ratings.topic_codes[0][items]) if topics else []
    uses = _uses(ratings.scale, counts.min(axis=0), counts.any(axis=0))
    found = sampled_items(ratings, pattern, items) if topics else None
    return Sample(kernel, np.bincount(pattern).astype(np.float64), parts, uses, found)


def _agreement(rows: Floats, weights: Weights) -> tuple[Floats, Floats]:
    """For rows of counts, the agreement within the item (0 for one judgement), and whether it has two or more."""
    sizes = rows.sum(axis=1)
    agreed = (rows @ weights.floats() * rows).sum(axis=1) - sizes
    return agreed / np.maximum(sizes * (sizes - 1), 1), (sizes > 1).astype(np.float64)


def _uses_of_two(ratings: Ratings, items: Integers) -> Integers | None:
    """How often each of two judges used each grade for the items, shape (2, n_grades); None if others judged them."""
    codes = ratings.codes[:, items]
    codes = codes[(codes != MISSING).any(axis=1)]
    if len(codes) != 2:
        return None
    return np.stack([np.count_nonzero(codes == grade, axis=1) for grade in range(len(ratings.scale))], axis=1)


def _uses(scale: Scale, uses: npt.NDArray[np.integer], used: npt.NDArray[np.bool_]) -> dict[Grade, int]:
    return {grade: int(number) for grade, number, some in zip(scale, uses, used, strict=True) if some}
