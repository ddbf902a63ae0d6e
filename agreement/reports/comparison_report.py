"""Intervals of comparisons as text: rank correlations of golds, and differences between the kappas of two pairs."""

from collections.abc import Sequence

import pandas as pd

from agreement.coefficients.kappa_difference import kappa_difference
from agreement.estimate import Estimate, format_value
from agreement.ratings import Ratings
from agreement.shift.interval_result import CorrelationIntervals
from pooling.text_tables import heading, prose, render
from pooling.words import percent

Pair = tuple[str, str]
KAPPAS = ("pooled_kappa", "cohen_kappa")
OUTSIDE = (
    "Mean scores over topics have errors, which change a correlation. An interval allows for this, and need not have "
    "the value in its middle."
)


def correlation_intervals_text(found: CorrelationIntervals, style: str = "plain") -> str:
    """A section with a table of correlations and their intervals, and how they were computed."""
    level = f"{percent(found.confidence)} interval"
    rows = [
        {
            "golds": f"{a} and {b}",
            "correlation": one.coefficient.replace("_", " "),
            "value": one.shown(),
            level: _limits(one),
            "topics": len(one.topics),
            "systems": one.n,
        }
        for a, b, one in found.estimates
    ]
    title = f"Intervals of the correlations, over {found.resampled}"
    text = f"{found.describe()} {OUTSIDE}" + found.without_interval() + _warnings([one for *_, one in found.estimates])
    return "\n\n".join([heading(title, style), render(pd.DataFrame(rows), style), prose(text, style)]) + "\n"


def kappa_differences(
    ratings: Ratings, pairs: Sequence[tuple[Pair, Pair]], confidence: float = 0.95
) -> list[tuple[Pair, Pair, Estimate]]:
    """The differences of both kappas for each two pairs of judges."""
    return [
        (first, second, kappa_difference(ratings, first, second, name, confidence=confidence))
        for first, second in pairs
        for name in KAPPAS
    ]


def kappa_differences_text(found: Sequence[tuple[Pair, Pair, Estimate]], style: str = "plain") -> str:
    """A section with a table of differences and their intervals, and how they were computed."""
    rows = [
        {
            "pair": " and ".join(first),
            "minus": " and ".join(second),
            "kappa": one.coefficient.removesuffix("_difference").replace("_", " "),
            "difference": one.shown(),
            "95% interval": _limits(one),
            "n": one.n,
            "left out": one.n_dropped,
            "topics": len(one.topics),
        }
        for first, second, one in found
    ]
    methods = "; ".join(dict.fromkeys(one.method for *_, one in found if one.method))
    text = "Each difference is of the documents that all judges of both pairs judged; left out are documents that one "
    text += "of the pairs judged." + (f" Intervals: {methods}." if methods else "")
    text += _warnings([one for *_, one in found])
    title = heading("Differences between kappas", style)
    return "\n\n".join([title, render(pd.DataFrame(rows), style), prose(text, style)]) + "\n"


def _limits(estimate: Estimate) -> str:
    if estimate.low is None or estimate.high is None:
        return ""
    return f"{format_value(estimate.low)} to {format_value(estimate.high)}"


def _warnings(estimates: Sequence[Estimate]) -> str:
    warnings = dict.fromkeys(warning for one in estimates for warning in one.warnings)
    return f" Warnings: {'; '.join(warnings)}." if warnings else ""
