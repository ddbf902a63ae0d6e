"""assay top_up --collection NAME [--system NAME ...] [--depth K] [--judges N] [--apply]"""

from typing import Any

from django.core.management.base import CommandParser

from assess.management.base import CollectionCommand, positive_int
from assess.models import Collection
from pooling.words import count


class Command(CollectionCommand):
    help = "Say which of the first documents of new runs are not judged; with --apply, pool and assign them."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--system", action="append", default=[], help="a system; repeat it (default: the new runs)")
        parser.add_argument("--depth", type=positive_int, default=10, metavar="K", help="of each topic (default: 10)")
        parser.add_argument(
            "--judges", type=positive_int, metavar="N", help="assessors for each document (default: as before)"
        )
        parser.add_argument("--apply", action="store_true", help="pool the missing documents and assign them")

    def handle_collection(
        self, collection: Collection, *, system: list[str], depth: int, judges: int | None, apply: bool, **_: Any
    ) -> None:
        from assess.living.state import living_state  # loads pandas
        from assess.living.top_up import top_up

        state = living_state(collection, system, depth)
        self.write_lines(state.sentence())
        for run in state.runs:
            self.write_lines(f"{run.system}: {run.holes:,} of {count(run.documents, 'document')} not judged.")
        if not state.systems or not apply:
            return
        result = top_up(collection, state.systems, depth, judges)
        self.write_lines(f"Added {count(result.tasks, 'task')} and {count(result.assignments, 'assignment')}.")
        self.write_lines(*result.notes)
