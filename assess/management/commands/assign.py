"""manage.py assign --collection NAME --judges K [--share S] [--by-topic] [--repeats S] [--limit N]"""

from assess.management.base import CollectionCommand, positive
from assess.pools.assign import assign


class Command(CollectionCommand):
    help = "Give every pooled task to K different assessors, evenly. What was given out before stays."

    def add_arguments(self, parser):
        super().add_arguments(parser)
        judges = parser.add_mutually_exclusive_group(required=True)
        judges.add_argument("--judges", type=positive, metavar="K", help="assessors a task")
        judges.add_argument("--everyone", type=positive, metavar="N", help="N tasks to everybody, the others to one")
        parser.add_argument(
            "--share", type=float, metavar="S", help="only this share to K assessors, the others to one"
        )
        parser.add_argument("--by-topic", action="store_true", help="a topic stays with its assessors")
        parser.add_argument(
            "--repeats", type=float, default=0, metavar="S", help="this share a second time, to the same assessor"
        )
        parser.add_argument("--limit", type=positive, metavar="N", help="the most that each assessor has in all")

    def work(self, collection, *, judges, everyone, share, by_topic, repeats, limit, **_):
        done = assign(collection, judges or 1, by_topic, share=share, shared=everyone, repeats=repeats, limit=limit)
        hidden = f", {done.repeats:,} of them hidden repeats," if repeats else ""
        self.say(
            f"Gave out {done.added:,} assignments{hidden} of {done.tasks:,} tasks to {done.assessors} assessors; "
            f"each has {done.least:,} to {done.most:,} in all (seed {collection.seed})."
        )
        if done.shortfall:
            self.say(f"Not everything could be assigned: {done.shortfall}.")
