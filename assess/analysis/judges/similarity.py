"""The kappas of many judges as a matrix, in which similar judges are next to each other."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

COLUMN = "pooled_kappa"
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Matrix:
    """`cells` are (row, column, kappa or None, n) below the diagonal, with positions in `judges`."""

    judges: tuple[str, ...]
    cells: tuple[tuple[int, int, float | None, int], ...]


def kappa_matrix(pairs: pd.DataFrame, judges: Sequence[str]) -> Matrix:
    """Return the pooled kappas of all pairs. The judges are ordered by average-linkage clustering of 1 - kappa.

    An undefined kappa counts as 0 in the order.
    """
    size, position = len(judges), {name: number for number, name in enumerate(judges)}
    kappas, n = np.full((size, size), np.nan), np.zeros((size, size), int)
    first, second = (pairs[name].map(position).to_numpy() for name in ("assessor_a", "assessor_b"))
    for rows, columns in ((first, second), (second, first)):
        kappas[rows, columns] = pairs[COLUMN].to_numpy(float, na_value=np.nan)
        n[rows, columns] = pairs["n"]
    order = similarity_order(np.nan_to_num(kappas))
    cells = [
        (row, column, _value(kappas[order[row], order[column]]), int(n[order[row], order[column]]))
        for row in range(size)
        for column in range(row)
    ]
    return Matrix(tuple(judges[number] for number in order), tuple(cells))


def similarity_order(similarity: Floats) -> list[int]:
    """Return positions such that similar ones follow each other.

    The most similar groups are joined first (average linkage, Sokal and Michener 1958), with their most similar ends
    next to each other. scipy has the same, but loading it takes longer than the rest of the page.
    """
    between = similarity.astype(float).copy()
    np.fill_diagonal(between, -np.inf)
    groups = {number: [number] for number in range(len(between))}
    while len(groups) > 1:
        first, second = sorted(int(number) for number in np.unravel_index(between.argmax(), between.shape))
        sizes = len(groups[first]), len(groups[second])
        average = (sizes[0] * between[first] + sizes[1] * between[second]) / sum(sizes)
        groups[first] = _joined(groups[first], groups.pop(second), similarity)
        between[first, :] = between[:, first] = average
        between[second, :] = between[:, second] = between[first, first] = -np.inf
    return next(iter(groups.values()), [])


def _joined(first: list[int], second: list[int], similarity: Floats) -> list[int]:
    """Return two groups one after the other, each as it is or reversed, so that the ends that meet are most similar."""
    orders = [(a, b) for a in (first, first[::-1]) for b in (second, second[::-1])]
    a, b = max(orders, key=lambda pair: similarity[pair[0][-1], pair[1][0]])
    return [*a, *b]


def _value(kappa: float) -> float | None:
    return None if np.isnan(kappa) else float(kappa)
