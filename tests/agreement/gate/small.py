"""Small runs and golds for the tests of the gate."""

from pathlib import Path

import numpy as np
import pandas as pd

RELEVANT = "r"  # the only relevant document of every topic of `at_ranks`


def run_of(rankings: dict[str, str]) -> dict[str, dict[str, float]]:
    """A run from the ranking of each topic; each character is a document."""
    return {topic: {doc: float(-rank) for rank, doc in enumerate(docs)} for topic, docs in rankings.items()}


def at_ranks(*ranks: int) -> dict[str, dict[str, float]]:
    """A run that has the relevant document of topic 1, 2, ... at these ranks, so that its RR is 1 / rank."""
    others = "abcdefgh"
    rankings = [others[: rank - 1] + RELEVANT + others[rank - 1 :] for rank in ranks]
    return run_of({str(topic): ranking for topic, ranking in enumerate(rankings, 1)})


def gold_of(n_topics: int) -> dict[str, dict[str, int]]:
    """A gold of topics in which everything is judged and one document is relevant."""
    return {str(topic): {RELEVANT: 1, **dict.fromkeys("abcdefgh", 0)} for topic in range(1, n_topics + 1)}


def random_pair(seed: int, n_topics: int = 4, n_docs: int = 5, unjudged: float = 0.4, most: int = 2):
    """Two random runs, as {topic: {doc_id: score}}, and a gold that lacks some of their documents."""
    rng = np.random.default_rng(seed)
    docs = [f"d{number}" for number in range(n_docs)]
    topics = [str(topic) for topic in range(n_topics)]

    def run():
        return {topic: {doc: float(rng.random()) for doc in docs if rng.random() < 0.8} for topic in topics}

    gold = {
        topic: {doc: int(rng.integers(most + 1)) for doc in [*docs, "other"] if rng.random() > unjudged} | {"x": most}
        for topic in topics
    }
    return run(), run(), gold


def write_run(path: Path, run: dict[str, dict[str, float]], tag: str = "x") -> Path:
    lines = [f"{topic} Q0 {doc} 0 {score} {tag}\n" for topic, ranking in run.items() for doc, score in ranking.items()]
    path.write_text("".join(lines), encoding="utf-8")
    return path


def write_gold(path: Path, gold: dict[str, dict[str, int]]) -> Path:
    lines = [f"{topic} 0 {doc} {grade}\n" for topic, grades in gold.items() for doc, grade in grades.items()]
    path.write_text("".join(lines), encoding="utf-8")
    return path


def scores(run, gold, measure: str, **options) -> "pd.Series[float]":
    """The scores of a run by topic of the gold."""
    from agreement import score_table

    return score_table({"one": run}, gold, measure, **options).loc["one"]
