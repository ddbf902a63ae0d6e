"""Synthetic runs, judges and run files for benchmarks, of the size of TREC-8's ad hoc track, determined by a seed.

Each topic has candidates among the documents of the collection, and each candidate has a hidden, normally distributed
topicality. A system observes it with some skill, and with noise that it partly shares with its family (sites submit
variants of one system), and ranks the `depth` documents with the highest observed value. A judge observes it with noise
and some strictness, and grades it 0 to 3.

At the default size the depth-100 pool holds about 1,700 documents a topic (TREC-8: 1,737 in the mean), and two
judges' relevant sets overlap by about 0.45 (TREC-4: 0.42 to 0.49).

Scores have four decimals, which differ in single precision as well, so pytrec_eval ranks like Assay.
"""

import shutil
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.tiny import KEPT, size
from pooling import write_run

N_SYSTEMS, N_TOPICS, DEPTH = size((129, 50, 1_000), (6, 3, 40))
SEED = 1
FIRST_TOPIC = 401
COLLECTION, CANDIDATES = 528_155, size(6_000, 200)
SOURCES = ("FBIS3-", "FBIS4-", "FR940812-", "FT934-", "LA052190-")
FAMILY_SIZE, SHARED_NOISE = 4, 0.6
SKILL = (0.6, 0.95)
GRADE_FROM = (2.1, 2.5, 2.9)  # topicality from which a document has grade 1, 2, 3
JUDGE_NOISE, STRICTNESS = 0.28, 0.08
RUNS = KEPT
SYSTEM_STREAM, FAMILY_STREAM, TOPIC_STREAM, JUDGE_STREAM = range(4)


def run_frames(
    n_systems: int = N_SYSTEMS, n_topics: int = N_TOPICS, depth: int = DEPTH, seed: int = SEED
) -> Iterator[pd.DataFrame]:
    """Yield the runs as frames (system, query_id, doc_id, score); a system's run does not depend on the others."""
    topics = [_topic(seed, number) for number in range(n_topics)]
    for system in range(n_systems):
        yield _run(system, topics, depth, seed)


def judgements(pool, n_judges: int = 3, seed: int = SEED) -> pd.DataFrame:
    """Return judgements of the pooled documents of the runs with the same seed.

    Parameters
    ----------
    pool : pooling.Pool
        Pool of `run_frames` with this seed.
    n_judges : int
        Each judges the whole pool.
    seed : int
        Seed of the runs and the judges.

    Returns
    -------
    DataFrame
        Columns assessor ("judge1", ...), query_id, doc_id, relevance (0 to 3).
    """
    pairs = pool.frame[["query_id", "doc_id"]]
    topicality = _topicality(pairs, seed)
    frames = []
    for judge in range(n_judges):
        rng = np.random.default_rng([seed, JUDGE_STREAM, judge])
        observed = topicality + rng.normal(0, STRICTNESS) + rng.normal(0, JUDGE_NOISE, len(pairs))
        grades = np.searchsorted(GRADE_FROM, observed, side="right")
        frames.append(pairs.assign(assessor=f"judge{judge + 1}", relevance=grades))
    return pd.concat(frames, ignore_index=True)[["assessor", "query_id", "doc_id", "relevance"]]


def write_runs(
    folder: Path = RUNS, n_systems: int = N_SYSTEMS, n_topics: int = N_TOPICS, depth: int = DEPTH, seed: int = SEED
) -> list[Path]:
    """Write the run files to a subfolder named by their size and seed, unless it exists, and return their paths."""
    target = Path(folder) / f"runs-{n_systems}x{n_topics}x{depth}-seed{seed}"
    if not target.is_dir():
        unfinished = target.with_name(f"{target.name}.unfinished")
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir(parents=True)
        for frame in run_frames(n_systems, n_topics, depth, seed):
            write_run(frame, unfinished / f"{frame['system'].iloc[0]}.run")
        unfinished.rename(target)
    return sorted(target.glob("*.run"))


@lru_cache(maxsize=256)
def _topic(seed: int, number: int) -> tuple[str, np.ndarray, np.ndarray]:
    """Return the query_id of a topic, the doc_ids of its candidates, and their topicality."""
    rng = np.random.default_rng([seed, TOPIC_STREAM, number])
    documents = rng.choice(COLLECTION, CANDIDATES, replace=False)
    return str(FIRST_TOPIC + number), _doc_ids(documents), rng.normal(size=CANDIDATES)


def _doc_ids(numbers: np.ndarray) -> np.ndarray:
    return np.array([f"{SOURCES[number % len(SOURCES)]}{number // len(SOURCES)}" for number in numbers.tolist()])


def _run(system: int, topics: list, depth: int, seed: int) -> pd.DataFrame:
    rng = np.random.default_rng([seed, SYSTEM_STREAM, system])
    family_rng = np.random.default_rng([seed, FAMILY_STREAM, system // FAMILY_SIZE])
    skill = rng.uniform(*SKILL)
    query_ids, doc_ids, scores = [], [], []
    for query_id, candidates, topicality in topics:
        shared, separate = family_rng.normal(size=CANDIDATES), rng.normal(size=CANDIDATES)
        noise = np.sqrt(SHARED_NOISE) * shared + np.sqrt(1 - SHARED_NOISE) * separate
        observed = skill * topicality + np.sqrt(1 - skill**2) * noise
        best = np.argsort(-observed)[:depth]
        query_ids += [query_id] * len(best)
        doc_ids.append(candidates[best])
        scores.append(np.round(10 + 3 * observed[best], 4))
    columns = {"query_id": query_ids, "doc_id": np.concatenate(doc_ids), "score": np.concatenate(scores)}
    return pd.DataFrame({"system": f"system{system + 1:03}", **columns})


def _topicality(pairs: pd.DataFrame, seed: int) -> np.ndarray:
    topicality = np.empty(len(pairs))
    for query_id, rows in pairs.reset_index(drop=True).groupby("query_id").indices.items():
        _, candidates, hidden = _topic(seed, int(query_id) - FIRST_TOPIC)
        positions = pd.Index(candidates).get_indexer(pairs["doc_id"].iloc[rows])
        topicality[rows] = hidden[positions]
    return topicality
