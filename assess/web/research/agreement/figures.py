"""The figures of the agreement pages: their numbers, and how they are drawn. A job makes those of large collections."""

from contextlib import suppress
from dataclasses import replace
from typing import Any

from django.http import QueryDict

from assess.analysis import pending
from assess.jobs.pending import Pending, Started, known_or_pending
from assess.models import Collection, User
from assess.web.figures.shown import ShownFigure
from assess.web.research.agreement.charts import missing_drawing, shown_figures
from assess.web.research.agreement.page_tables import Viewer

WITH_THRESHOLDS = ("agreement", "golds")  # pages whose figures have sentences


def figures_of(viewer: Viewer, user: User, page: str) -> Any:
    """Return the numbers of a page, or raise Pending while a job computes them."""
    reference = viewer.query.get("reference") or None if page == "agreement" else None
    figures = pending.agreement_or_pending(viewer.member.collection, user, page, viewer.selection, reference)
    return replace(figures, thresholds=viewer.thresholds) if page in WITH_THRESHOLDS else figures


def drawn_or_pending(viewer: Viewer, user: User, page: str, figures: Any) -> dict[str, ShownFigure | None]:
    """Return the drawings of a page, or raise Pending while a job draws them."""
    collection = viewer.member.collection
    if (key := missing_drawing(page, figures)) and not pending.is_small_for_agreement(collection, None, page):
        arguments = {"user": user.pk, "page": page, "query": viewer.query.urlencode()}
        known_or_pending("agreement_figures", collection, user, key, arguments)
    return shown_figures(viewer, page, figures)


def draw_figures(collection: Collection, key: str, user: int, page: str, query: str) -> Started:
    """Draw the figures of a page for the cache of results: the function of the job `agreement_figures`."""
    reader = User.objects.get(pk=user)
    viewer = Viewer.from_query(collection.members.get(user=reader), QueryDict(query))
    with suppress(Pending):  # judgements have changed, so that the page waits for other numbers first
        shown_figures(viewer, page, figures_of(viewer, reader, page))
    return Started(key)
