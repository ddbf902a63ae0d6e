"""assay reassign --collection NAME --from MEMBER [--to MEMBER ...]"""

from typing import Any

from django.core.management.base import CommandParser

from assess.errors import Refused
from assess.management.base import CollectionCommand
from assess.models import Collection, Member, Role
from assess.pools.reassign import ReassignResult, reassign
from pooling.words import count


class Command(CollectionCommand):
    help = "Move the open assignments of one assessor to others. Judgements are kept."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--from", dest="giver", required=True, metavar="MEMBER", help="a pseudonym")
        parser.add_argument("--to", nargs="+", default=[], metavar="MEMBER", help="default: all other assessors")

    def handle_collection(self, collection: Collection, *, giver: str, to: list[str], **_: Any) -> None:
        member = _member(collection, giver)
        result = reassign(collection, member, [_member(collection, name) for name in to])
        self.write_lines(*_summary(collection, member, result))


def _member(collection: Collection, name: str) -> Member:
    try:
        return collection.members.get(name=name)
    except Member.DoesNotExist:
        assessors = collection.members.filter(role=Role.ASSESSOR).values_list("name", flat=True)
        existing = ", ".join(assessors) or "none"
        raise Refused(f"{collection} has no member {name!r}. Existing assessors: {existing}.") from None


def _summary(collection: Collection, giver: Member, result: ReassignResult) -> list[str]:
    if collection.open_to_claims:
        lines = [f"Released {count(result.back, 'claim')} of {giver}; any assessor can claim the documents now."]
    else:
        shares = ", ".join(f"{number:,} to {name}" for name, number in sorted(result.moved.items())) or "none"
        lines = [f"Moved open assignments of {giver}: {shares}."]
    if result.stay:
        stay = count(result.stay, "open assignment")
        lines.append(f"Left with {giver}, because nobody else can take them: {stay}.")
    lines.append(f"Left with {giver}, because they are judged: {count(result.settled, 'assignment')}.")
    return lines
