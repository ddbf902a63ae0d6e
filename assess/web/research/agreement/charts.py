"""The figures of the agreement pages as files."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from assess.analysis.figures import inline_svg
from assess.analysis.pending import kept_drawing
from assess.errors import Refused
from assess.web.figures.shown import Files, ShownFigure, figure_files
from assess.web.research.agreement.page_tables import Viewer
from pooling.words import count

if TYPE_CHECKING:
    import pandas as pd

    from assess.analysis.agreement import AgreementFigures
    from assess.analysis.judges.time import TimeFigures

# The page whose figures a chart shows.
CHARTS = {"pairs": "agreement", "matrix": "agreement", "reference": "agreement", "time": "time", "pace": "time"}


def draw(viewer: Viewer, chart: str, figures: Any, kind: str) -> bytes:
    """Return one of CHARTS as an SVG, PDF or PNG file."""
    return _DRAW[chart](viewer, figures, kind)


def chart_files(viewer: Viewer, chart: str) -> Files:
    """Return the addresses of the files of a chart."""
    return figure_files("agreement_chart", viewer.member.collection.slug, chart, query=viewer.filters)


def pace_on_page(viewer: Viewer, figures: "TimeFigures") -> ShownFigure | None:
    """Return the figure of pace and agreement; None if nothing is known."""
    from assess.analysis.agreement import agreement_key  # loads pandas

    if not len(_known_pace(figures)):
        return None
    key = agreement_key(viewer.member.collection, viewer.selection, "pace_drawing")
    file = kept_drawing(viewer.member.collection, key, lambda: draw(viewer, "pace", figures, "svg"))
    svg = inline_svg(file, "Median seconds and pooled kappa of each judge; the table has the same numbers.")
    return ShownFigure("pace", svg, chart_files(viewer, "pace"))


def _pairs(viewer: Viewer, figures: "AgreementFigures", kind: str) -> bytes:
    names = figures.pairs["assessor_a"] + " and " + figures.pairs["assessor_b"]
    title = f"Agreement of the judges of {_name(viewer)}"
    return _intervals(
        figures.pairs.assign(name=names), "pooled_kappa", title, kind, value="pooled kappa", rows="judges"
    )


def _matrix(viewer: Viewer, figures: "AgreementFigures", kind: str) -> bytes:
    import pandas as pd

    from agreement.plots import kappa_matrix  # loads matplotlib

    if figures.matrix is None:
        raise Refused("There is a matrix only for more than six and at most 100 judges.")
    judges = figures.matrix.judges
    cells = [(judges[row], judges[column], kappa, n) for row, column, kappa, n in figures.matrix.cells]
    pairs = pd.DataFrame(cells, columns=["judge_a", "judge_b", "kappa", "n"])
    note = "Pooled kappa times 100. Similar judges are next to each other."
    return kappa_matrix(pairs, judges, f"Agreement of the judges of {_name(viewer)}", kind, note=note)


def _reference(viewer: Viewer, figures: "AgreementFigures", kind: str) -> bytes:
    if figures.against is None or figures.reference is None:
        raise Refused("A comparison with a reference needs at least three judges.")
    title = f"Judges of {_name(viewer)} against {figures.reference.label}"
    rows = figures.against.assign(name=figures.against["judge"])
    return _intervals(rows, "cohen_kappa", title, kind, value="unpooled kappa", rows="judge")


def _time(viewer: Viewer, figures: "TimeFigures", kind: str) -> bytes:
    windows = figures.windows
    names = [f"{number}: from {start:%Y-%m-%d %H:%M}" for number, start in windows[["window", "first_at"]].to_numpy()]
    title = f"Agreement in the order of judging, {_name(viewer)}"
    return _intervals(windows.assign(name=names), "pooled_kappa", title, kind, value="pooled kappa", rows="window")


def _intervals(data: "pd.DataFrame", figure: str, title: str, kind: str, **labels: str) -> bytes:
    """Draw the column `figure` of a table, with its limits if it has some."""
    from agreement.plots import value_intervals  # loads matplotlib

    if not len(data):
        raise Refused("There is nothing to draw: no two judges have a document in common.")
    columns = {figure: "value", f"{figure}_low": "low", f"{figure}_high": "high"}
    values = data[["name", *(column for column in columns if column in data)]].rename(columns=columns)
    return value_intervals(values, title, kind, method="Intervals: jackknife over topics.", **labels)


def _pace(viewer: Viewer, figures: "TimeFigures", kind: str) -> bytes:
    from agreement.plots import pace_scatter  # loads matplotlib

    if not len(judges := _known_pace(figures)):
        raise Refused("There is nothing to draw: the time of no judge is known.")
    note = f"{count(len(judges), 'judge')}. Kappa is that with the majority of the other judges."
    return pace_scatter(judges, f"Pace and agreement, {_name(viewer)}", kind, note=note)


def _known_pace(figures: "TimeFigures") -> "pd.DataFrame":
    """Return the judges whose median seconds and kappa are known."""
    known = figures.judges.judges.dropna(subset=["seconds", "pooled_kappa"])
    return known[["judge", "seconds", "pooled_kappa"]].rename(columns={"pooled_kappa": "kappa"})


def _name(viewer: Viewer) -> str:
    return viewer.member.collection.name


_DRAW: dict[str, Callable[[Viewer, Any, str], bytes]] = {
    "pairs": _pairs,
    "matrix": _matrix,
    "reference": _reference,
    "time": _time,
    "pace": _pace,
}
