"""assay unlock_sign_in USER"""

from typing import Any

from django.core.management.base import CommandParser

from assess.management.base import AssessCommand
from assess.people.accounts import find_user
from assess.people.sign_in.throttle import unlock


class Command(AssessCommand):
    help = "Check the passwords of a user again, after too many wrong ones."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("user")

    def handle(self, *, user: str, **_: Any) -> None:
        unlock(find_user(user))
        self.write_lines(f"Passwords for {user} are checked again.")
