"""assay status [--json]"""

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from django.core.management.base import CommandError, CommandParser
from django.core.serializers.json import DjangoJSONEncoder

from assess.management.base import AssessCommand

if TYPE_CHECKING:
    from assess.status import SiteStatus


class Command(AssessCommand):
    help = (
        "Show the state of the site: jobs, disk, database, backup, ledger, email, use and versions. Exits with 1 if "
        "something needs somebody to act."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", dest="as_json", help="print the figures as JSON")

    def handle(self, *, as_json: bool, **_: Any) -> None:
        from assess.status import site_status

        status = site_status()
        self.write_lines(*([_as_json(status)] if as_json else _as_text(status)))
        if status.problems:
            raise CommandError(status.sentence)


def _as_text(status: "SiteStatus") -> list[str]:
    from assess.status import sections

    lines = [status.sentence, *(f"- {each.sentence} {each.advice}" for each in status.problems)]
    for section in sections(status):
        lines += ["", section.title, *(f"  {name}: {value}" for name, value in section.rows)]
    return lines


def _as_json(status: "SiteStatus") -> str:
    figures = {"problems": [asdict(each) for each in status.problems]} | asdict(status)
    return json.dumps(figures, cls=DjangoJSONEncoder, indent=2)
