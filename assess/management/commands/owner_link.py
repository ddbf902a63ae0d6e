"""assay owner_link [--address URL]"""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.urls import reverse

from assess.management import serving
from assess.people.owner_link import create_link


class Command(BaseCommand):
    help = "Print a link that creates an owner's account. It is valid once, for 24 hours; earlier links become invalid."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--address", metavar="URL", help="the URL of the site (default: http://127.0.0.1:PORT)")
        serving.add_port_option(parser)

    def handle(self, *, address: str | None, port: int, **_: Any) -> None:
        site = address or serving.url(serving.LOOPBACK[0], port)
        self.stdout.write(f"{site.rstrip('/')}{reverse('account:owner_link', args=[create_link()])}")
