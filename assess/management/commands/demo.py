"""assay demo [--port PORT] [--no-serve]"""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from assess.errors import Refused
from assess.lib import tables
from assess.management import serving


class Command(BaseCommand):
    help = "Create the demo collection if it does not exist, print the logins, and serve it on 127.0.0.1."
    needs_tables = False  # creates or updates them itself

    def add_arguments(self, parser: ArgumentParser) -> None:
        serving.add_port_option(parser)
        parser.add_argument("--no-serve", action="store_true", help="stop after printing the logins")

    def handle(self, *, port: int, no_serve: bool, **_: Any) -> None:
        host = serving.LOOPBACK[0]
        server = None if no_serve else serving.bind(host, port)
        tables.create()
        logins = self.load()
        self.stdout.write(f"\nAssay is running at {serving.url(host, port)}\n\n  name         password")
        for name, password in logins.items():
            self.stdout.write(f"  {name:<12} {password}")
        if server:
            self.stdout.write("\nStop it with Ctrl-C.")
            self.stdout.flush()
            serving.run(server, lambda: self.stdout.write("Stopped."))

    def load(self) -> dict[str, str]:
        """Load the collection into a database that holds nothing else, and return the logins."""
        from assess.demo import loading
        from assess.models import Collection

        if Collection.objects.exclude(slug=loading.SLUG).exists():
            raise CommandError(
                "This database holds other collections. The demo needs a database of its own: assay demo --data DIR"
            )
        try:
            for line in loading.load():
                self.stdout.write(line)
        except Refused as refusal:
            raise CommandError(str(refusal)) from None
        return loading.logins()
