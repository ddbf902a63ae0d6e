"""Every figure of the shift pages by name, as a file and as part of a page."""

from collections.abc import Callable

from django.utils.safestring import SafeString

from assess.analysis.figures import inline_svg
from assess.analysis.pending import MOST_DRAWN_GOLDS, kept_drawing
from assess.errors import Refused
from assess.web.research.shift.heat_map import heat_map_table
from assess.web.research.shift.source import Source


def slope(source: Source, kind: str) -> bytes:
    from assess.analysis.shift.charts import slope_chart

    return slope_chart(source.shift, _against(source), kind)


def wide_slope(source: Source, kind: str) -> bytes:
    """The slope chart as wide as the page."""
    from assess.analysis.shift.charts import PAGE_WIDTH, slope_chart

    return slope_chart(source.shift, _against(source), kind, PAGE_WIDTH)


def _against(source: Source) -> str:
    if source.against is None:
        raise Refused(f"{source.shift.reference} is the only gold, and the chart needs a second one.")
    return source.against


def ranges(source: Source, kind: str) -> bytes:
    from assess.analysis.shift.charts import range_chart

    return range_chart(source.shift, kind)


def heat_map(source: Source, kind: str) -> bytes:
    return source.heat_map(kind)


def mixed(source: Source, kind: str) -> bytes:
    from assess.analysis.shift.charts import mixed_chart

    return mixed_chart(source.mixed(), kind)


def intervals(source: Source, kind: str) -> bytes:
    from assess.analysis.shift.charts import interval_chart

    return interval_chart(source.intervals().topics, kind)


def intervals_judges(source: Source, kind: str) -> bytes:
    from assess.analysis.shift.charts import interval_chart

    return interval_chart(source.intervals().judges, kind)


FIGURES: dict[str, Callable[[Source, str], bytes]] = {
    "slope": slope,
    "ranges": ranges,
    "heat-map": heat_map,
    "mixed": mixed,
    "intervals": intervals,
    "intervals-judges": intervals_judges,
}
LABELS = {
    "slope": "Slope chart of the systems' ranks under two golds",
    "ranges": "Chart of the rank of each system and the range of its ranks over the golds",
    "heat-map": "Heat map of the coefficients between the golds",
    "mixed": "Chart of the ranks of each system over the mixed golds",
    "intervals": "Chart of the ranks with their intervals over topics",
    "intervals-judges": "Chart of the ranks with their intervals over topics and judges",
}


def on_page(name: str, source: Source) -> SafeString:
    """Return a figure as an element of a page. The table on the page has its numbers."""
    from assess.analysis.shift.parts import part_key

    if name == "heat-map" and len(source.shift.golds) > MOST_DRAWN_GOLDS:
        return heat_map_table(source.shift, source.coefficient)
    draw = wide_slope if name == "slope" else FIGURES[name]
    options = {"figure": name, "against": source.against, "coefficient": source.coefficient}
    key = part_key("drawing", source.state, source.inputs, options)
    file = kept_drawing(source.collection, key, lambda: draw(source, "svg"))
    return inline_svg(file, f"{LABELS[name]}; the table shows the same numbers.")
