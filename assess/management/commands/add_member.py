"""manage.py add_member --collection NAME --role ROLE USER"""

from assess.collections.members import add_member
from assess.management.base import CollectionCommand
from assess.models import Role


class Command(CollectionCommand):
    help = "Give a person a role in a collection; a new person gets a random password."

    def add_arguments(self, parser):
        super().add_arguments(parser)
        parser.add_argument("user")
        parser.add_argument("--role", required=True, choices=Role.values)
        parser.add_argument("--pseudonym", default="", help="the name on exports and figures (default: role-1, ...)")

    def work(self, collection, *, user, role, pseudonym, **_):
        member, password = add_member(collection, user, role, pseudonym)
        self.say(f"{user} is {role} of {collection}, called {member.name}.")
        if password:
            self.say(f"New user {user}, password {password}")
