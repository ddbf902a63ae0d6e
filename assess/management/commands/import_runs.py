"""assay import_runs --collection NAME [--name-by-file] [--score-precision float32] FILE [FILE ...]"""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from assess.management.base import ImportCommand, progress_bar
from assess.management.import_arguments import add_options, chosen
from assess.models import Collection
from assess.transfer.import_record import SourceFile
from assess.transfer.runs import RunOptions, import_runs
from pooling.paths import matching_paths, name_of
from pooling.words import count


class Command(ImportCommand):
    help = (
        "Import run files (six columns, plain, .gz, .bz2 or .xz), one system per file. If a file is invalid, nothing "
        "is imported."
    )
    item_noun = "line"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("files", nargs="+", metavar="FILE", help="run files, or patterns such as 'runs/*.gz'")
        names = parser.add_mutually_exclusive_group()
        names.add_argument("--system", help="the name of the system, instead of the tag in the file (one file only)")
        names.add_argument(
            "--name-by-file", action="store_true", help="name each system after its file, not after the tag in the file"
        )
        add_options(names, RunOptions, "system_pattern")
        add_options(parser, RunOptions, "score_precision", "repair_run_ids")

    def handle_collection(
        self, collection: Collection, *, files: list[str], system: str | None, name_by_file: bool, **arguments: Any
    ) -> None:
        options = RunOptions(**chosen(RunOptions, arguments))
        try:
            paths = [Path(path) for path in matching_paths(list(map(str, files)))]
        except ValueError as error:
            raise CommandError(str(error)) from None
        sources = [SourceFile(path, str(path), name_of(path) if name_by_file else system) for path in paths]
        with progress_bar(paths) as progress:
            result = import_runs(collection, sources, options, progress)
        runs = f"{result.added:,} new, {result.same:,} already imported"
        self.write_lines(f"Read {count(result.read, 'line')} of {count(len(paths), 'run')}: {runs}.", *result.notes)
        if result.added:
            self.write_lines("Next: build_pool adds the documents of these runs to the pool.")
