"""assay serve [--host NAME ...] [--port PORT]"""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.urls import reverse

from assess.backups.before_migration import back_up
from assess.lib import tables
from assess.management import serving
from assess.people.owner_link import create_link, has_owner


class Command(BaseCommand):
    help = (
        "Serve the site with waitress. The database is backed up and updated first if this is necessary. Until an "
        "owner exists, a one-time link to create one is printed."
    )
    needs_tables = False  # creates or updates them itself

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--host",
            action="append",
            type=serving.host_name,
            metavar="NAME",
            help="the host name or IP address to listen on, and the host that browsers may use in the URL (default: "
            "127.0.0.1, this computer only); repeat it to allow more host names",
        )
        serving.add_port_option(parser)

    def handle(self, *, host: list[str] | None, port: int, **_: Any) -> None:
        hosts = host or [serving.LOOPBACK[0]]
        self.check_hosts(hosts)
        server = serving.bind(hosts[0], port)
        for name in hosts:
            serving.allow_host(name)
        self.update_database()
        address = self.address(hosts, port)
        self.stdout.write(f"Assay is running at {address}\nThe data are in {settings.DATA_DIR}")
        if not has_owner():
            self.stdout.write("\nThere is no owner yet. Create one with this link, which is valid for 24 hours:")
            self.stdout.write(f"  {address.rstrip('/')}{reverse('account:owner_link', args=[create_link()])}")
        self.stdout.write("\nStop it with Ctrl-C.")
        self.stdout.flush()
        serving.run(server, lambda: self.stdout.write("Stopped."))

    def address(self, hosts: list[str], port: int) -> str:
        """The address to type into a browser: that of the proxy if there is one."""
        names = [host for host in hosts if host not in serving.ALL_ADDRESSES]
        public = [name for name in names if name not in serving.LOOPBACK]
        return f"https://{public[0]}/" if settings.BEHIND_PROXY and public else serving.url(names[0], port)

    def check_hosts(self, hosts: list[str]) -> None:
        """Refuse what cannot work, and warn if passwords would travel unencrypted."""
        if not (settings.PLAIN_HTTP or settings.BEHIND_PROXY):
            raise CommandError(
                "`serve` uses plain HTTP. Set ASSAY_BEHIND_PROXY=1 if a proxy in front terminates TLS, "
                "or remove ASSAY_PLAIN_HTTP=0."
            )
        if all(host in serving.ALL_ADDRESSES for host in hosts):
            raise CommandError(
                f"{hosts[0]} means all addresses. Also give the host name that people enter in the browser: "
                f"--host {hosts[0]} --host assay.example.org"
            )
        if hosts[0] not in serving.LOOPBACK and not settings.BEHIND_PROXY:
            self.stderr.write(
                "Warning: passwords and judgements are sent unencrypted. Use this only on a network you trust, "
                "or put a proxy with TLS in front, as the documentation on serving explains."
            )

    def update_database(self) -> None:
        """Create the tables, or back the database up and migrate it."""
        state = tables.state()
        tables.refuse_unusable(state)
        if state is tables.State.BEHIND:
            if path := tables.sqlite_path():
                self.stdout.write(f"Backed up the database to {back_up(path)}")
            else:
                self.stderr.write("The database will be updated. Back up with `assay backup` every night.")
        if state is not tables.State.CURRENT:
            doing = "Creating" if state is tables.State.EMPTY else "Updating"
            self.stdout.write(f"{doing} the database in {settings.DATA_DIR} ...")
            self.stdout.flush()  # at once, because this takes seconds
            tables.create()
            self.stdout.write("Done.")
