"""assay worker"""

from argparse import SUPPRESS, ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.utils.crypto import get_random_string

from assess.management.worker_process import stop_with_parent


class Command(BaseCommand):
    help = (
        "Run background jobs until Ctrl-C or SIGTERM, which let the present job finish. `assay serve` starts a worker; "
        "behind another server, run this as a service of its own."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--once", action="store_true", help="run the jobs that are waiting, then end")
        parser.add_argument("--with-parent", action="store_true", help=SUPPRESS)

    def handle(self, *, once: bool, with_parent: bool, verbosity: int, **_: Any) -> None:
        from django_tasks_db.management.commands import db_worker

        from assess.backups.schedule import start_if_due
        from assess.jobs.recovery import recover
        from assess.jobs.workers import registered

        def look() -> None:
            recover()
            start_if_due()

        if with_parent:
            stop_with_parent()
        with registered(look):
            db_worker.Command().handle(
                verbosity=verbosity - 1,  # the library reports each job at verbosity 1
                queue_name="default",
                interval=1,
                batch=once,
                backend_name="default",
                startup_delay=False,
                reload=False,
                max_tasks=None,
                worker_id=get_random_string(32),
                exclude_queues="",
            )
