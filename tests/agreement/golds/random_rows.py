"""Random judgements for tests of models that infer the truth."""

import numpy as np
from hypothesis import strategies as st

SCALE = (0, 1, 2)
grade = st.sampled_from([*SCALE, None])
matrices = st.integers(1, 6).flatmap(
    lambda n: st.lists(st.lists(grade, min_size=n, max_size=n), min_size=2, max_size=4)
)


def random_rows(seed):
    """Rows of codes of two to five judges, None for missing; the number of grades; and a number of steps."""
    rng = np.random.default_rng(seed)
    size, n_judges, n_items = (int(number) for number in rng.integers((2, 2, 2), (5, 6, 12)))
    truth, right = rng.integers(0, size, n_items), rng.uniform(0.2, 1, n_judges)
    codes = np.where(
        rng.random((n_judges, n_items)) < right[:, None], truth, rng.integers(0, size, (n_judges, n_items))
    )
    missing = rng.random((n_judges, n_items)) < 0.3
    missing[:, 0] = False  # so that two judges have judgements
    rows = [
        [None if gap else int(code) for code, gap in zip(*each, strict=True)]
        for each in zip(codes, missing, strict=True)
    ]
    return rows, size, int(rng.integers(1, 9))
