"""Runs, several people and models, seeded."""

import numpy as np
import pandas as pd

PAIR = ["query_id", "doc_id"]


def pairs_of(n_topics: int, n_documents: int) -> pd.DataFrame:
    rows = [(f"t{topic:02}", f"d{document:02}") for topic in range(n_topics) for document in range(n_documents)]
    return pd.DataFrame(rows, columns=PAIR)


def judged_runs(
    seed: int = 1, n_systems: int = 14, n_topics: int = 30, n_documents: int = 20, people: int = 3, right: float = 0.9
) -> tuple[pd.DataFrame, dict[str, pd.DataFrame], dict[str, pd.DataFrame]]:
    """Return runs of rising quality, people who give the true grade with a probability, and three models.

    "good" errs like people, "random" guesses, and "reverse" says the opposite.
    """
    rng = np.random.default_rng(seed)
    pairs = pairs_of(n_topics, n_documents)
    truth = rng.integers(0, 4, len(pairs))

    def erring() -> pd.DataFrame:
        return pairs.assign(relevance=np.where(rng.random(len(pairs)) < right, truth, rng.integers(0, 4, len(pairs))))

    runs = pd.concat(
        pairs.assign(system=f"s{number:02}", score=rng.random(len(pairs)) * 6 + number / n_systems * truth)
        for number in range(n_systems)
    )
    models = {
        "good": erring(),
        "random": pairs.assign(relevance=rng.integers(0, 4, len(pairs))),
        "reverse": pairs.assign(relevance=3 - truth),
    }
    return runs[["system", *PAIR, "score"]], {f"p{number}": erring() for number in range(people)}, models
