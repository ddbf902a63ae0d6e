"""assay backup [FILE_OR_FOLDER] [--keep N] [--keep-days N]"""

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
            metavar="FILE_OR_FOLDER",
            help="a new file ending with .zip, a folder, or s3://bucket/folder (default: ASSAY_BACKUP_DIR, or the "
            f"folder {FOLDER} in the data directory)",
        )
        parser.add_argument(
            "--keep", type=positive_int, metavar="N", help="afterwards, delete all but the newest N archives there"
        )

        parser.add_argument(
            "--keep-days", type=positive_int, metavar="N", help="afterwards, delete archives there older than N days"
        )

    def handle(self, *, target: str | None, keep: int | None, keep_days: int | None, **_: Any) -> None:
        from assess.backups.create import Kept, back_up  # loads pandas

        kept = Kept(keep, keep_days) if keep or keep_days else None
        with tqdm(unit="B", unit_scale=True, desc="Backup", disable=None, delay=SECONDS_BEFORE_BAR) as bar:
            backup = back_up(target, kept, bar.update)
        self._report(backup)
        if backup.problem:
            raise CommandError(backup.problem)

    def _report(self, backup: "Backup") -> None:
        self.write_lines(f"Wrote {backup.address} ({backup.size:,} bytes), and verified it.")
        for each in backup.collections:
            self.write_lines(f"Checkpoint of {each.slug}: {each.checkpoint}")
        if backup.deleted:
            self.write_lines(f"Deleted {len(backup.deleted):,} older archives.")
