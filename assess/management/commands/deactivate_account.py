"""assay deactivate_account USER [--reactivate]"""

from typing import Any

from django.core.management.base import CommandParser

from assess.management.base import AssessCommand
from assess.people.accounts import deactivate_account, find_user, reactivate_account
from pooling.words import count


class Command(AssessCommand):
    help = "Sign a user out everywhere and refuse further sign-ins. Memberships and judgements stay."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("user")
        parser.add_argument("--reactivate", action="store_true", help="let the user sign in again")

    def handle(self, *, user: str, reactivate: bool, **_: Any) -> None:
        account = find_user(user)
        if reactivate:
            reactivate_account(account)
            self.write_lines(f"{user} can sign in again, with the same password.")
            return
        sessions = deactivate_account(account)
        self.write_lines(
            f"{user} can no longer sign in; {count(sessions, 'session')} ended. --reactivate undoes this. "
            "Open tasks stay assigned: reassign gives them to others."
        )
