"""assay import_runs --collection NAME [--name-by-file] [--score-precision float32] FILE [FILE ...]"""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from assess.management.base import ImportCommand, progress_bar
from assess.models import Collection, Run
from pooling.paths import matching_paths, name_in, name_of
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
        names.add_argument(
            "--name-pattern",
            metavar="PATTERN",
            help="where the system stands in the name of a file, such as '{system}.run.gz'; * is any text",
        )
        parser.add_argument(
            "--score-precision",
            choices=Run.Precision.values,
            default=Run.Precision.FLOAT64.value,
            help="the precision with which scores are read from then on; float32 ties more scores, like trec_eval "
            "before version 10 (default: %(default)s)",
        )

    def handle_collection(
        self,
        collection: Collection,
        *,
        files: list[str],
        system: str | None,
        name_by_file: bool,
        name_pattern: str | None,
        score_precision: str,
        **_: Any,
    ) -> None:
        from assess.transfer.import_record import SourceFile
        from assess.transfer.imports import import_runs

        try:
            paths = [Path(path) for path in matching_paths(list(map(str, files)))]
            named = [_given_name(path, name_by_file, name_pattern) for path in paths]
        except ValueError as error:
            raise CommandError(str(error)) from None
        sources = [SourceFile(path, str(path), name) for path, name in zip(paths, named, strict=True)]
        with progress_bar(paths) as progress:
            result = import_runs(collection, sources, system, progress, score_precision)
        runs = f"{result.added:,} new, {result.same:,} already imported"
        self.write_lines(f"Read {count(result.read, 'line')} of {count(len(paths), 'run')}: {runs}.", *result.notes)
        if result.added:
            self.write_lines("Next: build_pool adds the documents of these runs to the pool.")


def _given_name(path: Path, name_by_file: bool, name_pattern: str | None) -> str:
    """Return the name that the options give the system of a file; empty if the tag in the file is the name."""
    from assess.transfer.imports import SYSTEM

    if name_by_file:
        return name_of(path)
    return name_in(path, name_pattern, SYSTEM) if name_pattern else ""
