"""assay audit_log [--collection NAME] [--out FILE]"""

import sys
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from assess import audit
from assess.collections.create import find_collection
from assess.management.base import AssessCommand
from assess.models import Action
from assess.people.audit import audit_csv, events_of


class Command(AssessCommand):
    help = "Write the audit log as CSV: sign-ins, exports, roles, links and erasures."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--collection", metavar="NAME", help="only the entries of this collection")
        parser.add_argument("--out", type=Path, metavar="FILE", help="default: standard output")

    def handle(self, *, collection: str | None, out: Path | None, **_: Any) -> None:
        only = find_collection(collection) if collection else None
        audit.record(Action.EXPORTED, collection=only, subject="audit log")
        events = events_of(only)
        if out is None:
            sys.stdout.buffer.writelines(line.encode() for line in audit_csv(events))
            sys.stdout.buffer.flush()
            return
        with out.open("wb") as file:
            file.writelines(line.encode() for line in audit_csv(events))
        self.write_lines(f"Wrote the audit log to {out}.")
