"""manage.py create_collection NAME --owner USER"""

from pathlib import Path

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from assess import collections
from assess.errors import Refused
from assess.models import Role


class Command(BaseCommand):
    help = "Make a collection with its declared scale and its owner."

    def add_arguments(self, parser):
        parser.add_argument("name", help="letters, digits, - and _: the collection's name in addresses")
        parser.add_argument("--owner", required=True, metavar="USER")
        parser.add_argument("--title", default="", help="how pages call it")
        parser.add_argument("--guidelines", type=Path, metavar="FILE", help="what assessors are told (plain text)")
        parser.add_argument(
            "--grade",
            action="append",
            metavar="VALUE=NAME[:MEANING]",
            help=f"a step of the scale, from 0 to 9; repeat it (default: {' and '.join(collections.BINARY)})",
        )

    def handle(self, *, name, owner, title, guidelines, grade, **_):
        try:
            text = _text(guidelines) if guidelines else ""
            with transaction.atomic():
                collection = collections.create(name, title, grade or collections.BINARY, guidelines=text)
                _, password = collections.add_member(collection, owner, Role.OWNER)
        except OSError as error:
            raise CommandError(f"{guidelines}: {error.strerror or error}; nothing was changed.") from None
        except Refused as refusal:
            raise CommandError(str(refusal)) from None
        self.stdout.write(f"Made {name}: grades {', '.join(map(str, collection.grades.all()))}.")
        if password:
            self.stdout.write(f"New user {owner}, password {password}")


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise Refused(f"{path} is not text in UTF-8, as guidelines are.") from None
