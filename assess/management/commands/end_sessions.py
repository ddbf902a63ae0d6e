"""assay end_sessions USER"""

from typing import Any

from django.core.management.base import CommandParser

from assess.management.base import AssessCommand
from assess.people.accounts import end_sessions, find_user
from pooling.words import count


class Command(AssessCommand):
    help = "Sign a user out in every browser. The user can sign in again."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("user")

    def handle(self, *, user: str, **_: Any) -> None:
        self.write_lines(f"Ended {count(end_sessions(find_user(user)), 'session')} of {user}.")
