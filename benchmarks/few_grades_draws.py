"""Repeated draws of a pool whose grades are all known, scored many at once, for `benchmarks.few_grades_ratio`."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from agreement.effectiveness.measure import Measure, parse_measure
from agreement.trust.few_grades.correction import class_gains
from agreement.trust.few_grades.delete_groups import DeletedGroups, Deviations, groups_of
from agreement.trust.few_grades.pool_slots import PoolSlots
from agreement.trust.few_grades.sampled_scores import Slots, gains_of, sampled_scores
from pooling.draws.poisson import in_proportion

AT_ONCE = 50  # draws in one array


@dataclass(frozen=True)
class Known:
    """A pool whose pairs people graded, and models.

    Attributes
    ----------
    slots : PoolSlots
        All pairs, all drawn.
    ranks : ndarray of int, shape (n_systems, n_topics, n_slots)
        Ranks in the runs that are scored.
    stratum : ndarray of int, shape (n_topics, n_slots)
        Stratum of each pair within its topic.
    classes : dict of str to ndarray of int, shape (n_topics, n_slots)
        Class of the grade of each judge; its gain is the mean gain of the class in the sample.
    grades : dict of str to ndarray of float, shape (n_topics, n_slots)
        Grades of judges whose gains do not depend on the sample.
    chances : ndarray of float, shape (n_topics, n_slots), or None
        Each pair is drawn by itself, with a probability in proportion to this; None draws a fixed number.
    """

    slots: PoolSlots
    ranks: np.ndarray
    stratum: np.ndarray
    classes: dict[str, np.ndarray]
    grades: dict[str, np.ndarray]
    chances: np.ndarray | None = None

    @property
    def filled(self) -> np.ndarray:
        return self.slots.pool.filled

    def truth(self, measure: Measure) -> np.ndarray:
        """The scores, shape (n_systems, n_topics)."""
        return sampled_scores(measure, self.pool(), gains_of(measure, self.slots.grades))

    def pool(self) -> Slots:
        ones = np.ones(self.filled.shape)
        return Slots(self.ranks, self.filled, ones, np.zeros(self.filled.shape, dtype=int))


@dataclass(frozen=True)
class Block:
    """Some draws: the scores under each judge.

    Attributes
    ----------
    drawn : dict of str to Deviations
        Scores of shape (n_systems, n_draws, n_topics); "people" are the people.
    whole : dict of str to ndarray of float, of a shape that is broadcast to that
    truth : ndarray of float, shape (n_systems, n_draws, n_topics)
        The true scores of the topics of each draw.
    slots : Slots
    gains : ndarray of float
        Of people for the drawn pairs.
    """

    drawn: dict[str, Deviations]
    whole: dict[str, np.ndarray]
    truth: np.ndarray
    slots: Slots
    gains: np.ndarray


def blocks(
    known: Known,
    name: str,
    sizes: tuple[int, ...],
    n_draws: int,
    seed: int,
    sample_topics: bool = False,
    n_chosen: int | None = None,
) -> Iterator[Block]:
    """Yield draws of `sizes[h]` pairs from stratum h of each topic.

    The topics are all of them, some without replacement (`n_chosen`), or as many or some with replacement.
    """
    measure, rng = parse_measure(name), np.random.default_rng(seed)
    truth, n_topics = known.truth(measure), len(known.filled)
    for start in range(0, n_draws, AT_ONCE):
        n = min(AT_ONCE, n_draws - start)
        topics = np.broadcast_to(np.arange(n_topics), (n, n_topics))
        if sample_topics:
            topics = rng.integers(n_topics, size=(n, n_chosen or n_topics))
        elif n_chosen:
            topics = rng.permuted(topics, axis=1)[:, :n_chosen]
        yield _block(known, measure, _indices(known, topics, sizes, rng), topics, truth, rng)


def _indices(
    known: Known, topics: np.ndarray, sizes: tuple[int, ...], rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The slots of the drawn pairs, whether each is filled, and their inclusion probabilities."""
    filled, stratum = known.filled[topics], known.stratum[topics]
    if known.chances is not None:
        probability = _probabilities(known, sum(sizes))[topics]
        return _gathered(filled & (rng.random(filled.shape) < probability), probability)
    key = np.where(filled, rng.random(filled.shape), 2.0)
    chosen, probability = np.zeros(filled.shape, dtype=bool), np.ones(filled.shape)
    for number, size in enumerate(sizes):
        inside = filled & (stratum == number)
        place = np.argsort(np.argsort(np.where(inside, key, 3.0), axis=-1), axis=-1)
        n_pairs = inside.sum(axis=-1, keepdims=True)
        chosen |= inside & (place < size)
        probability = np.where(inside, np.minimum(size, n_pairs) / np.maximum(n_pairs, 1), probability)
    return _gathered(chosen, probability)


def _gathered(chosen: np.ndarray, probability: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    index = np.argsort(~chosen, axis=-1, kind="stable")[..., : chosen.sum(axis=-1).max()]
    there = np.take_along_axis(chosen, index, axis=-1)
    return index, there, np.where(there, np.take_along_axis(probability, index, axis=-1), 1.0)


def _probabilities(known: Known, size: int) -> np.ndarray:
    """Inclusion probabilities of `size` expected pairs of each topic; 0 in empty slots."""
    found = np.zeros(known.filled.shape)
    for topic, filled in enumerate(known.filled):
        found[topic, filled] = in_proportion(known.chances[topic, filled], min(size, filled.sum()))
    return found


def _block(
    known: Known,
    measure: Measure,
    drawn: tuple[np.ndarray, np.ndarray, np.ndarray],
    topics: np.ndarray,
    truth: np.ndarray,
    rng: np.random.Generator,
) -> Block:
    index, there, probability = drawn
    at = topics[..., None], index
    slots = Slots(known.ranks[:, *at] * there, there, probability, known.stratum[at] * there, known.chances is None)
    group = groups_of(slots, rng)
    gains = gains_of(measure, known.slots.grades[at]) * there
    pool = Slots(
        known.ranks[:, topics], known.filled[topics], np.ones(known.filled[topics].shape), 0 * topics[..., None]
    )

    def scored(of_drawn: np.ndarray) -> Deviations:
        return DeletedGroups(measure, slots, of_drawn, group).deviations()

    scores, whole = {"people": scored(gains)}, {}
    for judge, classes in known.classes.items():
        of_pool = class_gains(classes, classes[at], gains, there / probability)
        of_pool = np.take_along_axis(of_pool, topics[..., None], axis=1)
        scores[judge] = scored(np.take_along_axis(of_pool, index, axis=-1) * there)
        whole[judge] = sampled_scores(measure, pool, of_pool)
    for judge, grades in known.grades.items():
        of_pool = grades[topics] / (1 if measure.name.startswith("nDCG") else max(grades.max(), 1))
        scores[judge] = scored(np.take_along_axis(of_pool, index, axis=-1) * there)
        whole[judge] = sampled_scores(measure, pool, of_pool)
    return Block(scores, whole, truth[:, topics], slots, gains)


def bootstrap_errors(measure: Measure, block: Block, n_samples: int, seed: int) -> np.ndarray:
    """Standard errors of the classical estimate from samples with replacement of the drawn pairs of each topic.

    Of n drawn pairs, n - 1 are drawn with replacement, and their weights are scaled so that the variance of a sum is
    unbiased (J. N. K. Rao and C. F. J. Wu, 1988, Resampling inference with complex survey data, JASA 83, 231-241).

    Shapes: the result (n_systems, n_draws). The draws have one stratum in each topic.
    """
    rng, slots = np.random.default_rng(seed), block.slots
    n = slots.filled.sum(axis=-1, keepdims=True)
    share = np.sqrt(1 - np.where(slots.filled, slots.probability, 0).max(axis=-1, keepdims=True))
    weights = slots.weighted()
    found = []
    for _ in range(n_samples):
        times = rng.multinomial(n[..., 0] - 1, slots.filled / n)
        scale = 1 - share + share * times * n / np.maximum(n - 1, 1)
        resampled = type(weights)(weights.single * scale, weights.joint)
        found.append(sampled_scores(measure, slots, block.gains, resampled))
    return np.sqrt(np.var(found, axis=0, ddof=1).sum(axis=-1)) / slots.filled.shape[-2]
