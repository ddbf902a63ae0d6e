"""The tables of a preview of a pool. Pandas is imported inside the functions."""

from dataclasses import asdict
from typing import TYPE_CHECKING

from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from assess.jobs.pending import Pending
from assess.models import Member
from assess.web.figures.page import MakeTable, Page
from assess.web.figures.tables import Table
from assess.web.requests import SignedInRequest
from assess.web.research.pool.figures import draw_overlap, draw_sizes
from assess.web.research.pool.views import form_of_preview, show_refusal

if TYPE_CHECKING:
    from assess.pools.building.preview import PoolPreview

TABLES = {"topics": "topics", "runs": "systems", "depths": "by_depth"}  # the field of the preview with the rows


def _preview(request: SignedInRequest, member: Member) -> "PoolPreview | HttpResponse":
    """Return the preview with this query. If a job must compute it first, the page shows its progress."""
    from assess.pools.building.preview import preview_or_pending  # loads pandas

    try:
        preview, _ = preview_or_pending(member.collection, request.user, form_of_preview(request).arguments())
    except Pending:
        page = reverse("research:pool", args=[member.collection.slug])
        return redirect(f"{page}?preview=1&{request.GET.urlencode()}")
    return preview


def _table(name: str, field: str) -> MakeTable:
    def make(preview: "PoolPreview") -> Table:
        import pandas as pd  # slow to import

        return Table(name, pd.DataFrame([asdict(row) for row in getattr(preview, field)]))

    return make


def _drawn_sizes(preview: "PoolPreview", kind: str) -> bytes:
    return draw_sizes(preview, kind, "Size of the pool by depth")


def _drawn_overlap(preview: "PoolPreview", kind: str) -> bytes:
    return draw_overlap(preview, kind, "Pooled documents that the runs share")


POOL = Page(
    file="pool-{name}",
    tables={name: _table(name, field) for name, field in TABLES.items()},
    figures={"depths": _drawn_sizes, "overlap": _drawn_overlap},
    source=_preview,
    refused=show_refusal,
)
