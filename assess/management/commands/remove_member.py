"""assay remove_member --collection NAME MEMBER [--replace-by MEMBER]"""

from typing import Any

from django.core.management.base import CommandParser

from assess.management.base import CollectionCommand
from assess.models import Collection
from assess.people.removal import remove_member, replace_member
from pooling.words import count


class Command(CollectionCommand):
    help = "Remove a person from a collection. Their judgements stay under the pseudonym; open work is returned."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("member", help="a pseudonym")
        parser.add_argument("--replace-by", metavar="MEMBER", help="the assessor who takes over the open work")

    def handle_collection(self, collection: Collection, *, member: str, replace_by: str | None, **_: Any) -> None:
        if replace_by is None:
            removal = remove_member(collection, member)
        else:
            removal = replace_member(collection, member, replace_by)
        moved = f"{count(removal.moved, 'open task')} given to {replace_by}, " if replace_by else ""
        self.write_lines(
            f"Removed {member} from {collection}: {count(removal.judgements, 'judgement')} kept, "
            f"{moved}{count(removal.returned, 'open task')} returned."
        )
