"""Figures, drawn with matplotlib as SVG, PDF or PNG; the same input gives the same bytes.

Only these modules import matplotlib. Every function returns the bytes of one file. What cannot be drawn (nothing at
all, a column that lacks) is a ValueError; what is undefined is drawn as that.
"""

from agreement.plots.growth import growth
from agreement.plots.pr_curves import pr_curves
from agreement.plots.rank_interval_chart import rank_interval_chart
from agreement.plots.score_ranges import score_ranges
from agreement.plots.score_scatter import score_scatter
from agreement.plots.slope_chart import slope_chart
from agreement.plots.tau_heat_map import tau_heat_map
from agreement.plots.topic_scores import topic_scores

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
