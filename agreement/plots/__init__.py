"""Figures, drawn with matplotlib as SVG, PDF or PNG; the same input gives the same bytes.

Only these modules import matplotlib. Every function returns the bytes of one file. What cannot be drawn (nothing at
all, a column that lacks) is a ValueError; what is undefined is drawn as that.
"""

from agreement.plots.growth_chart import growth
from agreement.plots.precision_recall import pr_curves
from agreement.plots.rank_intervals import rank_interval_chart
from agreement.plots.scatter import score_scatter
from agreement.plots.score_range_chart import score_ranges
from agreement.plots.slope import slope_chart
from agreement.plots.tau_chart import tau_heat_map
from agreement.plots.topic_chart import topic_scores

__all__ = [
    "growth",
    "pr_curves",
    "rank_interval_chart",
    "score_ranges",
    "score_scatter",
    "slope_chart",
    "tau_heat_map",
    "topic_scores",
]
