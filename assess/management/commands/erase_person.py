"""assay erase_person USER --grades keep|delete [--except NAME=keep|delete ...] [--yes]"""

import sys
from typing import Any

from django.core.management.base import CommandError, CommandParser

from assess.errors import Refused
from assess.management.base import AssessCommand
from assess.models import User
from assess.people.accounts import find_user
from assess.people.person_erasure import Grades, MemberErasure, erase_person, plan_erasure
from pooling.words import count

CHOICES = [str(grades) for grades in Grades]


class Command(AssessCommand):
    help = "Erase a person: name, account, sessions and comments. The grades stay under a pseudonym or are deleted."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("user")
        parser.add_argument("--grades", required=True, choices=CHOICES, help="what happens to the person's grades")
        parser.add_argument(
            "--except",
            dest="exceptions",
            action="append",
            default=[],
            metavar="NAME=" + "|".join(CHOICES),
            help="another decision for one collection; repeatable",
        )
        parser.add_argument("--yes", action="store_true", help="do not ask")

    def handle(self, *, user: str, grades: str, exceptions: list[str], yes: bool, **_: Any) -> None:
        account, decision, others = find_user(user), Grades(grades), _exceptions(exceptions)
        self.write_lines(*_summary(account, plan_erasure(account, decision, others)))
        if not yes:
            _confirm(user)
        erased = erase_person(account, decision, others)
        self.write_lines(f"Erased {user} from {count(len(erased), 'collection')}.")


def _exceptions(texts: list[str]) -> dict[str, Grades]:
    exceptions = {}
    for text in texts:
        name, _, grades = text.partition("=")
        if grades not in CHOICES or name in exceptions:
            raise Refused(f"--except must be NAME={' or NAME='.join(CHOICES)}, once for each collection, not {text!r}.")
        exceptions[name] = Grades(grades)
    return exceptions


def _summary(user: User, plan: list[MemberErasure]) -> list[str]:
    lines = [f"This erases the account {user}, its sessions and its sign-in records. It cannot be undone."]
    for each in plan:
        subject = f"{each.member.collection}: {count(each.judgements, 'judgement')} of {each.member}"
        if each.grades == Grades.DELETE:
            lines.append(f"{subject} will be deleted.")
        else:
            lines.append(f"{subject} will stay under a neutral pseudonym. Open work is returned.")
    return lines


def _confirm(user: str) -> None:
    """Ask for the name, because a wrong one cannot be brought back."""
    if not sys.stdin.isatty():
        raise CommandError("Nothing was erased: confirm with --yes.")
    if input(f"Type {user} to erase this person: ") != user:
        raise CommandError("Nothing was erased.")
