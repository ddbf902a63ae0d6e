"""The tables of a preview of a pool as CSV, unrounded. Pandas is imported inside the view."""

from dataclasses import asdict

from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_safe

from assess.access import RESEARCHERS, member_view
from assess.jobs.pending import Pending
from assess.models import Member
from assess.web.refusals import refusals_shown_by
from assess.web.requests import SignedInRequest
from assess.web.research.pool.views import form_of_preview, show_refusal
from assess.web.research.tables import csv_download

TABLES = {"topics": "topics", "runs": "systems", "depths": "by_depth"}  # the field of the preview with the rows


@require_safe
@member_view(RESEARCHERS)
@refusals_shown_by(show_refusal)
def preview_csv(request: SignedInRequest, member: Member, table: str) -> HttpResponse:
    """A table of the preview with this query. If a job must compute it first, the page shows its progress."""
    import pandas as pd

    from assess.pools.building.preview import preview_or_pending

    try:
        preview, _ = preview_or_pending(member.collection, request.user, form_of_preview(request).arguments())
    except Pending:
        page = reverse("research:pool", args=[member.collection.slug])
        return redirect(f"{page}?preview=1&{request.GET.urlencode()}")
    rows = [asdict(row) for row in getattr(preview, TABLES[table])]
    return csv_download(pd.DataFrame(rows), f"{member.collection.slug}-pool-{table}.csv")
