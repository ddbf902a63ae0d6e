"""Tables and ratings as patterns of items, for the intervals (`agreement.intervals.kernel`).

The mean of a coefficient over pairs of judges is a function of sums over items, too: `mean_of_pairs`.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
import numpy.typing as npt

from agreement.coefficients.pairs import Pair
from agreement.estimate import Estimate
from agreement.intervals.kernel import (
    Floats,
    Integers,
    Kernel,
    Sample,
    SampledItems,
    TopicPatterns,
    by_topic,
    chance_kernel,
    distinct,
)
from agreement.intervals.measurement import Measurement
from agreement.intervals.score_interval import ScoreInterval, share_interval
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


@dataclass(frozen=True)
class PairPart:
    """One pair of judges within the mean.

    Attributes
    ----------
    kernel : Kernel
        The kernel of the pair.
    pattern : ndarray of int, shape (n_patterns,)
        For each pattern of all judges, the pattern of the pair; -1 if the two have not both judged it.
    times : ndarray of float
        How often each pattern of the pair occurs.
    """

    kernel: Kernel
    pattern: Integers
    times: Floats


@dataclass(frozen=True)
class MeanKernel:
    """The mean over pairs (see `agreement.intervals.kernel`).

    Attributes
    ----------
    parts : list of PairPart
        The pairs with a defined value.
    weighted : bool
        Whether each pair counts by its number of items.
    """

    parts: list[PairPart]
    weighted: bool

    @cached_property
    def features(self) -> Floats:
        """Shape (n_patterns, n_features): whether both judged the item, and features, of each pair."""
        both = np.column_stack([part.pattern >= 0 for part in self.parts]).astype(np.float64)
        return np.column_stack([both] + [_spread(part.kernel.features, part.pattern) for part in self.parts])

    def values(self, sums: Floats) -> Floats:
        """The mean of the defined pairs, nan if there is none; shape (n_data_sets,)."""
        widths = [part.kernel.features.shape[1] for part in self.parts]
        both, *sums_of_pairs = np.split(sums, np.cumsum([len(self.parts), *widths[:-1]]), axis=1)
        pairs = zip(self.parts, sums_of_pairs, strict=True)
        values = np.column_stack([part.kernel.values(part_sums) for part, part_sums in pairs])
        weights = np.where(np.isfinite(values), both if self.weighted else 1.0, 0.0)
        total = weights.sum(axis=1)
        summed = (np.nan_to_num(values) * weights).sum(axis=1)
        return np.asarray(np.divide(summed, total, out=np.full(len(sums), np.nan), where=total > 0))

    def influence(self, times: Floats) -> Floats:
        """The influence of each pattern if the patterns occur `times` times; shape (n_patterns,)."""
        (mean,) = self.values((times @ self.features)[None])
        total = sum(float(part.times.sum()) for part in self.parts)
        result = np.zeros(len(times))
        for part in self.parts:
            n = part.times.sum()
            influence = _spread(part.kernel.influence(part.times)[:, None], part.pattern)[:, 0] / n
            (value,) = part.kernel.values((part.times @ part.kernel.features)[None])
            weight = n / total if self.weighted else 1 / len(self.parts)
            result += weight * influence
            result += (part.pattern >= 0) * (value - mean) / total if self.weighted else 0
        return np.asarray(result * times.sum())

    def gwet(self, times: Floats) -> float:  # noqa: ARG002
        """0, because both judges of a pair judged all its items."""
        return 0.0


def mean_of_pairs(mean: Estimate, ratings: Ratings, parts: list[Measurement], weighted: bool) -> Measurement:
    """The mean of a coefficient over all pairs with the data for its interval."""
    compared = [part for part in parts if part.estimate.n]
    return Measurement(
        mean,
        lambda topics: _sample(ratings, parts, weighted, topics),
        "linearised variance, n - 1",
        score=lambda: _score(ratings, compared),
        two_judgements=len(compared) == 1,
    )


def _score(ratings: Ratings, compared: list[Measurement]) -> ScoreInterval | None:
    """The score-type interval of the only pair; of several that agree on all items, the share of these items.

    1 - kappa of a pair is its share of disagreements divided by 1 - P(E), so their mean has the mean of 1 / (1 - P(E)).
    """
    if len(compared) == 1:
        return compared[0].score()
    used = [part.estimate for part in compared if part.estimate.defined]
    if not used or any(part.observed != 1 for part in used):
        return None
    divisors = [1 / (1 - (part.expected or 0)) for part in used]
    items = int(((ratings.codes != MISSING).sum(axis=0) > 1).sum())
    return share_interval(1.0, 1 - len(divisors) / sum(divisors), items)


def _sample(ratings: Ratings, measurements: list[Measurement], weighted: bool, topics: bool) -> Sample:
    judged = (ratings.codes != MISSING).sum(axis=0) > 1
    codes = ratings.codes[:, judged].astype(np.int64)
    # + 1, because MISSING is -1 and `distinct` takes numbers from 0.
    first, pattern = distinct(codes.T + 1)
    codes = codes[:, first]
    parts: list[PairPart] = []
    uses: dict[Grade, int] = {}
    for (a, b), measurement in zip(combinations(range(len(codes)), 2), measurements, strict=True):
        if measurement.estimate.defined:
            sample = measurement.sample(False)
            parts.append(PairPart(sample.kernel, _patterns(codes[a], codes[b], len(ratings.scale)), sample.times))
            for grade, number in sample.uses.items():
                uses[grade] = min(number, uses.get(grade, number))
    in_topics = by_topic(pattern, ratings.topic_codes[0][judged]) if topics else []
    found = sampled_items(ratings, pattern, np.flatnonzero(judged)) if topics else None
    return Sample(MeanKernel(parts, weighted), np.bincount(pattern).astype(np.float64), in_topics, uses, found)


def _patterns(first: npt.NDArray[np.int64], second: npt.NDArray[np.int64], size: int) -> Integers:
    """The index of each cell of a pair among the occurring cells, ascending; -1 if a judgement is missing."""
    both = (first != MISSING) & (second != MISSING)
    cells = np.where(both, first * size + second, -1)
    return np.where(both, np.searchsorted(np.unique(cells[both]), cells), -1)


def _spread(values: Floats, pattern: Integers) -> Floats:
    """The rows of the patterns of a pair at the patterns of all judges; 0 for the pattern -1."""
    return np.where((pattern >= 0)[:, None], values[np.maximum(pattern, 0)], 0.0)
