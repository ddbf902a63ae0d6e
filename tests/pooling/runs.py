"""Runs for the tests of pools: small ones by hand, random ones for reference implementations."""

import hashlib
from collections import defaultdict

import pandas as pd
from hypothesis import strategies as st

DOC_IDS = st.text("abé", min_size=1, max_size=2)
SCORES = st.sampled_from([-1.5, 0.0, 0.25, 1.0, 2.0, 7.0])  # their differences are exact
ROWS = st.lists(
    st.tuples(st.sampled_from("stuv"), st.sampled_from(["9", "10"]), DOC_IDS, SCORES),
    unique_by=lambda row: row[:3],
    min_size=1,
    max_size=40,
)
COUNTS = st.integers(1, 7)
DEPTHS = st.none() | st.integers(1, 4)


def run(rows):
    """Rows of (system, query_id, doc_id, score) as a frame of runs."""
    return pd.DataFrame(list(rows), columns=["system", "query_id", "doc_id", "score"])


def lists(query_id="1", **rankings):
    """Rows of one topic: each system's documents, a letter each, the best first, with scores that fall by one."""
    return [
        (system, query_id, doc_id, float(-place))
        for system, ranking in rankings.items()
        for place, doc_id in enumerate(ranking)
    ]


def rankings_of(rows):
    """For each topic, as bytes, the rankings of its systems: (doc_id, score), the best first."""
    rankings = defaultdict(lambda: defaultdict(list))
    for system, query_id, doc_id, score in rows:
        rankings[query_id][system].append((score, doc_id.encode()))
    return {
        query_id: {
            system: [(doc_id.decode(), score) for score, doc_id in sorted(ranking, reverse=True)]
            for system, ranking in sorted(by_system.items())
        }
        for query_id, by_system in sorted(rankings.items())
    }


def lot(query_id, doc_id, seed=0):
    """The number that decides between tied documents; the largest goes first."""
    digest = hashlib.blake2b(f"{seed}\0tie\0{query_id}\0{doc_id}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little") >> 11


def best_of(values, size, query_id, seed=0):
    """The documents of a topic with the `size` highest values, the larger lot first among equals."""
    return sorted(values, key=lambda doc_id: (values[doc_id], lot(query_id, doc_id, seed)), reverse=True)[:size]


def tasks_of(pool):
    """Pairs of (query_id, doc_id), in judging order."""
    return list(pool.to_tasks().itertuples(index=False, name=None))


def pairs_of(pool):
    return list(pool.frame[["query_id", "doc_id"]].itertuples(index=False, name=None))
