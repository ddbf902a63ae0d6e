"""The page of two judges: their contingency table, the calculation, and every topic."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db.models import Exists, OuterRef
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from assess.collections.scale import scale_of
from assess.errors import Refused
from assess.models import Judgement, Member, Role
from assess.web.figures.shown import Download, Files, ShownTable, table_files
from assess.web.figures.tables import SMALL_P, Column, Row, Table
from assess.web.research.agreement.page_tables import P_A, POOLED, UNPOOLED, Viewer
from assess.web.research.agreement.pair_documents import differing_documents
from assess.web.research.agreement.views import agreement_page, judge_or_404
from assess.web.research.views import figures_view
from pooling.words import count

if TYPE_CHECKING:
    import pandas as pd

    from agreement import Estimate
    from assess.analysis.agreement import PairFigures
    from assess.analysis.selection import Selection

GRADE_NAMES = ("nonrelevant", "relevant")
PROBABILITIES = (("probability", "this band"), ("cumulative", "or above"))


class _Probability(Column):
    """A column of p; a small one is below SMALL_P."""

    def text(self, row: Row) -> str:
        p = row[self.name]
        return f"< {SMALL_P}" if p is not None and p < SMALL_P else super().text(row)


class _Statistic(Column):
    """A column of chi-squared; the statistic of an exact test, which has no degrees of freedom, is a count."""

    def text(self, row: Row) -> str:
        statistic = row[self.name]
        return f"{statistic:.0f}" if statistic is not None and row["df"] is None else super().text(row)


@dataclass(frozen=True)
class Count:
    """A cell of the contingency table, with the address of its documents."""

    n: int
    url: str
    is_diagonal: bool = False


@figures_view
def pair(request: HttpRequest, member: Member, a: int, b: int) -> HttpResponse:
    """The contingency table of two judges, with all steps of the calculation."""
    from assess.analysis.judges.pair_statistics import reached_band  # loads pandas

    page = agreement_page(request, member)
    figures, viewer = pair_figures_of(member, page["viewer"], a, b), page["viewer"]
    first, second = figures.row.a, figures.row.b
    page |= {
        "figures": figures,
        "assisted_pair": page["assisted"].of_pair(first, second),
        "pair": (a, b),
        "rows": _rows(viewer, figures),
        "column_totals": _totals(viewer, figures, "b"),
        "both": Count(figures.worked.n, _documents(viewer, figures)),
        "only_one": Count(figures.row.raw.n_dropped, _documents(viewer, figures, unjudged="only_one")),
        "excluded": _excluded(viewer, figures),
        "cannot_judge": [
            (name, Count(n, viewer.documents(cannot_judge=name)))
            for name, n in zip((first, second), figures.row.cannot_judge, strict=True)
        ],
        "differing": differing_documents(member, viewer, first, second),
        "topics": ShownTable(topics_table(viewer, figures), _files(viewer, a, b, "topics")),
        "table_files": Download(_files(viewer, a, b, "table")),
        "benchmarks_reason": _reason(figures),
        "reached": {"pooled": reached_band(figures.row.pooled), "cohen": reached_band(figures.row.cohen)},
        "benchmarks": ShownTable(benchmarks_table(viewer, figures), _files(viewer, a, b, "benchmarks")),
        "tests": ShownTable(tests_table(viewer, figures), _files(viewer, a, b, "tests")),
        "weights": viewer.selection.weights if viewer.selection.rel is None else "",
        "compared": compared_pair(request, member, viewer.selection, (a, b), (first, second)),
    }
    return render(request, "research/pair.html", page)


@dataclass(frozen=True)
class ComparedPair:
    """Another pair with one of the two judges: those to choose from, the chosen one, and the differences of kappas."""

    choices: list[tuple[str, str, bool]]
    name: str
    differences: "list[Estimate]"


def compared_pair(
    request: HttpRequest, member: Member, selection: "Selection", pks: tuple[int, int], names: tuple[str, str]
) -> ComparedPair:
    """Return the comparison with the pair `?compare=A-B`, the numbers of two members; none if it is empty."""
    from assess.analysis.agreement import pair_differences  # loads pandas

    judged = Judgement.objects.filter(member=OuterRef("pk"))
    others = member.collection.members.filter(Exists(judged), role=Role.ASSESSOR).exclude(pk__in=pks)
    by_key = {
        f"{pk}-{other.pk}": (name, other.name)
        for other in others.order_by("name")
        for pk, name in zip(pks, names, strict=True)
    }
    chosen = request.GET.get("compare", "")
    if chosen and chosen not in by_key:
        raise Refused(f"compare must be a pair with {names[0]} or {names[1]}, not {chosen[:20]!r}.")
    choices = [(key, f"{one} and {other}", key == chosen) for key, (one, other) in by_key.items()]
    if not chosen:
        return ComparedPair(choices, "", [])
    differences = pair_differences(member.collection, names, by_key[chosen], selection)
    return ComparedPair(choices, " and ".join(by_key[chosen]), differences)


def _reason(figures: "PairFigures") -> str:
    """Return why there is no probability of the bands; empty if there is one."""
    from agreement.reasons import REASONS

    return REASONS.get(figures.benchmarks.pooled_kappa.reason or "", "")


def _files(viewer: Viewer, a: int, b: int, name: str) -> Files:
    return table_files("pair_table", viewer.member.collection.slug, a, b, name, query=viewer.filters)


def _excluded(viewer: Viewer, figures: "PairFigures") -> list[Count]:
    """Return the documents that both received and that one or both could not judge or postponed."""
    excluded = figures.row.excluded
    counts = {"cannot_judge": excluded.cannot_judge, "later": excluded.later}
    return [Count(n, _documents(viewer, figures, unjudged=what)) for what, n in counts.items()]


def pair_figures_of(member: Member, viewer: Viewer, a: int, b: int) -> "PairFigures":
    from assess.analysis.agreement import pair_figures  # loads pandas

    first, second = judge_or_404(member, a), judge_or_404(member, b)
    if first == second:
        raise Http404
    return pair_figures(member.collection, first.name, second.name, viewer.selection, viewer.thresholds)


def _grades(viewer: Viewer) -> list[str]:
    """Return the grades of the table's rows and columns as they are written in addresses."""
    if viewer.selection.rel is not None:
        return list(GRADE_NAMES)
    return [str(grade) for grade in scale_of(viewer.member.collection)]


def _rows(viewer: Viewer, figures: "PairFigures") -> list[tuple[str, list[Count], Count]]:
    grades, worked = _grades(viewer), figures.worked
    rows = []
    for (label, counts, total), grade in zip(worked.rows, grades, strict=True):
        cells = [
            Count(n, _documents(viewer, figures, grade_a=grade, grade_b=other), grade == other)
            for n, other in zip(counts, grades, strict=True)
        ]
        rows.append((label, cells, Count(total, _documents(viewer, figures, grade_a=grade))))
    return rows


def _totals(viewer: Viewer, figures: "PairFigures", judge: str) -> list[Count]:
    totals = zip(figures.worked.column_totals, _grades(viewer), strict=True)
    return [Count(n, _documents(viewer, figures, **{f"grade_{judge}": grade})) for n, grade in totals]


def _documents(viewer: Viewer, figures: "PairFigures", **parameters: Any) -> str:
    return viewer.documents(judge_a=figures.row.a, judge_b=figures.row.b, **parameters)


def topics_table(viewer: Viewer, figures: "PairFigures") -> Table:
    """Every topic that both judged."""
    columns = [
        Column("query_id", "topic", "topic"),
        Column("n", "n", "count", lambda row: _documents(viewer, figures, topic=row["query_id"])),
        P_A,
        POOLED,
        Column("pooled_kappa_band", "band", "band"),
        UNPOOLED,
        Column("cohen_kappa_band", "band of unpooled", "band"),
    ]
    return Table("topics", figures.topics, columns, f"{figures.row.a} and {figures.row.b} in each topic.")


def benchmarks_table(_viewer: Viewer, figures: "PairFigures") -> Table:
    """The probability of each band of both kappas."""
    pooled, cohen = figures.row.pooled, figures.row.cohen
    columns = [
        Column("scale", "scale", "text"),
        Column("band", "band", "text"),
        Column("low", "above"),
        Column("high", "up to"),
        *(Column(f"pooled_kappa_{name}", f"pooled kappa: {heading}") for name, heading in PROBABILITIES),
        *(Column(f"cohen_kappa_{name}", f"unpooled: {heading}") for name, heading in PROBABILITIES),
    ]
    errors = ", ".join(
        f"{name} {'–' if one.se is None else f'{one.se:.3f}'}"
        for name, one in (("pooled", pooled), ("unpooled", cohen))
    )
    caption = (
        f"n = {count(figures.worked.n, 'document')}. Standard error: {errors} (a jackknife that leaves out "
        "each topic once). "
        "A kappa reaches the highest band of a scale with a probability of at least 0.95 of this band or above."
    )
    return Table("benchmarks", figures.benchmarks.frame(), columns, caption)


def tests_table(_viewer: Viewer, figures: "PairFigures") -> Table:
    """Every test whether the two judges give the grades equally often."""
    from assess.analysis.judges.pair_statistics import tests_frame  # loads pandas

    columns = [
        Column("test", "test", "text"),
        _Statistic("statistic", "statistic"),
        Column("df", "df", "count"),
        _Probability("p", "p"),
        Column("n_disagreeing", "differ", "count"),
        Column("n", "n", "count"),
    ]
    caption = (
        "The statistic is chi-squared; of McNemar’s exact test it is the smaller of two counts. The tests take "
        "documents as independent."
    )
    return Table("tests", tests_frame(figures.totals_tests, figures.row.raw.n_dropped), columns, caption)


def contingency_table(_viewer: Viewer, figures: "PairFigures") -> Table:
    """How often one judge gave one grade and the other another; rows are the grades of the first judge."""
    data = _contingency_frame(figures)
    first = Column(data.columns[0], data.columns[0], "text")
    columns = [first, *(Column(name, name, "count") for name in data.columns[1:])]
    return Table("table", data, columns, f"Rows: {figures.row.a}. Columns: {figures.row.b}.")


def _contingency_frame(figures: "PairFigures") -> "pd.DataFrame":
    import pandas as pd  # slow to import

    worked = figures.worked
    rows = [[label, *counts, total] for label, counts, total in worked.rows]
    rows.append(["all", *worked.column_totals, worked.n])
    return pd.DataFrame(rows, columns=["grade", *worked.labels, "all"])


PAIR_TABLES = {
    "topics": topics_table,
    "table": contingency_table,
    "benchmarks": benchmarks_table,
    "tests": tests_table,
}
