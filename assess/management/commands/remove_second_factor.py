"""assay remove_second_factor USER"""

from typing import Any

from django.core.management.base import CommandParser

from assess.management.base import AssessCommand
from assess.people.accounts import find_user


class Command(AssessCommand):
    help = "Let a user sign in without a code, for example after a phone was lost."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("user")

    def handle(self, *, user: str, **_: Any) -> None:
        from assess.people.sign_in.two_factor import remove_second_factor

        remove_second_factor(find_user(user))
        self.write_lines(f"{user} signs in with the password only.")
