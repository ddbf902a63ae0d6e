"""assay group_runs --collection NAME [--group NAME | --no-group] [--run SYSTEM ...]"""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from assess.collections.run_groups import group_runs, groups_by_system, matching_systems
from assess.management.base import CollectionCommand
from assess.models import Collection
from pooling.words import count


class Command(CollectionCommand):
    help = "Group the runs that repeat one system, for example with several seeds, or list the groups."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        where = parser.add_mutually_exclusive_group()
        where.add_argument("--group", metavar="NAME", help="the group that the runs belong to from now on")
        where.add_argument("--no-group", action="store_true", help="take the runs out of their groups")
        parser.add_argument(
            "--run",
            action="append",
            default=[],
            dest="runs",
            metavar="SYSTEM",
            help="a run, or a pattern such as 'dense-seed*'; can be repeated",
        )

    def handle_collection(
        self, collection: Collection, *, group: str | None, no_group: bool, runs: list[str], **_: Any
    ) -> None:
        if group is not None or no_group:
            if group == "":
                raise CommandError("The name of a group is empty; --no-group takes runs out of their groups.")
            result = group_runs(collection, matching_systems(collection, runs), group or "")
            self.write_lines(f"Changed the group of {count(result.changed, 'run')}; {result.same:,} belonged to it.")
        elif runs:
            raise CommandError("--run needs --group NAME or --no-group.")
        members: dict[str, list[str]] = {}
        for system, name in groups_by_system(collection).items():
            members.setdefault(name, []).append(system)
        lines = [f"{name}: {', '.join(systems)}" for name, systems in sorted(members.items())]
        self.write_lines(*(lines or ["There are no groups."]))
