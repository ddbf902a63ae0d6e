"""assay work --collection NAME [--set development|test]"""

from typing import Any

from django.core.management.base import CommandParser

from assess.collections.topic_sets import describe_set, topics_in_set
from assess.management.base import CollectionCommand, add_set_option
from assess.models import Collection
from assess.work.forecast import ASSUMPTION, Forecast
from assess.work.monitor import JudgeRow, TopicRow, monitor, topic_rows
from pooling.words import count


class Command(CollectionCommand):
    help = (
        "Show what each judge has done, how fast, and when the work ends at the present pace; with --set, what is done "
        "and open in each topic of the set."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        add_set_option(parser)

    def handle_collection(self, collection: Collection, *, topic_set: str, **_: Any) -> None:
        if topic_set:
            self._write_topics(collection, topic_set)
        else:
            self._write_judges(collection)

    def _write_topics(self, collection: Collection, topic_set: str) -> None:
        query_ids = topics_in_set(collection, topic_set)
        rows = topic_rows(collection, query_ids)
        width = max(len(row.topic.query_id) for row in rows)
        self.write_lines(f"Only the {describe_set(topic_set, query_ids)}.")
        self.write_lines(*(f"{row.topic.query_id:<{width}}  {_describe_topic(row)}" for row in rows))
        done, still_open = (sum(getattr(row.work, name) for row in rows) for name in ("done", "open"))
        self.write_lines(f"{count(done, 'recorded judgement')}, {still_open:,} open.")

    def _write_judges(self, collection: Collection) -> None:
        shown = monitor(collection)
        width = max((len(row.member.name) for row in shown.judges), default=0)
        for row in shown.judges:
            self.write_lines(f"{row.member.name:<{width}}  {_describe(row)}")
        self.write_lines(
            f"{count(shown.work.done, 'recorded judgement')}, {shown.work.open:,} open. "
            f"Expected end: {_end(shown.forecast)}.",
            ASSUMPTION,
        )


def _describe_topic(row: TopicRow) -> str:
    return f"{count(row.documents, 'document')}, {row.work.done:,} done, {row.work.open:,} open"


def _describe(row: JudgeRow) -> str:
    pace = f"{row.pace:.0f} an hour" if row.pace else "no time recorded"
    inactive = f", inactive since {row.inactive_since:%Y-%m-%d}" if row.inactive_since else ""
    return f"{row.work.done:,} done, {row.work.open:,} open, {pace}, end: {_end(row.forecast)}{inactive}"


def _end(forecast: Forecast) -> str:
    return f"{forecast.ends_at:%Y-%m-%d}" if forecast.ends_at else f"undefined ({forecast.reason})"
