"""assay invite --collection NAME --role ROLE [--uses N] [--days D]"""

from typing import Any

from django.core.management.base import CommandParser
from django.urls import reverse

from assess.management import serving
from assess.management.base import CollectionCommand, positive_int
from assess.models import ROLES_OF_PEOPLE, Collection
from assess.people import invitations


class Command(CollectionCommand):
    help = "Print a link that gives people a role in a collection, with a new account or with the one they have."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--role", required=True, choices=[role.value for role in ROLES_OF_PEOPLE])
        parser.add_argument("--uses", type=positive_int, default=1, help="how many people may use it (default: 1)")
        parser.add_argument(
            "--days",
            type=positive_int,
            default=invitations.DEFAULT_DAYS,
            help=f"how long it is valid (default: {invitations.DEFAULT_DAYS})",
        )
        parser.add_argument("--note", default="", help="what the list of invitations calls it")
        parser.add_argument("--pseudonym", default="", help="the name in exports and figures (default: ROLE-1, ...)")
        parser.add_argument("--address", metavar="URL", help="the URL of the site (default: http://127.0.0.1:PORT)")
        serving.add_port_option(parser)

    def handle_collection(self, collection: Collection, *, address: str | None, port: int, **options: Any) -> None:
        names = ("role", "uses", "days", "note", "pseudonym")
        token = invitations.create(collection, None, **{name: options[name] for name in names})
        site = address or serving.url(serving.LOOPBACK[0], port)
        self.write_lines(f"{site.rstrip('/')}{reverse('invitation:open', args=[token])}")
