"""assay assign --collection NAME --judges K [--share S] [--by-topic] [--repeats S] [--limit N] [--exclude NAME ...]"""

from typing import Any

from django.core.management.base import CommandParser

from assess.management.base import CollectionCommand, positive_int
from assess.models import Collection
from assess.pools.assign import assign
from pooling.words import count, number_range


class Command(CollectionCommand):
    help = "Assign every pooled task to K different assessors, evenly. Existing assignments are kept."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        judges = parser.add_mutually_exclusive_group(required=True)
        judges.add_argument("--judges", type=positive_int, metavar="K", help="number of assessors for each task")
        judges.add_argument(
            "--everyone",
            type=positive_int,
            metavar="N",
            help="assign N tasks to all assessors, and the other tasks to one assessor each",
        )
        parser.add_argument(
            "--share",
            type=float,
            metavar="S",
            help="assign only this share of the tasks to K assessors, and the others to one assessor each",
        )
        parser.add_argument("--by-topic", action="store_true", help="assign whole topics to the same assessors")
        parser.add_argument(
            "--repeats",
            type=float,
            default=0,
            metavar="S",
            help="assign this share a second time to the same assessor, as hidden repeats",
        )
        parser.add_argument(
            "--limit", type=positive_int, metavar="N", help="the maximum number of assignments per assessor"
        )
        parser.add_argument(
            "--exclude",
            nargs="+",
            default=[],
            metavar="MEMBER",
            help="assessors who get nothing new; what they have counts, except with --everyone",
        )
        parser.add_argument(
            "--topics", nargs="+", default=[], metavar="ID", help="assign only the tasks of these topics"
        )

    def handle_collection(
        self,
        collection: Collection,
        *,
        judges: int | None,
        everyone: int | None,
        share: float | None,
        by_topic: bool,
        repeats: float,
        limit: int | None,
        exclude: list[str],
        topics: list[str],
        **_: Any,
    ) -> None:
        chosen = {"share": share, "shared": everyone, "repeats": repeats, "limit": limit}
        result = assign(collection, judges or 1, by_topic, **chosen, exclude=exclude, topics=topics)
        hidden = f" (including {count(result.repeats, 'hidden repeat')})" if repeats else ""
        where = "in these topics" if topics else "in total"
        self.write_lines(
            f"Created {count(result.added, 'assignment')}{hidden} of {count(result.tasks, 'task')} "
            f"to {count(result.assessors, 'assessor')}. "
            f"Each assessor has {number_range([result.least, result.most], 'assignment')} {where} "
            f"(seed {collection.seed})."
        )
        if result.shortfall:
            self.write_lines(f"Not everything could be assigned: {result.shortfall}.")
