"""The tables of the progress as CSV, unrounded. Pandas is imported inside the views."""

from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from assess.access import RESEARCHERS, member_view
from assess.collections.scale import lowest_relevant_grade, scale_of
from assess.collections.topic_sets import topics_in_set
from assess.models import Member
from assess.web.refusals import refusals_shown_by
from assess.web.research.tables import csv_download
from assess.web.research.views import refused_page
from assess.work.monitor import GradeShare, Work, monitor, topic_rows
from assess.work.stopping_table import found_by_topic


@require_safe
@member_view(RESEARCHERS)
@refusals_shown_by(refused_page)
def assessors_csv(_request: HttpRequest, member: Member) -> HttpResponse:
    """The work of each assessor."""
    scale = scale_of(member.collection)
    rows = [
        {
            "assessor": row.member.name,
            **_work(row.work),
            "documents_per_hour": row.pace,
            "median_seconds": row.seconds,
            **_grades(scale, row.grades),
            "forecast": row.forecast.ends_at,
            "forecast_reason": row.forecast.reason,
            "last_judged_at": row.last_at,
        }
        for row in monitor(member.collection).judges
    ]
    return _download(rows, "assessor", f"{member.collection.slug}-assessors.csv")


@require_safe
@member_view(RESEARCHERS)
@refusals_shown_by(refused_page)
def topics_csv(request: HttpRequest, member: Member) -> HttpResponse:
    """The work in each topic, or in each of a set (`?set=`), with what judging found."""
    collection, scale = member.collection, scale_of(member.collection)
    query_ids = topics_in_set(collection, request.GET.get("set", ""))
    found = found_by_topic(collection, lowest_relevant_grade(collection), query_ids)
    rows = [
        {
            "query_id": row.topic.query_id,
            "documents": row.documents,
            **_work(row.work),
            "relevant": found[row.topic.pk].gain.n_relevant,
            "since_relevant": found[row.topic.pk].gain.since_relevant,
            "completeness": found[row.topic.pk].completeness.value,
            "completeness_reason": found[row.topic.pk].completeness.reason,
            "median_seconds": row.seconds,
            **_grades(scale, row.grades),
        }
        for row in topic_rows(collection, query_ids)
    ]
    return _download(rows, "query_id", f"{collection.slug}-work-by-topic.csv")


def _work(work: Work) -> dict[str, int]:
    return {name: getattr(work, name) for name in ("assigned", "judged", "cannot_judge", "later", "open")}


def _grades(scale: Sequence[int], grades: Sequence[GradeShare]) -> dict[str, int]:
    numbers = {each.grade.value: each.number for each in grades}
    return {f"grade_{grade}": numbers.get(grade, 0) for grade in scale}


def _download(rows: list[dict[str, Any]], first: str, name: str) -> HttpResponse:
    import pandas as pd

    return csv_download(pd.DataFrame(rows, columns=None if rows else [first]), name)
