"""manage.py import_runs --collection NAME FILE [FILE ...]"""

from pathlib import Path

from assess.management.base import ImportCommand, bar
from assess.transfer.imports import import_runs


class Command(ImportCommand):
    help = "Import run files (six columns, plain, .gz, .bz2 or .xz), one system each. All of them or none."
    things = "lines"

    def add_arguments(self, parser):
        super().add_arguments(parser)
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
        parser.add_argument("--system", help="name of the system instead of the file's tag (one file only)")

    def work(self, collection, *, files, system, **_):
        with bar(files) as progress:
            done = import_runs(collection, files, system, progress)
        runs = f"{done.added:,} new, {done.same:,} were here already"
        self.say(f"Read {done.read:,} lines of {len(files):,} runs: {runs}.", *done.notes)
        if done.added:
            self.say("Next: build_pool adds what they bring to the pool.")
