"""assay create_collection NAME --owner USER [--assessor USER ...], with a scale, guidelines and rules of judging"""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from django.db import transaction

from assess.collections.copied_settings import check_may_copy
from assess.collections.create import create_collection, find_collection
from assess.collections.members import add_member
from assess.collections.scale import BINARY_GRADES, SCALE_TEMPLATES, scale_template
from assess.judging.rules import change_rules
from assess.management.base import AssessCommand
from assess.management.guidelines_file import read_guidelines
from assess.management.rule_options import add_rule_options, rules_from_options
from assess.models import Collection, Role, User


class Command(AssessCommand):
    help = "Create a collection with its scale, its owner and its assessors. New users get a random password."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="the collection's name in URLs: letters, digits, - and _")
        parser.add_argument("--owner", required=True, metavar="USER")
        parser.add_argument(
            "--assessor", action="append", default=[], metavar="USER", help="an assessor; repeat it for several"
        )
        parser.add_argument("--title", default="", help="the name shown on pages (default: NAME)")
        parser.add_argument("--description", default="", help="for researchers; assessors never see it")
        parser.add_argument("--assessor-description", default="", help="for assessors")
        parser.add_argument("--guidelines", type=Path, metavar="FILE", help="guidelines for assessors (Markdown)")
        scale = parser.add_mutually_exclusive_group()
        scale.add_argument(
            "--scale", choices=list(SCALE_TEMPLATES), help="a predefined scale: 0 and 1, 0 to 2, or 0 to 3"
        )
        scale.add_argument(
            "--grade",
            action="append",
            metavar="VALUE=NAME[ #RRGGBB][:MEANING]",
            help="a grade of the scale, with a value from 0 to 9 and optionally a colour and a meaning; repeat for "
            f"each grade (default: {' and '.join(BINARY_GRADES)})",
        )
        parser.add_argument(
            "--copy-from",
            metavar="COLLECTION",
            help="copy scale, rules of judging and guidelines from a collection in which the owner is owner or "
            "researcher",
        )
        add_rule_options(parser)

    def handle(
        self,
        *,
        name: str,
        owner: str,
        assessor: list[str],
        guidelines: Path | None,
        scale: str | None,
        grade: list[str] | None,
        copy_from: str | None,
        **options: Any,
    ) -> None:
        text = read_guidelines(guidelines) if guidelines else None
        with transaction.atomic():
            collection = create_collection(
                name,
                options["title"],
                scale_template(scale) if scale else grade,
                description=options["description"],
                assessor_description=options["assessor_description"],
                guidelines=text,
                source=_source(copy_from, owner) if copy_from else None,
            )
            change_rules(collection, **rules_from_options(options))
            passwords = {owner: add_member(collection, owner, Role.OWNER)[1]}
            for user in assessor:
                passwords[user] = add_member(collection, user, Role.ASSESSOR)[1]
        self.write_lines(f"Created {name} with the grades {', '.join(map(str, collection.grades.all()))}.")
        for user, password in passwords.items():
            if password:
                self.write_lines(f"New user {user}, password {password}")


def _source(slug: str, owner: str) -> Collection:
    source = find_collection(slug)
    user = User.objects.filter(username=owner).first()
    check_may_copy(user or User(username=owner), source)
    return source
