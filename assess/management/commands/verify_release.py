"""assay verify_release [PATH] [--collection NAME] [--name NAME] [--release-version N]"""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from assess.collections.create import find_collection
from assess.judging.ledger import snapshot
from assess.management.base import AssessCommand, positive_int
from assess.releases.archive import read_release
from assess.releases.stored import find_release
from pooling.words import count


class Command(AssessCommand):
    help = (
        "Compute a release again from the ledger up to its checkpoint, and compare every file. Reports every "
        "difference, and exits with 1 if there is one. PATH is the folder or zip file of a release; without it, name a "
        "stored release."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("path", nargs="?", type=Path, metavar="PATH", help="the folder or zip file of a release")
        parser.add_argument(
            "--collection", metavar="NAME", help="the collection (default with PATH: the one that the release names)"
        )
        parser.add_argument("--name", metavar="NAME", help="the name of a stored release")
        parser.add_argument(
            "--release-version",
            type=positive_int,
            metavar="N",
            help="the version of the release (default: the last one)",
        )

    def handle(
        self, *, path: Path | None, collection: str | None, name: str | None, release_version: int | None, **_: Any
    ) -> None:
        from assess.releases.verify import verify_files, verify_stored  # loads pandas

        if (path is None) == (name is None) or (name and not collection):
            raise CommandError("Name the folder or zip file of a release, or a stored one by --collection and --name.")
        only = find_collection(collection) if collection else None
        with snapshot():
            if path is not None:
                result = verify_files(read_release(path), only)
            elif only is not None and name is not None:
                result = verify_stored(find_release(only, name, release_version))
        self.write_lines(*result.notes, *result.problems)
        checked = f"Checked {count(result.files, 'file')} of {result.name} with the manifest {result.manifest_sha256}"
        if result.problems:
            raise CommandError(f"{checked}: {count(len(result.problems), 'difference')}.")
        self.write_lines(f"{checked}: no differences.")
