"""manage.py assign --collection NAME --judges K [--by-topic]"""

from assess import pools
from assess.management.base import CollectionCommand, positive


class Command(CollectionCommand):
    help = "Give every pooled task to K different assessors, evenly. What was given out before stays."

    def add_arguments(self, parser):
        super().add_arguments(parser)
        parser.add_argument("--judges", type=positive, required=True, metavar="K", help="assessors a task")
        parser.add_argument("--by-topic", action="store_true", help="a topic stays with its assessors")

    def work(self, collection, *, judges, by_topic, **_):
        done = pools.assign(collection, judges, by_topic)
        self.say(
            f"Gave out {done.added:,} assignments of {done.tasks:,} tasks to {done.assessors} assessors; "
            f"each has {done.least:,} to {done.most:,} in all (seed {collection.seed})."
        )
