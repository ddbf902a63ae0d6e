"""assay remove_member --collection NAME MEMBER"""

from typing import Any

from django.core.management.base import CommandParser

from assess.management.base import CollectionCommand
from assess.models import Collection
from assess.people.membership.removal import remove_member


class Command(CollectionCommand):
    help = "Remove a person from a collection. Their judgements stay under the pseudonym; open work is returned."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("member", help="a pseudonym")

    def handle_collection(self, collection: Collection, *, member: str, **_: Any) -> None:
        removal = remove_member(collection, member)
        self.write_lines(
            f"Removed {member} from {collection}: {removal.judgements:,} judgements stay, "
            f"{removal.returned:,} open tasks were returned."
        )
