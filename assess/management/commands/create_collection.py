"""manage.py create_collection NAME --owner USER, with a scale, guidelines and rules of judging"""

from pathlib import Path

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from assess.collections.create import create_collection
from assess.collections.members import add_member
from assess.collections.scale import BINARY_GRADES
from assess.errors import Refused
from assess.judging.rules import change_rules
from assess.management.guidelines_file import text_of
from assess.management.rule_options import add_rule_options, given_rules
from assess.models import Role


class Command(BaseCommand):
    help = "Make a collection with its declared scale and its owner."

    def add_arguments(self, parser):
        parser.add_argument("name", help="letters, digits, - and _: the collection's name in addresses")
        parser.add_argument("--owner", required=True, metavar="USER")
        parser.add_argument("--title", default="", help="how pages call it")
        parser.add_argument("--guidelines", type=Path, metavar="FILE", help="what assessors are told (Markdown)")
        parser.add_argument(
            "--grade",
            action="append",
            metavar="VALUE=NAME[ #RRGGBB][:MEANING]",
            help="a step of the scale, from 0 to 9, perhaps with a colour of its own; repeat it "
            f"(default: {' and '.join(BINARY_GRADES)})",
        )
        add_rule_options(parser)

    def handle(self, *, name, owner, title, guidelines, grade, **options):
        try:
            text = text_of(guidelines) if guidelines else None
            with transaction.atomic():
                collection = create_collection(name, title, grade or BINARY_GRADES, guidelines=text)
                change_rules(collection, **given_rules(options))
                _, password = add_member(collection, owner, Role.OWNER)
        except OSError as error:
            raise CommandError(f"{guidelines}: {error.strerror or error}; nothing was changed.") from None
        except Refused as refusal:
            raise CommandError(str(refusal)) from None
        self.stdout.write(f"Made {name}: grades {', '.join(map(str, collection.grades.all()))}.")
        if password:
            self.stdout.write(f"New user {owner}, password {password}")
