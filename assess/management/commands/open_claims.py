"""manage.py open_claims --collection NAME (--judges K [--minutes M] | --close)"""

from django.core.management.base import CommandError

from assess import claims
from assess.management.base import CollectionCommand, positive


class Command(CollectionCommand):
    help = "Let any assessor take the next task until each has K different ones; or go back to tasks given out."

    def add_arguments(self, parser):
        super().add_arguments(parser)
        which = parser.add_mutually_exclusive_group(required=True)
        which.add_argument("--judges", type=positive, metavar="K", help="assessors a task")
        which.add_argument("--close", action="store_true", help="nothing more is claimed; open claims stay as they are")
        parser.add_argument("--minutes", type=positive, metavar="M", help="until a claim lapses and goes back")

    def work(self, collection, *, judges, close, minutes, **_):
        if close and minutes:
            raise CommandError("--minutes is of claims, and --close ends them; give one of the two.")
        self.say(*(_closed(collection) if close else _opened(collection, judges, minutes)))


def _closed(collection) -> list[str]:
    kept = claims.close(collection)
    return [f"{collection} is closed to claims; {kept:,} open claims are given out to their assessors now."]


def _opened(collection, judges: int, minutes: int | None) -> list[str]:
    done = claims.open(collection, judges, minutes)
    told = [
        f"{collection} is open to claims: {done.tasks:,} tasks, {done.judges} assessors each; a claim lapses after "
        f"{collection.claim_minutes} minutes."
    ]
    if done.more:
        told.append(f"{done.more:,} tasks have more assessors than that already, who keep them.")
    if done.claims:
        told.append(f"{done.claims:,} assignments given out before and not judged are claims now, and lapse as such.")
    return told
