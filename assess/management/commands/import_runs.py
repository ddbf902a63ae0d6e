"""assay import_runs --collection NAME FILE [FILE ...]"""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from assess.management.base import ImportCommand, progress_bar
from assess.models import Collection
from assess.transfer.imports import import_runs


class Command(ImportCommand):
    help = (
        "Import run files (six columns, plain, .gz, .bz2 or .xz), one system per file. If a file is invalid, nothing "
        "is imported."
    )
    item_noun = "lines"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
        parser.add_argument("--system", help="the name of the system, instead of the tag in the file (one file only)")

    def handle_collection(self, collection: Collection, *, files: list[Path], system: str | None, **_: Any) -> None:
        with progress_bar(files) as progress:
            result = import_runs(collection, files, system, progress)
        runs = f"{result.added:,} new, {result.same:,} already imported"
        self.write_lines(f"Read {result.read:,} lines of {len(files):,} runs: {runs}.", *result.notes)
        if result.added:
            self.write_lines("Next: build_pool adds the documents of these runs to the pool.")
