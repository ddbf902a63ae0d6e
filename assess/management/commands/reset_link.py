"""assay reset_link USER [--address URL]"""

from typing import Any

from django.core.management.base import CommandParser
from django.urls import reverse

from assess.management import serving
from assess.management.base import AssessCommand
from assess.people.accounts import find_user
from assess.people.sign_in.reset_links import create_reset_link


class Command(AssessCommand):
    help = "Print a link with which a user sets a new password. It is valid once, for 24 hours."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("user")
        parser.add_argument("--address", metavar="URL", help="the URL of the site (default: http://127.0.0.1:PORT)")
        serving.add_port_option(parser)

    def handle(self, *, user: str, address: str | None, port: int, **_: Any) -> None:
        site = address or serving.url(serving.LOOPBACK[0], port)
        token = create_reset_link(find_user(user))
        self.write_lines(f"{site.rstrip('/')}{reverse('account:reset_link', args=[token])}")
