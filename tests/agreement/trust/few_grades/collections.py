"""Small random collections in which people and a model graded every pair."""

from functools import cache

import numpy as np
import pandas as pd

N_TOPICS, N_DOCS, N_SYSTEMS = 6, 20, 4


@cache
def random_collection(seed):
    """Runs of four systems, grades of people, and grades of a model that is often right. Do not change the frames."""
    rng = np.random.default_rng(seed)
    pairs = [(f"q{topic}", f"d{doc:02}") for topic in range(N_TOPICS) for doc in range(N_DOCS)]
    gold = pd.DataFrame(pairs, columns=["query_id", "doc_id"]).assign(relevance=rng.integers(0, 4, len(pairs)))
    noise = rng.integers(-1, 2, len(pairs))
    model = gold.assign(relevance=np.clip(gold["relevance"] + noise, 0, 3))
    runs = pd.concat(
        gold[["query_id", "doc_id"]].assign(
            system=f"s{system}", score=gold["relevance"] + rng.normal(0, 1 + system, len(pairs))
        )
        for system in range(N_SYSTEMS)
    )
    return runs, gold, model
