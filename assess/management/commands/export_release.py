"""assay export_release --collection NAME --name NAME [--release-version N] --out FOLDER_OR_ZIP"""

import json
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.db import transaction

from agreement.reports.folder import write_folder
from assess.management.base import CollectionCommand, positive_int
from assess.models import Collection
from assess.releases.archive import MANIFEST, unzipped
from assess.releases.stored import archive_of, find_release


class Command(CollectionCommand):
    help = "Write a release as a folder, or as a zip file if the name ends with .zip."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--name", required=True, metavar="NAME", help="the name of the release")
        parser.add_argument(
            "--release-version",
            type=positive_int,
            metavar="N",
            help="the version of the release (default: the last one)",
        )
        parser.add_argument("--out", required=True, type=Path, metavar="PATH", help="a new folder, or a file x.zip")

    def handle_collection(
        self, collection: Collection, *, name: str, release_version: int | None, out: Path, **_: Any
    ) -> None:
        release = find_release(collection, name, release_version)
        with transaction.atomic():  # the file, and the entry of the audit log
            archive = archive_of(release)
            if out.suffix == ".zip":
                out.write_bytes(archive)
            else:
                _write_folder(archive, out)
        self.write_lines(f"Wrote {release.name}, version {release.version}, to {out}.")


def _write_folder(archive: bytes, out: Path) -> None:
    files = unzipped(archive)
    manifest = json.loads(files.pop(MANIFEST))
    try:
        write_folder(out, files, manifest)
    except ValueError as error:
        raise CommandError(str(error)) from None
