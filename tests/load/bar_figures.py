"""The lengths and places of bars, dots and labels on the class screen."""

from collections import Counter

import agreement
from tests.load.class_data import ClassData
from tests.load.class_figures import axis_start, bin_counts, coefficients, contested_documents
from tests.load.system_figures import system_rows


def bar_styles(data: ClassData) -> dict[int, list[str]]:
    """Return the styles of each step in the order of the page; a step without bars is missing."""
    bins, start = bin_counts(data), axis_start(data)
    steps = round((1 - start) / 0.25)
    best = [list(data.ranks[name][data.ranks[name] == 1].index) for name in data.names]
    n_best = Counter(system for systems in best for system in systems)
    return {
        2: [f"--students: {len(data.names)}", *(f"height: {round(100 * n / max(bins))}%" for n in bins)],
        3: [
            *(f"left: {100 * step / steps}%" for step in range(steps + 1)),
            *(style for each in coefficients(data) for style in _marks(each, start)),
        ],
        4: [f"width: calc(100% * {n} / {sum(votes)})" for _, _, votes in contested_documents(data) for n in votes],
        6: [f"width: {round(100 * n_best[system] / len(data.names), 1)}%" for system, _ in system_rows(data)],
    }


def _marks(estimate: agreement.Estimate, start: float) -> list[str]:
    """Return the place and the length of an interval, and the place of its value, in percent of the axis."""
    at, low, high = (
        round(100 * (min(max(value, start), 1) - start) / (1 - start), 2)
        for value in (estimate.value, estimate.low, estimate.high)
    )
    return [f"left: {low}%; width: {round(high - low, 2)}%", f"left: {at}%"]
