"""assay demo [--host NAME] [--port PORT] [--no-serve]"""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.urls import reverse

from assess.errors import Refused
from assess.lib import tables
from assess.management import network, serving


class Command(BaseCommand):
    help = (
        "Create the demo collection if it does not exist, print the logins, and serve it on 127.0.0.1. With --host "
        "0.0.0.0, a class in the same network can open it; the address and its QR code are printed."
    )
    needs_tables = False  # creates or updates them itself

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--host",
            type=serving.host_name,
            default=serving.LOOPBACK[0],
            help="the address to listen on: 127.0.0.1 is this computer only (the default), and 0.0.0.0 is every "
            "network of this computer",
        )
        serving.add_port_option(parser)
        parser.add_argument("--no-serve", action="store_true", help="stop after printing the logins")

    def handle(self, *, host: str, port: int, no_serve: bool, **_: Any) -> None:
        addresses = network.own_addresses(host) if host in serving.ALL_ADDRESSES else [host]
        if not addresses:
            raise CommandError("This computer has no network address. Connect it to the network of the class first.")
        server = None if no_serve else serving.bind(host, port)
        for address in addresses:
            serving.allow_host(address)
        if addresses[0] not in serving.LOOPBACK:
            settings.CLASSROOM_ORIGIN = serving.url(addresses[0], port).rstrip("/")
        tables.create()
        logins = self.load()
        if no_serve:
            self.stdout.write("\nThe demo is loaded. It is not served, because of --no-serve.")
        else:
            self.print_addresses(addresses, port)
        self.print_logins(logins)
        if server:
            self.stdout.write("\nStop it with Ctrl-C.")
            self.stdout.flush()
            serving.run(server, lambda: self.stdout.write("Stopped."))

    def print_addresses(self, addresses: list[str], port: int) -> None:
        first = serving.url(addresses[0], port)
        self.stdout.write(f"\nAssay is running at {first}")
        for other in addresses[1:]:
            self.stdout.write(f"  other address of this computer: {serving.url(other, port)}")
        if addresses[0] not in serving.LOOPBACK:
            self.print_classroom_help(first, port)

    def print_classroom_help(self, address: str, port: int) -> None:
        """Print the QR code, and what to do if other devices cannot connect."""
        join_address = address.rstrip("/") + reverse("join:code")
        self.stdout.write(f"\n{network.qr_code(join_address)}")
        self.stdout.write(
            f"Students join at {join_address} or with this QR code. Test it: open the address on a phone in the\n"
            f"same network. If it does not open, allow incoming connections to TCP port {port} in this computer's\n"
            "firewall, and check that the network lets devices connect to each other (many guest networks do not)."
        )
        self.stderr.write(
            "Warning: passwords and judgements are sent unencrypted. Use this only on a network you trust."
        )

    def print_logins(self, logins: dict[str, str]) -> None:
        self.stdout.write("\n  name         password")
        for name, password in logins.items():
            self.stdout.write(f"  {name:<12} {password}")

    def load(self) -> dict[str, str]:
        """Load the collection into a database that holds nothing else, and return the logins."""
        from assess.demo import loading
        from assess.models import Collection

        if Collection.objects.filter(exercise__isnull=True).exclude(slug=loading.SLUG).exists():
            raise CommandError(
                "This database holds other collections. The demo needs a database of its own: assay demo --data DIR"
            )
        try:
            for line in loading.load():
                self.stdout.write(line)
        except Refused as refusal:
            raise CommandError(str(refusal)) from None
        return loading.logins()
