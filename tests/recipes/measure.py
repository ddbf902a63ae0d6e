"""A measure of effectiveness: cumulated gain, which no other module computes."""

NAME = "cumulated_gain"
MEASURE = f"agreement/measures/{NAME}.py"
REGISTRY = "agreement/effectiveness/registry.py"

NEW = {
    MEASURE: '''"""Cumulated gain: the sum of the grades of the first k documents.

Source: K. Jarvelin and J. Kekalainen (2002), Cumulated gain-based evaluation of IR techniques, ACM TOIS 20(4),
equation 1. Range from 0. An unjudged document, and one with a negative grade, has the gain 0.
"""

import numpy as np

from agreement.effectiveness.ranked_runs import GradeMatrix


def cumulated_gain(matrix: GradeMatrix, cutoff: int | None = None) -> np.ndarray:
    """Compute CG of every ranking, shape (n_systems, n_topics)."""
    return np.maximum(matrix.grades[..., :cutoff], 0).sum(axis=-1).astype(np.float64)
'''
}
CHANGES = [
    (
        REGISTRY,
        "from agreement.measures.dcg import",
        f"from agreement.measures.{NAME} import {NAME}\nfrom agreement.measures.dcg import",
    ),
    (
        REGISTRY,
        '    "Coverage": Entry(\n',
        f'    "CG": Entry({NAME}, {{"cutoff": p.CUTOFF}}, "sum of the grades of the first k documents"),\n'
        '    "Coverage": Entry(\n',
    ),
]
