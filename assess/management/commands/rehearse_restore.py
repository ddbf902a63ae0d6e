"""assay rehearse_restore [FILE]"""

from typing import Any

from django.core.management.base import CommandError, CommandParser
from tqdm import tqdm

from assess.management.base import MOST_PROBLEMS, SECONDS_BEFORE_BAR, AssessCommand
from pooling.words import count


class Command(AssessCommand):
    help = (
        "Restore an archive to a database of its own, verify it there, and delete that database. The site stays as it "
        "is. Exits with 1 if the archive cannot be restored or has a problem."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "file", nargs="?", metavar="FILE", help="an archive (default: the newest one in ASSAY_BACKUP_DIR)"
        )

    def handle(self, *, file: str | None, **_: Any) -> None:
        from assess.backups.rehearse import rehearse  # loads pandas

        with tqdm(unit="B", unit_scale=True, desc="Verify", disable=None, delay=SECONDS_BEFORE_BAR) as bar:
            rehearsal = rehearse(file, bar.update)
        manifest = rehearsal.manifest
        found = ", ".join(count(number, noun.removesuffix("s")) for noun, number in rehearsal.counts.items())
        self.write_lines(
            f"{rehearsal.address}: the backup of {manifest.created_at:%Y-%m-%d %H:%M} UTC by Assay {manifest.assay} "
            f"has {found}. The restore took {rehearsal.seconds:.1f} s.",
            *(f"Checkpoint of {each.slug}: {each.checkpoint}" for each in manifest.collections),
        )
        self.write_lines(*rehearsal.problems[:MOST_PROBLEMS])
        if rehearsal.problems:
            raise CommandError(f"The archive has {count(len(rehearsal.problems), 'problem')}.")
        self.write_lines("Verified the ledger and the run files: no differences. The site was not changed.")
