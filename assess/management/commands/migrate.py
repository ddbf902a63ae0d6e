"""assay migrate: Django's command, which is quick for an empty database and takes over those of earlier migrations."""

import sys
from typing import Any

from django.core.management.commands import migrate
from django.db import connections

from assess.lib import earlier_migrations, new_database

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
        elif not (only_reports or options["app_label"] or options["fake"]) and new_database.is_empty(connection):
            new_database.create_tables(connection)
        super().handle(*args, **options)
