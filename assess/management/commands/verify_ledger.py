"""assay verify_ledger [--collection NAME]"""

from typing import Any

from django.core.management.base import CommandError, CommandParser
from tqdm import tqdm

from assess.collections.create import find_collection
from assess.judging.ledger import ledger_problems, ledger_size, snapshot
from assess.management.base import AssessCommand
from assess.models import Collection

MIN_JUDGEMENTS_FOR_BAR = 50_000  # fewer are verified before a bar would be noticed


class Command(AssessCommand):
    help = "Rebuild the current judgements from the ledger and report every difference. Exits with 1 if there is one."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--collection", metavar="NAME", help="default: all collections")

    def handle(self, *, collection: str | None, **_: Any) -> None:
        only = find_collection(collection) if collection else None
        with snapshot():
            size = ledger_size(only)
            count = self._report_differences(only, size.judgements)
        checked = f"Checked {size.judgements:,} judgements and {size.events:,} ledger events"
        if count:
            raise CommandError(f"{checked}: {count:,} difference{'s' if count > 1 else ''}.")
        self.write_lines(f"{checked}: no differences.")

    def _report_differences(self, only: Collection | None, judgements: int) -> int:
        count = 0
        hidden = None if judgements > MIN_JUDGEMENTS_FOR_BAR else True
        with tqdm(total=judgements, unit=" judgements", disable=hidden) as bar:
            for count, difference in enumerate(ledger_problems(only, bar.update), start=1):  # noqa: B007
                bar.clear()
                self.write_lines(difference)
        return count
