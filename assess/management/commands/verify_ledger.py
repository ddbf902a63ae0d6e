"""assay verify_ledger [--collection NAME] [--head HASH] [--archive FILE]"""

from itertools import chain
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.db import DatabaseError
from tqdm import tqdm

from assess.backups.verify import archive_differences
from assess.collections.create import find_collection
from assess.judging.checkpoints import find_checkpoint, problems_with
from assess.judging.ledger import chain_count, ledger_problems, ledger_size, record_verification, snapshot
from assess.management.base import AssessCommand
from assess.models import Collection
from pooling.words import count

MIN_JUDGEMENTS_FOR_BAR = 50_000  # fewer are verified before a bar would be noticed


class Command(AssessCommand):
    help = (
        "Verify the ledger of judgements: its chains of hashes, its checkpoints and triggers, the current judgements, "
        "and the texts that assessors saw. Reports every difference, and exits with 1 if there is one. The audit log "
        "records the result."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--collection", metavar="NAME", help="default: all collections")
        parser.add_argument(
            "--head",
            metavar="HASH",
            help="the hash of a checkpoint that was kept outside the database, or its first digits",
        )
        parser.add_argument(
            "--archive", metavar="FILE", help="also compare the ledger with the checkpoints in a backup"
        )

    def handle(self, *, collection: str | None, head: str | None, archive: str | None, **_: Any) -> None:
        only = find_collection(collection) if collection else None
        if head is not None:
            self._check_head(head)
        with snapshot():
            size, chains = ledger_size(only), chain_count(only)
            differences = self._report_differences(only, archive, size.judgements)
        self._record(chains, size.events, differences, only)
        checked = f"Checked {count(size.judgements, 'judgement')} and {count(size.events, 'ledger event')}"
        if differences:
            raise CommandError(f"{checked}: {count(differences, 'difference')}.")
        self.write_lines(f"{checked}: no differences.")

    def _check_head(self, head: str) -> None:
        """Compare the ledger with a checkpoint. The other differences are reported as without it."""
        checkpoint = find_checkpoint(head)
        if checkpoint is None:
            self.write_lines(
                f"There is no checkpoint {head}: it was deleted or changed, or it belongs to another database."
            )
            raise CommandError("Checked the checkpoint: 1 difference.")
        if not list(problems_with(checkpoint)):
            self.write_lines(
                f"Nothing was changed up to checkpoint {checkpoint.hash}: {count(checkpoint.events, 'event')}."
            )

    def _record(self, chains: int, events: int, differences: int, only: Collection | None) -> None:
        """Record the result. A copy of the database that cannot be written is verified all the same."""
        try:
            record_verification(chains, events, differences, only)
        except DatabaseError as error:
            reason = " ".join(str(error).split())
            self.write_lines(f"The audit log does not have this verification, because it cannot be written: {reason}.")

    def _report_differences(self, only: Collection | None, archive: str | None, judgements: int) -> int:
        count = 0
        hidden = None if judgements > MIN_JUDGEMENTS_FOR_BAR else True
        with tqdm(total=judgements, unit=" judgements", disable=hidden) as bar:
            since = archive_differences(archive, only) if archive else ()
            for count, difference in enumerate(chain(since, ledger_problems(only, bar.update)), start=1):  # noqa: B007
                bar.clear()
                self.write_lines(difference)
        return count
