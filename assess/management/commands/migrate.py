"""assay migrate, which is Django's command and takes over a database that earlier migrations created."""

import sys
from typing import Any

from django.core.management.commands import migrate
from django.db import connections

from assess.lib import earlier_migrations

TO_TAKE_OVER = "The database was created by earlier migrations. `migrate` will take it over."


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        connection = connections[options["database"]]
        only_reports = options["plan"] or options["check_unapplied"]
        if earlier_migrations.is_to_take_over(connection):
            if only_reports:
                self.stdout.write(TO_TAKE_OVER)
                sys.exit(int(options["check_unapplied"]))
            earlier_migrations.take_over(connection)
        super().handle(*args, **options)
