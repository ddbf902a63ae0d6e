"""The tables of the progress as files, unrounded. Pandas is imported inside the functions."""

from collections.abc import Sequence
from typing import Any

from assess.collections.scale import lowest_relevant_grade, scale_of
from assess.collections.topic_sets import topics_in_set
from assess.web.figures.page import Asked, Page
from assess.web.figures.tables import Table
from assess.web.research.work.figures import draw_activity
from assess.work.monitor import GradeShare, Work, monitor, topic_rows
from assess.work.stopping_table import found_by_topic


def _assessors(asked: Asked) -> Table:
    """The work of each assessor."""
    collection, scale = asked.member.collection, scale_of(asked.member.collection)
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
        for row in monitor(collection).judges
    ]
    return _table("assessors", rows, "assessor")


def _topics(asked: Asked) -> Table:
    """The work in each topic, or in each of a set (`?set=`), with what judging found."""
    collection, scale = asked.member.collection, scale_of(asked.member.collection)
    query_ids = topics_in_set(collection, asked.request.GET.get("set", ""))
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
    return _table("work-by-topic", rows, "query_id")


def _work(work: Work) -> dict[str, int]:
    return {name: getattr(work, name) for name in ("assigned", "judged", "cannot_judge", "later", "open")}


def _grades(scale: Sequence[int], grades: Sequence[GradeShare]) -> dict[str, int]:
    numbers = {each.grade.value: each.number for each in grades}
    return {f"grade_{grade}": numbers.get(grade, 0) for grade in scale}


def _table(name: str, rows: list[dict[str, Any]], first: str) -> Table:
    """Return the rows as a table; `first` is the first column, and the only one of a table without rows."""
    import pandas as pd  # slow to import

    return Table(name, pd.DataFrame(rows, columns=None if rows else [first]))


def _activity(asked: Asked) -> Table:
    """The judgements in each of the last hours or days."""
    shown = monitor(asked.member.collection).activity
    rows = [{shown.unit: period.label, "judgements": period.judgements} for period in shown.periods]
    return _table("activity", rows, shown.unit)


def _drawn_activity(asked: Asked, kind: str) -> bytes:
    collection = asked.member.collection
    shown = monitor(collection).activity
    return draw_activity(shown, kind, f"Judgements per {shown.unit}, {collection.name}")


WORK = Page(
    tables={"assessors": _assessors, "work-by-topic": _topics, "activity": _activity},
    figures={"activity": _drawn_activity},
)
