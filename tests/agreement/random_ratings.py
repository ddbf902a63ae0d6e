"""Random ratings for the tests of agreement, by hypothesis or with a seed."""

import numpy as np
from hypothesis import strategies as st

from agreement import Ratings


def rows(n_grades=3, missing=True, judges=(2, 5), items=(1, 12)):
    """Rows of grades from 0, one for each judge, None where missing."""
    grade = st.sampled_from([*range(n_grades), *([None] if missing else [])])
    sizes = st.tuples(st.integers(*judges), st.integers(*items))
    return sizes.flatmap(
        lambda size: st.lists(st.lists(grade, min_size=size[1], max_size=size[1]), min_size=size[0], max_size=size[0])
    )


def seeded(seed, n_judges=4, n_items=60, n_grades=4, missing=0.3, shared=0.6):
    """Ratings whose judges give the same grade to a share of the items."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(n_grades, size=n_items)
    noise = rng.integers(n_grades, size=(n_judges, n_items))
    codes = np.where(rng.random((n_judges, n_items)) < shared, truth, noise)
    codes[rng.random((n_judges, n_items)) < missing] = -1
    return Ratings(codes, tuple(range(n_grades)))


def with_topics(ratings, n_topics):
    """The same ratings with the items distributed over topics."""
    topics = np.array([f"t{item % n_topics:02}" for item in range(ratings.n_items)])
    return Ratings(ratings.codes, ratings.scale, ratings.assessors, topics, ratings.doc_ids)
