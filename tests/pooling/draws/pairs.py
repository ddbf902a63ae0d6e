"""Pairs for the tests of draws."""

import itertools

import pandas as pd
from hypothesis import strategies as st


def pairs(**sizes):
    """Pairs of topics with so many documents each, such as `pairs(a=3)`."""
    rows = [(query_id, f"d{number}") for query_id, size in sizes.items() for number in range(size)]
    return pd.DataFrame(rows, columns=["query_id", "doc_id"])


SIZES = st.dictionaries(st.sampled_from(["1", "2", "10", "é"]), st.integers(1, 8), min_size=1)


def drawn_set(draw):
    return set(zip(draw.drawn["query_id"], draw.drawn["doc_id"], strict=True))


def subsets(n, size):
    return itertools.combinations(range(n), size)
