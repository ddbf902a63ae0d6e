"""assay restore FILE [--yes] [--damaged]"""

import sys
from typing import TYPE_CHECKING, Any

from django.core.management.base import CommandError, CommandParser
from tqdm import tqdm

from assess.management.base import MOST_PROBLEMS, SECONDS_BEFORE_BAR, AssessCommand

if TYPE_CHECKING:
    from assess.backups.restore import Restore, Restored

ANSWER = "replace"


class Command(AssessCommand):
    help = (
        "Replace the site's data with those of an archive. All sessions and links end, and people who were erased "
        "since stay erased. Stop the server first. Exits with 1 if the archive cannot be used or its ledger is damaged."
    )
    needs_tables = False  # replaces them

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE", help="an archive: a path, or s3://bucket/folder/name.zip")
        parser.add_argument("--yes", action="store_true", help="do not ask before replacing existing data")
        parser.add_argument("--damaged", action="store_true", help="restore the archive even if its ledger is damaged")

    def handle(self, *, file: str, yes: bool, damaged: bool, **_: Any) -> None:
        from assess.backups.restore import Damaged, opened  # loads pandas
        from assess.backups.stores import local_file

        bar = tqdm(unit="B", unit_scale=True, desc="Verify", disable=None, delay=SECONDS_BEFORE_BAR)
        with local_file(file) as path, bar, opened(path, bar.update) as restore:
            bar.close()
            if not (yes or restore.present.is_empty):
                self._confirm(restore)
            try:
                restored = restore.run(accept_damage=damaged)
            except Damaged as damage:
                self._report_problems(damage.problems)
                raise CommandError(f"{damage} `--damaged` restores it all the same.") from None
        self._report(file, restored)

    def _confirm(self, restore: "Restore") -> None:
        made = f"{restore.manifest.created_at:%Y-%m-%d %H:%M} UTC"
        self.write_lines(
            f"This replaces the data of this site ({restore.present.describe()}) by the backup of {made}. Everything "
            "recorded since is lost."
        )
        if not sys.stdin.isatty():
            raise CommandError("Nothing was restored: confirm with --yes.")
        if input(f"Type {ANSWER} to go on: ") != ANSWER:
            raise CommandError("Nothing was restored.")

    def _report(self, file: str, restored: "Restored") -> None:
        manifest = restored.manifest
        self.write_lines(
            f"Restored {file}, the backup of {manifest.created_at:%Y-%m-%d %H:%M} UTC by Assay {manifest.assay}.",
            f"Ended all sessions and links ({restored.ended:,}). Everybody signs in again.",
            f"Entries of the list of erasures that were erased again: {restored.erased:,}.",
        )
        for each in manifest.collections:
            self.write_lines(f"Checkpoint of {each.slug}: {each.checkpoint}")
        if not restored.is_key_used:
            self.write_lines("ASSAY_SECRET_KEY is set, so the archive's secret key was not used.")
        self._report_problems(restored.problems)
        if restored.problems:
            raise CommandError(f"The archive was restored with {len(restored.problems):,} problems.")
        self.write_lines("Verified the ledger: no differences. If a server is running, restart it.")

    def _report_problems(self, problems: list[str]) -> None:
        self.write_lines(*problems[:MOST_PROBLEMS])
        if len(problems) > MOST_PROBLEMS:
            self.write_lines(f"And {len(problems) - MOST_PROBLEMS:,} more.")
