"""assay add_member --collection NAME --role ROLE [--allow-sighted] USER"""

from typing import Any

from django.core.management.base import CommandParser

from assess.collections.members import add_member
from assess.management.base import CollectionCommand
from assess.models import ROLES_OF_PEOPLE, Collection


class Command(CollectionCommand):
    help = "Give a user a role in a collection. A new user is created with a random password."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("user")
        parser.add_argument("--role", required=True, choices=[role.value for role in ROLES_OF_PEOPLE])
        parser.add_argument("--pseudonym", default="", help="the name in exports and figures (default: ROLE-1, ...)")
        parser.add_argument(
            "--allow-sighted",
            action="store_true",
            help="let somebody judge who could see the runs; pages, exports and releases say so",
        )

    def handle_collection(
        self, collection: Collection, *, user: str, role: str, pseudonym: str, allow_sighted: bool, **_: Any
    ) -> None:
        member, password = add_member(collection, user, role, pseudonym, allow_sighted=allow_sighted)
        self.write_lines(f"{user} is now {role} of {collection}, with the pseudonym {member.name}.")
        if password:
            self.write_lines(f"New user {user}, password {password}")
