"""The figures of the agreement pages as files."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from django.utils.safestring import SafeString

from assess.analysis.figures import inline_svg
from assess.analysis.pending import kept_drawing
from assess.errors import Refused
from assess.web.research.agreement.page_tables import Viewer

if TYPE_CHECKING:
    import pandas as pd

    from assess.analysis.agreement import AgreementFigures
    from assess.analysis.judges.charts import Bar
    from assess.analysis.judges.time import TimeFigures

# The page whose figures a chart shows.
CHARTS = {"pairs": "agreement", "matrix": "agreement", "reference": "agreement", "time": "time", "pace": "time"}


def draw(viewer: Viewer, chart: str, figures: Any, kind: str) -> bytes:
    """Return one of CHARTS as an SVG, PDF or PNG file."""
    return _DRAW[chart](viewer, figures, kind)


def pace_on_page(viewer: Viewer, figures: "TimeFigures") -> SafeString:
    """Return the figure of pace and agreement as an element of a page; empty if nothing is known."""
    from assess.analysis.agreement import agreement_key

    if not _pace_points(figures):
        return SafeString()
    key = agreement_key(viewer.member.collection, viewer.selection, "pace_drawing")
    file = kept_drawing(viewer.member.collection, key, lambda: draw(viewer, "pace", figures, "svg"))
    return inline_svg(file, "Median seconds and pooled kappa of each judge; the table has the same numbers.")


def _pairs(viewer: Viewer, figures: "AgreementFigures", kind: str) -> bytes:
    from assess.analysis.judges.charts import interval_chart

    names = figures.pairs["assessor_a"] + " and " + figures.pairs["assessor_b"]
    bars = _bars(figures.pairs.assign(name=names), "pooled_kappa")
    return interval_chart(bars, "pooled kappa", "judges", f"Agreement of the judges of {_name(viewer)}", kind)


def _matrix(viewer: Viewer, figures: "AgreementFigures", kind: str) -> bytes:
    from assess.analysis.judges.charts import matrix_chart

    if figures.matrix is None:
        raise Refused("There is a matrix only for more than six and at most 100 judges.")
    return matrix_chart(figures.matrix, f"Agreement of the judges of {_name(viewer)}", kind)


def _reference(viewer: Viewer, figures: "AgreementFigures", kind: str) -> bytes:
    from assess.analysis.judges.charts import interval_chart

    if figures.against is None or figures.reference is None:
        raise Refused("A comparison with a reference needs at least three judges.")
    title = f"Judges of {_name(viewer)} against {figures.reference.label}"
    return interval_chart(
        _bars(figures.against.assign(name=figures.against["judge"]), "cohen_kappa"),
        "unpooled kappa",
        "judge",
        title,
        kind,
    )


def _time(viewer: Viewer, figures: "TimeFigures", kind: str) -> bytes:
    from assess.analysis.judges.charts import interval_chart

    windows = figures.windows
    names = [f"{number}: from {start:%Y-%m-%d %H:%M}" for number, start in windows[["window", "first_at"]].to_numpy()]
    title = f"Agreement in the order of judging, {_name(viewer)}"
    return interval_chart(_bars(windows.assign(name=names), "pooled_kappa"), "pooled kappa", "window", title, kind)


def _pace(viewer: Viewer, figures: "TimeFigures", kind: str) -> bytes:
    from assess.analysis.judges.charts import pace_chart

    return pace_chart(_pace_points(figures), f"Pace and agreement, {_name(viewer)}", kind)


def _pace_points(figures: "TimeFigures") -> list[tuple[str, float, float]]:
    """Return name, median seconds and kappa of the judges whose values are known."""
    known = figures.judges.judges.dropna(subset=["seconds", "pooled_kappa"])
    rows = known[["judge", "seconds", "pooled_kappa"]].to_numpy()
    return [(str(name), float(seconds), float(kappa)) for name, seconds, kappa in rows]


def _bars(data: "pd.DataFrame", figure: str) -> list["Bar"]:
    from assess.analysis.judges.charts import Bar

    columns = ["name", *(f"{figure}{end}" for end in ("", "_low", "_high") if f"{figure}{end}" in data)]
    rows = data[columns].astype(object).where(data[columns].notna(), None)
    return [Bar(*row) for row in rows.itertuples(index=False)]


def _name(viewer: Viewer) -> str:
    return viewer.member.collection.name


_DRAW: dict[str, Callable[[Viewer, Any, str], bytes]] = {
    "pairs": _pairs,
    "matrix": _matrix,
    "reference": _reference,
    "time": _time,
    "pace": _pace,
}
