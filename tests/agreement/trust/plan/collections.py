"""A small collection with runs, grades of people and grades of a model that errs."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

PAIR = ["query_id", "doc_id"]


@dataclass(frozen=True)
class Collection:
    runs: pd.DataFrame
    people: pd.DataFrame
    model: pd.DataFrame

    @property
    def pairs(self) -> pd.DataFrame:
        return self.people[PAIR]


def collection(seed: int = 1, n_topics: int = 12, n_documents: int = 20, right: float = 0.8) -> Collection:
    """Three systems of different quality; the model gives the grade of people with the probability `right`."""
    rng = np.random.default_rng(seed)
    pairs = pd.DataFrame(
        [(f"t{topic:02}", f"d{document:02}") for topic in range(n_topics) for document in range(n_documents)],
        columns=PAIR,
    )
    grades = rng.integers(0, 3, len(pairs))
    people = pairs.assign(relevance=grades)
    model = pairs.assign(relevance=np.where(rng.random(len(pairs)) < right, grades, rng.integers(0, 3, len(pairs))))
    runs = [
        people.assign(system=name, score=rng.random(len(pairs)) + quality * grades)
        for name, quality in (("bm25", 0.1), ("dense", 0.4), ("lsa", 0.0))
    ]
    return Collection(pd.concat(runs)[["system", *PAIR, "score"]], people, model)
