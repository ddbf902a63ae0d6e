"""assay purge [--dry-run]: run it every night."""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from assess.management.base import AssessCommand


class Command(AssessCommand):
    help = (
        "Delete what has expired: sessions, records of failed sign-ins and wrong codes, class exercises, owner links, "
        "old entries of the audit log. Exits with 1 if a part of this fails; the other parts are still done."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="list what would be deleted, without deleting it")

    def handle(self, *, dry_run: bool, **_: Any) -> None:
        from assess.purge import due, purge

        failures = 0
        for outcome in due() if dry_run else purge():
            self.write_lines(outcome.sentence)
            failures += outcome.is_failure
        if failures:
            raise CommandError(f"{failures} of the steps failed; the others were done. Run the command again.")
