"""assay change_role --collection NAME [--allow-sighted] MEMBER ROLE"""

from typing import Any

from django.core.management.base import CommandParser

from assess.management.base import CollectionCommand
from assess.models import ROLES_OF_PEOPLE, Collection
from assess.people.roles import change_role


class Command(CollectionCommand):
    help = "Give a member of a collection another role. An assessor with work keeps the role."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("member", help="a pseudonym")
        parser.add_argument("role", choices=[role.value for role in ROLES_OF_PEOPLE])

        parser.add_argument(
            "--allow-sighted",
            action="store_true",
            help="let somebody judge who could see the runs; pages, exports and releases say so",
        )

    def handle_collection(
        self, collection: Collection, *, member: str, role: str, allow_sighted: bool, **_: Any
    ) -> None:
        change_role(collection, member, role, allow_sighted=allow_sighted)
        self.write_lines(f"{member} is now {role} of {collection}.")
