"""Figures as SVG, PDF or PNG, drawn with matplotlib.

Every function returns the bytes of a file, and the same input gives the same bytes. Undefined values are drawn as
undefined. Input that cannot be drawn, such as an empty table, is a ValueError. Importing this package imports
matplotlib, which takes about a second; `import agreement` does not.

Examples
--------
>>> import pandas as pd
>>> from agreement.plots import rank_interval_chart
>>> ranks = pd.DataFrame({"system": ["a", "b"], "rank": [1, 2], "low": [1, 1], "high": [2, 2]})
>>> rank_interval_chart(ranks, confidence=0.95).startswith(b"<?xml")
True
"""

from agreement.plots.document_leverage import document_leverage
from agreement.plots.gain_curve import gain_curve
from agreement.plots.growth import growth
from agreement.plots.judges.forest_plot import forest_plot
from agreement.plots.judges.grade_shares import grade_shares
from agreement.plots.judges.judgements_over_time import judgements_over_time
from agreement.plots.judges.topic_dots import topic_dots
from agreement.plots.kappa_matrix import kappa_matrix
from agreement.plots.pace_scatter import pace_scatter
from agreement.plots.period_counts import period_counts
from agreement.plots.pr_curves import pr_curves
from agreement.plots.prevalence_curve import prevalence_curve
from agreement.plots.rank_interval_chart import rank_interval_chart
from agreement.plots.score_ranges import score_ranges
from agreement.plots.score_scatter import score_scatter
from agreement.plots.size_by_depth import size_by_depth
from agreement.plots.slope_chart import slope_chart
from agreement.plots.systems.pool_overlap import pool_overlap
from agreement.plots.systems.score_differences import score_differences
from agreement.plots.systems.score_map import score_map
from agreement.plots.systems.system_pairs import system_pairs
from agreement.plots.tau_by_measure import tau_by_measure
from agreement.plots.tau_heat_map import tau_heat_map
from agreement.plots.topic_scores import topic_scores
from agreement.plots.trust.bought_ranks import bought_ranks
from agreement.plots.trust.grade_confusion import grade_confusion
from agreement.plots.trust.grades_needed import grades_needed
from agreement.plots.trust.model_scores import model_scores
from agreement.plots.trust.ranking_agreement import ranking_agreement
from agreement.plots.trust.reliability_diagram import reliability_diagram
from agreement.plots.value_intervals import value_intervals

__all__ = [
    "bought_ranks",
    "document_leverage",
    "forest_plot",
    "gain_curve",
    "grade_confusion",
    "grade_shares",
    "grades_needed",
    "growth",
    "judgements_over_time",
    "kappa_matrix",
    "model_scores",
    "pace_scatter",
    "period_counts",
    "pool_overlap",
    "pr_curves",
    "prevalence_curve",
    "rank_interval_chart",
    "ranking_agreement",
    "reliability_diagram",
    "score_differences",
    "score_map",
    "score_ranges",
    "score_scatter",
    "size_by_depth",
    "slope_chart",
    "system_pairs",
    "tau_by_measure",
    "tau_heat_map",
    "topic_dots",
    "topic_scores",
    "value_intervals",
]
