"""The bands of kappa behind its values: dubious, fair and good."""

from collections.abc import Iterable
from math import floor

from matplotlib.axes import Axes

from agreement.coefficients.formulas import FAIR, GOOD
from agreement.plots.page import SMALL, axes_size, text_width
from agreement.plots.row_axes import NAME_GAP, hide_upper_numbers
from pooling.palette import BANDS, HAIRLINE, QUIET, WHITE, Style

FROM = 0.4  # where the axis begins, unless there are lower values
ROOM = 0.03  # between the lowest value and the beginning of the axis, so that its dot is not cut


def draw_bands(axes: Axes, ends: Iterable[float]) -> None:
    """Set the limits of the axis so that all ends are inside, and draw the bands with their names at the top."""
    known = list(ends)
    hide_upper_numbers(axes)
    low, high = floor(10 * min([FROM, *(end - ROOM for end in known)])) / 10, max([1.0, *known])
    axes.set_xlim(low, high + 0.01)
    inches, _ = axes_size(axes)
    limits = (low, FAIR), (FAIR, GOOD), (GOOD, high + 0.01)
    for (name, colour), (begin, end) in zip(BANDS.items(), limits, strict=True):
        axes.axvspan(begin, end, facecolor=colour, edgecolor="none", zorder=0)
        if text_width(name, SMALL) < inches * (end - begin) / (high - low):
            _write_above(axes, (begin + end) / 2, name)
    for limit in (FAIR, GOOD):
        axes.axvline(limit, color=WHITE, linewidth=1.2, zorder=0.5)
    if low < 0:
        axes.axvline(0, color=HAIRLINE, linewidth=0.8, zorder=1)


def _write_above(axes: Axes, middle: float, name: str) -> None:
    _, height = axes_size(axes)
    style: Style = {"transform": axes.get_xaxis_transform(), "color": QUIET, "fontsize": SMALL}
    axes.text(middle, 1 + NAME_GAP / height, name, ha="center", va="bottom", **style)
