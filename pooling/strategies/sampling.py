"""Random samples without replacement that depend only on seed, topic and document."""

import numpy as np

from pooling.ranking import RankedRuns, check_whole, order, places
from pooling.strategies.lots import random_numbers


def sampled(
    runs: RankedRuns, items: np.ndarray, groups: np.ndarray, counts: np.ndarray, seed: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Draw a simple random sample from each group.

    Every document has a random number of its own, so adding runs does not change the numbers of other documents.

    Shapes: `items`, `groups` (n,); `counts` (n_groups,).
    """
    check_whole("seed", seed, least=0)
    numbers = random_numbers(seed, runs.query_ids[runs.topics_of_items[items]], runs.doc_ids_of_items[items])
    rows = order(groups, numbers, runs.doc_ids_of_items[items])
    drawn = rows[places(groups[rows]) <= counts[groups[rows]]]
    sizes = np.bincount(groups, minlength=len(counts))
    return items[drawn], numbers[drawn], (counts / np.maximum(sizes, 1))[groups[drawn]]
