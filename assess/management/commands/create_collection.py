"""assay create_collection NAME --owner USER [--assessor USER ...], with a scale, guidelines and rules of judging"""

from pathlib import Path

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from assess import collections
from assess.errors import Refused
from assess.judging import rules as judging_rules
from assess.management.guidelines_file import text_of
from assess.management.rule_options import add_rule_options, given_rules
from assess.models import Role


class Command(BaseCommand):
    help = "Create a collection with its declared scale, its owner and its assessors. New users get a random password."

    def add_arguments(self, parser):
        parser.add_argument("name", help="letters, digits, - and _: the collection's name in addresses")
        parser.add_argument("--owner", required=True, metavar="USER")
        parser.add_argument(
            "--assessor", action="append", default=[], metavar="USER", help="an assessor; repeat it for several"
        )
        parser.add_argument("--title", default="", help="how pages call it")
        parser.add_argument("--guidelines", type=Path, metavar="FILE", help="what assessors are told (Markdown)")
        parser.add_argument(
            "--grade",
            action="append",
            metavar="VALUE=NAME[ #RRGGBB][:MEANING]",
            help="a step of the scale, from 0 to 9, perhaps with a colour of its own; repeat it "
            f"(default: {' and '.join(collections.BINARY)})",
        )
        add_rule_options(parser)

    def handle(self, *, name, owner, assessor, title, guidelines, grade, **options):
        try:
            text = text_of(guidelines) if guidelines else None
            with transaction.atomic():
                collection = collections.create(name, title, grade or collections.BINARY, guidelines=text)
                judging_rules.change(collection, **given_rules(options))
                passwords = {owner: collections.add_member(collection, owner, Role.OWNER)[1]}
                for user in assessor:
                    passwords[user] = collections.add_member(collection, user, Role.ASSESSOR)[1]
        except OSError as error:
            raise CommandError(f"{guidelines}: {error.strerror or error}; nothing was changed.") from None
        except Refused as refusal:
            raise CommandError(str(refusal)) from None
        self.stdout.write(f"Made {name}: grades {', '.join(map(str, collection.grades.all()))}.")
        for user, password in passwords.items():
            if password:
                self.stdout.write(f"New user {user}, password {password}")
