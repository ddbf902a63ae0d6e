"""assay work --collection NAME"""

from typing import Any

from assess.management.base import CollectionCommand
from assess.models import Collection
from assess.work.forecast import ASSUMPTION, Forecast
from assess.work.monitor import JudgeRow, monitor
from pooling.words import count


class Command(CollectionCommand):
    help = "Show what each judge has done, how fast, and when the work ends at the present pace."

    def handle_collection(self, collection: Collection, **_: Any) -> None:
        shown = monitor(collection)
        width = max((len(row.member.name) for row in shown.judges), default=0)
        for row in shown.judges:
            self.write_lines(f"{row.member.name:<{width}}  {_describe(row)}")
        self.write_lines(
            f"{count(shown.work.done, 'recorded judgement')}, {shown.work.open:,} open. "
            f"Expected end: {_end(shown.forecast)}.",
            ASSUMPTION,
        )


def _describe(row: JudgeRow) -> str:
    pace = f"{row.pace:.0f} an hour" if row.pace else "no time recorded"
    inactive = f", inactive since {row.inactive_since:%Y-%m-%d}" if row.inactive_since else ""
    return f"{row.work.done:,} done, {row.work.open:,} open, {pace}, end: {_end(row.forecast)}{inactive}"


def _end(forecast: Forecast) -> str:
    return f"{forecast.ends_at:%Y-%m-%d}" if forecast.ends_at else f"undefined ({forecast.reason})"
