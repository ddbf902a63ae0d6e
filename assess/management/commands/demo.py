"""manage.py demo"""

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from assess.errors import Refused


class Command(BaseCommand):
    help = "Make the demo collection if it is not there yet, tell the logins, and serve on 127.0.0.1."

    def add_arguments(self, parser):
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--no-serve", action="store_true", help="stop after telling the logins")

    def handle(self, *, port, no_serve, **_):
        if not settings.DEBUG:
            raise CommandError(
                "The demo has well-known names and is no place for real data: run it with ASSAY_DEBUG=1."
            )
        call_command("migrate", verbosity=0)
        from assess.demo import loading  # after migrating: it needs the tables

        try:
            told = loading.load()
        except Refused as refusal:
            raise CommandError(str(refusal)) from None
        for line in told:
            self.stdout.write(line)
        self.stdout.write(f"\nAssay is at http://127.0.0.1:{port}/\n\n  name         password")
        for name, password in loading.logins().items():
            self.stdout.write(f"  {name:<12} {password}")
        self.stdout.write("\nStop it with Ctrl-C.")
        self.stdout.flush()
        if not no_serve:
            call_command("runserver", f"127.0.0.1:{port}", use_reloader=False)
