"""assay set_email USER ADDRESS"""

from typing import Any

from django.core.management.base import CommandParser

from assess.management.base import AssessCommand
from assess.people.accounts import find_user


class Command(AssessCommand):
    help = "Change the email address of a user. An empty address removes it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("user")
        parser.add_argument("email", metavar="ADDRESS")

    def handle(self, *, user: str, email: str, **_: Any) -> None:
        from assess.people.sign_in.email_address import change_email

        account = find_user(user)
        change_email(account, email, None)
        self.write_lines(f"{user} has the email address {account.email}." if account.email else f"{user} has none.")
