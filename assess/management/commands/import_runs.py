"""assay import_runs --collection NAME [--score-precision float32] FILE [FILE ...]"""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from assess.management.base import ImportCommand, progress_bar
from assess.models import Collection, Run
from assess.transfer.imports import import_runs
from pooling.paths import matching_paths
from pooling.words import count


class Command(ImportCommand):
    help = (
        "Import run files (six columns, plain, .gz, .bz2 or .xz), one system per file. If a file is invalid, nothing "
        "is imported."
    )
    item_noun = "lines"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("files", nargs="+", metavar="FILE", help="run files, or patterns such as 'runs/*.gz'")
        parser.add_argument("--system", help="the name of the system, instead of the tag in the file (one file only)")

        parser.add_argument(
            "--score-precision",
            choices=Run.Precision.values,
            default=Run.Precision.FLOAT64.value,
            help="the precision with which scores are read from then on; float32 ties more scores, like trec_eval "
            "before version 10 (default: %(default)s)",
        )

    def handle_collection(
        self, collection: Collection, *, files: list[str], system: str | None, score_precision: str, **_: Any
    ) -> None:
        try:
            paths = [Path(path) for path in matching_paths(list(map(str, files)))]
        except ValueError as error:
            raise CommandError(str(error)) from None
        with progress_bar(paths) as progress:
            result = import_runs(collection, paths, system, progress, score_precision)
        runs = f"{result.added:,} new, {result.same:,} already imported"
        self.write_lines(f"Read {count(result.read, 'line')} of {count(len(paths), 'run')}: {runs}.", *result.notes)
        if result.added:
            self.write_lines("Next: build_pool adds the documents of these runs to the pool.")
