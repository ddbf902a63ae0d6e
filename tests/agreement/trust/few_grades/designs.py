"""Tiny pools, and every draw that a design can give, with its probability."""

from itertools import combinations, permutations, product
from math import comb

import numpy as np

from agreement.trust.few_grades.difference_estimator import SampleDesign


def stratified(strata, sizes, topics=None):
    """Yield each sample of `sizes[h]` pairs of each stratum, all with the same probability."""
    strata = np.asarray(strata)
    topic = strata if topics is None else np.asarray(topics)
    share = np.array([sizes[h] / (strata == h).sum() for h in strata])
    for parts in product(*(combinations(np.flatnonzero(strata == h), size) for h, size in enumerate(sizes))):
        drawn = np.zeros(len(strata), dtype=bool)
        drawn[[pair for part in parts for pair in part]] = True
        yield SampleDesign(topic, strata, share, drawn, is_fixed=True)


def poisson(probability):
    """Yield each subset of the pairs with its probability."""
    probability = np.asarray(probability)
    zeros = np.zeros(len(probability), dtype=int)
    for bits in product((False, True), repeat=len(probability)):
        drawn = np.array(bits)
        chance = np.where(drawn, probability, 1 - probability).prod()
        yield SampleDesign(zeros, zeros, probability, drawn, is_fixed=False), chance


def two_stage(topics, n_topics, size):
    """Yield each sample of `size` pairs of each of `n_topics` topics with its probability."""
    topics = np.asarray(topics)
    names = np.unique(topics)
    probability = np.array([n_topics / len(names) * size / (topics == t).sum() for t in topics])
    for chosen in combinations(names, n_topics):
        samples = list(product(*(combinations(np.flatnonzero(topics == t), size) for t in chosen)))
        for parts in samples:
            drawn = np.zeros(len(topics), dtype=bool)
            drawn[[pair for part in parts for pair in part]] = True
            design = SampleDesign(topics, topics, probability, drawn, True, np.isin(names, chosen))
            yield design, 1 / comb(len(names), n_topics) / len(samples)


def dealt(design, n_folds):
    """Yield each way to deal the drawn pairs of a stratified design to folds."""
    stratum = design.stratum[design.drawn]
    members = [np.flatnonzero(stratum == h) for h in np.unique(stratum)]
    starts = np.cumsum([0, *map(len, members)])
    for orders in product(*(permutations(one) for one in members)):
        fold = np.empty(len(stratum), dtype=int)
        for start, order in zip(starts, orders, strict=False):
            fold[list(order)] = (start + np.arange(len(order))) % n_folds
        yield fold
