"""assay export_judgements --collection NAME [--set development|test] [--with-withdrawn] [--out FILE]"""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from assess.audit import judgements_subject
from assess.collections.sight import sighted_names
from assess.management.base import ExportCommand, add_set_option
from assess.models import Collection
from assess.transfer.exports import as_csv, count_withdrawn, judgement_rows
from pooling.words import count


class Command(ExportCommand):
    help = "Write the raw judgements as CSV, with the details that the ledger holds for each."
    item_noun = "judgement"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        add_set_option(parser)
        parser.add_argument(
            "--with-withdrawn", action="store_true", help="also the judgements of withdrawn judges (default: left out)"
        )

    def handle_collection(
        self, collection: Collection, *, topic_set: str, with_withdrawn: bool, out: Path | None, **_: Any
    ) -> None:
        rows = judgement_rows(collection, topic_set, with_withdrawn)
        subject = judgements_subject(topic_set)
        self.write_output(collection, subject, as_csv(rows, sighted_names(collection)), out, len(rows), with_withdrawn)
        if not with_withdrawn and (left_out := count_withdrawn(collection, topic_set)):
            # Standard output may be the file.
            self.stderr.write(f"Left out {count(left_out, 'judgement')} of withdrawn judges (see --with-withdrawn).")
