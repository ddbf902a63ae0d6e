"""assay allow_host [HOST] [--remove]"""

from typing import Any

from django.core.management.base import CommandParser

from assess.hosts import allow_host, remove_host
from assess.management.base import AssessCommand
from assess.models import AllowedHost


class Command(AssessCommand):
    help = "Allow the site to ask a host, such as that of a search engine; without a host, list those that are allowed."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "host", nargs="?", help="a name, an address or a network, such as search.example.org:9200 or 10.0.0.0/8"
        )
        parser.add_argument("--remove", action="store_true", help="remove the host from the list")

    def handle(self, *, host: str | None, remove: bool, **_: Any) -> None:
        if host and remove:
            remove_host(host)
        elif host:
            host = allow_host(host).host
        self.write_lines("\n".join(AllowedHost.objects.values_list("host", flat=True)) or "No host is allowed.")
