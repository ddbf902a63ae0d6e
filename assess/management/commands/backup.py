"""assay backup [FILE_OR_FOLDER] [--keep N]"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.core.management.base import CommandError, CommandParser
from tqdm import tqdm

from assess.backups.manifest import FOLDER
from assess.management.base import SECONDS_BEFORE_BAR, AssessCommand, positive_int

if TYPE_CHECKING:
    from assess.backups.create import Backup


class Command(AssessCommand):
    help = (
        "Back up the database, the run files, the secret key and the list of erasures to one archive, while people "
        "judge. Keep the archive private, and keep the printed checkpoints in another place."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "target",
            nargs="?",
            type=Path,
            metavar="FILE_OR_FOLDER",
            help=f"a new file ending with .zip, or a folder (default: the folder {FOLDER} in the data directory)",
        )
        parser.add_argument(
            "--keep", type=positive_int, metavar="N", help="afterwards, delete all but the newest N archives there"
        )

    def handle(self, *, target: Path | None, keep: int | None, **_: Any) -> None:
        from assess.backups.create import back_up  # loads pandas

        with tqdm(unit="B", unit_scale=True, desc="Backup", disable=None, delay=SECONDS_BEFORE_BAR) as bar:
            backup = back_up(target, keep, bar.update)
        self._report(backup)
        if backup.missing_runs:
            raise CommandError(
                f"The backup has everything except {len(backup.missing_runs):,} run files that are missing or damaged "
                f"in the data directory, such as {backup.missing_runs[0]}. No older archive was deleted."
            )

    def _report(self, backup: "Backup") -> None:
        self.write_lines(f"Wrote {backup.path} ({backup.size:,} bytes).")
        for each in backup.collections:
            self.write_lines(f"Checkpoint of {each.slug}: {each.checkpoint}")
        if backup.deleted:
            self.write_lines(f"Deleted {len(backup.deleted):,} older archives.")
