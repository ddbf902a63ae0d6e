"""The figures of the agreement pages, as files and as parts of the pages."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.safestring import SafeString

from assess.analysis.figures import inline_svg
from assess.analysis.pending import kept_drawing
from assess.errors import Refused
from assess.jobs import results
from assess.web.figures.shown import DESK, PHONE, Files, ShownFigure, figure_files
from assess.web.research.agreement.page_tables import Viewer
from pooling.words import count

if TYPE_CHECKING:
    import pandas as pd

    from agreement import HeldOut
    from assess.analysis.agreement import AgreementFigures
    from assess.analysis.judges.habits import JudgesFigures
    from assess.analysis.judges.time import TimeFigures

APART, NOTHING = "no two judges have a document in common", "there are no judgements in this selection"
# The page whose figures a chart shows.
CHARTS = {
    "pairs": "agreement",
    "matrix": "agreement",
    "reference": "agreement",
    "topics": "topics",
    "grades": "judges",
    "judgements": "time",
    "time": "time",
    "pace": "time",
    "golds": "golds",
}
FIRST_CHART = {
    "agreement": "pairs",
    "topics": "topics",
    "judges": "grades",
    "time": "judgements",
    "golds": "golds",
}


@dataclass(frozen=True)
class Chart:
    """A figure that a page shows, and that has a narrow version for phones.

    `data` returns the table that is drawn, and `draw` draws it with a title, as a kind of file, with a width. `label`
    describes the figure to screen readers, and `empty` says why there is no table.
    """

    label: str
    title: str
    empty: str
    data: Callable[[Any], "pd.DataFrame"]
    draw: Callable[["pd.DataFrame", str, str, float | None], bytes]

    def file(self, viewer: Viewer, figures: Any, kind: str) -> bytes:
        """Return the figure as a file, with a title."""
        if not len(data := self.data(figures)):
            raise Refused(f"There is nothing to draw: {self.empty}.")
        return self.draw(data, f"{self.title}, {_name(viewer)}", kind, None)


def draw(viewer: Viewer, chart: str, figures: Any, kind: str) -> bytes:
    """Return one of CHARTS as an SVG, PDF or PNG file."""
    return _DRAW[chart](viewer, figures, kind)


def chart_files(viewer: Viewer, chart: str) -> Files:
    """Return the addresses of the files of a chart."""
    return figure_files("agreement_chart", viewer.member.collection.slug, chart, query=viewer.filters)


def shown_figures(viewer: Viewer, page: str, figures: Any) -> dict[str, ShownFigure | None]:
    """Return the figures of one of the agreement pages, as its template names them; None where nothing can be drawn."""
    if (chart := _first_chart(page, figures)) is None:
        return {}
    pace = {"pace_figure": _pace_on_page(viewer, figures)} if page == "time" else {}
    return {"figure": _on_page(viewer, chart, figures)} | pace


def missing_drawing(page: str, figures: Any) -> str | None:
    """Return the key of the first drawing of a page if the cache of results does not have it; otherwise None."""
    if (chart := _first_chart(page, figures)) is None or not len(data := DRAWN[chart].data(figures)):
        return None
    key = _drawing_key(chart, data, DESK)
    return key if results.get(key) is None else None


def _first_chart(page: str, figures: Any) -> str | None:
    has_matrix = page == "agreement" and not figures.has_few_judges
    return None if has_matrix else FIRST_CHART.get(page)


def _drawing_key(chart: str, data: "pd.DataFrame", width: float) -> str:
    return results.key_of("agreement_chart", chart, data.to_csv(), width)


def _on_page(viewer: Viewer, chart: str, figures: Any) -> ShownFigure | None:
    """Return one of DRAWN as part of a page; None if there is nothing to draw."""
    drawn = DRAWN[chart]
    if not len(data := drawn.data(figures)):
        return None

    def svg(width: float) -> SafeString:
        key = _drawing_key(chart, data, width)
        file = kept_drawing(viewer.member.collection, key, lambda: drawn.draw(data, "", "svg", width))
        return inline_svg(file, drawn.label, lambda names: _address(viewer, names))

    return ShownFigure(f"agreement-{chart}", svg(DESK), chart_files(viewer, chart), svg(PHONE))


def _address(viewer: Viewer, names: Mapping[str, str]) -> str:
    """Return what a click on a mark opens: a pair of judges, or the documents of a topic or of a judge."""
    if "judges" in names:
        return viewer.pair_url(*names["judges"].split("\n"))
    parameters = {"topic": names.get("topic"), "judge_a": names.get("judge")}
    known = {name: value for name, value in parameters.items() if value}
    return viewer.documents(**known) if known else ""


def _pace_on_page(viewer: Viewer, figures: "TimeFigures") -> ShownFigure | None:
    """Return the figure of pace and agreement; None if nothing is known."""
    from assess.analysis.agreement import agreement_key  # loads pandas

    if not len(_known_pace(figures)):
        return None
    key = agreement_key(viewer.member.collection, viewer.selection, "pace_drawing")
    file = kept_drawing(viewer.member.collection, key, lambda: _pace(viewer, figures, "svg", title=""))
    svg = inline_svg(file, "Median seconds and pooled kappa of each judge; the table has the same numbers.")
    return ShownFigure("pace", svg, chart_files(viewer, "pace"))


def _pairs(figures: "AgreementFigures") -> "pd.DataFrame":
    names = figures.pairs["assessor_a"] + " and " + figures.pairs["assessor_b"]
    columns = {"assessor_a": "judge_a", "assessor_b": "judge_b", "pooled_kappa": "value"}
    limits = {"pooled_kappa_low": "low", "pooled_kappa_high": "high"}
    return figures.pairs.assign(name=names)[["name", *columns, *limits]].rename(columns=columns | limits)


def _draw_pairs(data: "pd.DataFrame", title: str, kind: str, width: float | None) -> bytes:
    from agreement.plots import forest_plot  # loads matplotlib

    return forest_plot(data, title, kind, note="Intervals: jackknife over topics.", width=width)


def _topics(figures: "pd.DataFrame") -> "pd.DataFrame":
    data = figures[["query_id", "title", "pooled_kappa", "n"]].rename(columns={"pooled_kappa": "value"})
    return data if data["value"].notna().any() else data[:0]


def _draw_topics(data: "pd.DataFrame", title: str, kind: str, width: float | None) -> bytes:
    from agreement.plots import topic_dots  # loads matplotlib

    return topic_dots(data, title, kind, value="pooled kappa, mean over pairs", width=width)


def _grades(figures: "JudgesFigures") -> "pd.DataFrame":
    names = {f"grade_{grade}": grade for grade in figures.scale}
    return figures.judges.set_index("judge")[list(names)].rename(columns=names)


def _draw_grades(data: "pd.DataFrame", title: str, kind: str, width: float | None) -> bytes:
    from agreement.plots import grade_shares  # loads matplotlib

    return grade_shares(data, title, kind, width=width)


def _counts(figures: "TimeFigures") -> "pd.DataFrame":
    return figures.counts


def _draw_counts(data: "pd.DataFrame", title: str, kind: str, width: float | None) -> bytes:
    from agreement.plots import judgements_over_time  # loads matplotlib

    return judgements_over_time(data, title, kind, width=width)


def _golds(figures: "HeldOut") -> "pd.DataFrame":
    columns = {"rule": "name", "equal": "value", "equal_low": "low", "equal_high": "high"}
    known = figures.table[figures.table["n"] > 0]
    return known[list(columns)].rename(columns=columns).assign(over=figures.over)


def _draw_golds(data: "pd.DataFrame", title: str, kind: str, width: float | None) -> bytes:
    from agreement.plots import value_intervals  # loads matplotlib

    method = f"Intervals: jackknife over {data['over'].iloc[0]}."
    return value_intervals(
        data, title, kind, value="equal judgements", rows="rule", method=method, of="gold", width=width
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


def _intervals(data: "pd.DataFrame", figure: str, title: str, kind: str, **labels: Any) -> bytes:
    """Draw the column `figure` of a table, with its limits if it has some."""
    from agreement.plots import value_intervals  # loads matplotlib

    if not len(data):
        raise Refused(f"There is nothing to draw: {APART}.")
    columns = {figure: "value", f"{figure}_low": "low", f"{figure}_high": "high"}
    values = data[["name", *(column for column in columns if column in data)]].rename(columns=columns)
    return value_intervals(values, title, kind, method="Intervals: jackknife over topics.", **labels)


def _pace(viewer: Viewer, figures: "TimeFigures", kind: str, title: str | None = None) -> bytes:
    from agreement.plots import pace_scatter  # loads matplotlib

    if not len(judges := _known_pace(figures)):
        raise Refused("There is nothing to draw: the time of no judge is known.")
    note = f"{count(len(judges), 'judge')}. Kappa is that with the majority of the other judges."
    title = f"Pace and agreement, {_name(viewer)}" if title is None else title
    return pace_scatter(judges, title, kind, note=note)


def _known_pace(figures: "TimeFigures") -> "pd.DataFrame":
    """Return the judges whose median seconds and kappa are known."""
    known = figures.judges.judges.dropna(subset=["seconds", "pooled_kappa"])
    return known[["judge", "seconds", "pooled_kappa"]].rename(columns={"pooled_kappa": "kappa"})


def _name(viewer: Viewer) -> str:
    return viewer.member.collection.name


DRAWN = {
    "pairs": Chart("Pooled kappa of each pair of judges", "Kappas", APART, _pairs, _draw_pairs),
    "topics": Chart("Pooled kappa in each topic", "Agreement by topic", APART, _topics, _draw_topics),
    "grades": Chart("The share of each grade for each judge", "Grades", NOTHING, _grades, _draw_grades),
    "judgements": Chart("The judgements of each judge over time", "Judgements", NOTHING, _counts, _draw_counts),
    "golds": Chart("The share of equal judgements of each gold rule", "Equal judgements", APART, _golds, _draw_golds),
}
_DRAW: dict[str, Callable[[Viewer, Any, str], bytes]] = {
    **{name: chart.file for name, chart in DRAWN.items()},
    "matrix": _matrix,
    "reference": _reference,
    "time": _time,
    "pace": _pace,
}
