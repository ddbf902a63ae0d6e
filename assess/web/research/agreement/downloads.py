"""The tables and figures of the agreement pages that can be downloaded."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from assess.access import READERS
from assess.analysis.query import Filters
from assess.models import Member
from assess.web.figures.page import Asked, DrawFigure, MakeTable, Page
from assess.web.figures.tables import Table
from assess.web.requests import SignedInRequest
from assess.web.research.agreement.charts import CHARTS, draw
from assess.web.research.agreement.figures import figures_of
from assess.web.research.agreement.page_tables import TABLES, Viewer
from assess.web.research.agreement.pair_views import PAIR_TABLES, pair_figures_of
from assess.web.research.agreement.views import agreement_page

if TYPE_CHECKING:
    from assess.analysis.agreement import PairFigures


class _Source(Asked):
    """The parameters of the pages, which have different figures."""

    def __init__(self, request: SignedInRequest, member: Member) -> None:
        super().__init__(request, member)
        self.viewer = Viewer.from_query(member, request.GET)

    def figures(self, page: str) -> Any:
        return figures_of(self.viewer, self.request.user, page)


def _table(page: str, make: Callable[[Viewer, Any], Table | None]) -> MakeTable:
    return lambda source: make(source.viewer, source.figures(page))


def _figure(chart: str, page: str) -> DrawFigure:
    return lambda source, kind: draw(source.viewer, chart, source.figures(page), kind)


def _every_pair(asked: Asked) -> Table:
    """Every pair over all topics and in every topic."""
    from assess.analysis.agreement import pairwise_frame  # loads pandas

    collection = asked.member.collection
    return Table("agreement", pairwise_frame(collection, Filters(collection).selection(asked.request.GET)))


def _pair(request: SignedInRequest, member: Member, a: int, b: int) -> tuple[Viewer, "PairFigures"]:
    viewer = agreement_page(request, member)["viewer"]
    return viewer, pair_figures_of(member, viewer, a, b)


def _pair_table(make: Callable[[Viewer, "PairFigures"], Table]) -> MakeTable:
    return lambda source: make(*source)


AGREEMENT = Page(
    file="agreement-{name}",
    tables={name: _table(page, make) for name, (page, make) in TABLES.items()},
    figures={chart: _figure(chart, page) for chart, page in CHARTS.items()},
    source=_Source,
    roles=READERS,
)
EVERY_PAIR = Page(tables={"agreement": _every_pair}, roles=READERS)
PAIR = Page(
    file="pair-{name}",
    tables={name: _pair_table(make) for name, make in PAIR_TABLES.items()},
    source=_pair,
    roles=READERS,
)
