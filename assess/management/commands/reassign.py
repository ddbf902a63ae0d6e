"""manage.py reassign --collection NAME --from MEMBER [--to MEMBER ...]"""

from assess.errors import Refused
from assess.management.base import CollectionCommand
from assess.models import Collection, Member
from assess.pools.reassign import ReassignResult, reassign


class Command(CollectionCommand):
    help = "Take an assessor's open work: others share it. What is judged stays."

    def add_arguments(self, parser):
        super().add_arguments(parser)
        parser.add_argument("--from", dest="giver", required=True, metavar="MEMBER", help="by pseudonym")
        parser.add_argument("--to", nargs="+", default=[], metavar="MEMBER", help="default: all other assessors")

    def work(self, collection, *, giver, to, **_):
        member = _member(collection, giver)
        done = reassign(collection, member, [_member(collection, name) for name in to])
        self.say(*_told(collection, member, done))


def _member(collection: Collection, name: str) -> Member:
    try:
        return collection.members.get(name=name)
    except Member.DoesNotExist:
        known = ", ".join(collection.members.filter(role="assessor").values_list("name", flat=True)) or "none"
        raise Refused(f"{collection} has no member {name!r}; its assessors are: {known}.") from None


def _told(collection: Collection, giver: Member, done: ReassignResult) -> list[str]:
    if collection.open_to_claims:
        told = [f"{done.back:,} claims of {giver} went back; whoever asks next gets them."]
    else:
        shares = ", ".join(f"{number:,} to {name}" for name, number in sorted(done.moved.items())) or "nothing moved"
        told = [f"Open work of {giver}: {shares}."]
    if done.stay:
        told.append(f"{done.stay:,} open assignments stay with {giver}: nobody else could take them.")
    told.append(f"{done.settled:,} judged assignments stay.")
    return told
