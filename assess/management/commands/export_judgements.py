"""assay export_judgements --collection NAME [--set development|test] [--out FILE]"""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from assess.audit import judgements_subject
from assess.management.base import ExportCommand, add_set_option
from assess.models import Collection
from assess.transfer.exports import as_csv, judgement_rows


class Command(ExportCommand):
    help = "Write the raw judgements as CSV, with the details that the ledger holds for each."
    item_noun = "judgement"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        add_set_option(parser)

    def handle_collection(self, collection: Collection, *, topic_set: str, out: Path | None, **_: Any) -> None:
        rows = judgement_rows(collection, topic_set)
        self.write_output(collection, judgements_subject(topic_set), as_csv(rows), out, len(rows))
