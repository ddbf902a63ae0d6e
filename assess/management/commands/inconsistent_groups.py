"""assay inconsistent_groups --collection NAME [--set development|test] [--out FILE]"""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from assess.collections.topic_sets import topics_in_set
from assess.judging.judgement_csv import line
from assess.management.base import ExportCommand, add_set_option
from assess.models import Collection


class Command(ExportCommand):
    help = "Write the groups of near-duplicates that were judged inconsistently as CSV, by judge and for all judges."
    item_noun = "line"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        add_set_option(parser)

    def handle_collection(self, collection: Collection, *, topic_set: str, out: Path | None, **_: Any) -> None:
        from assess.near_duplicates.inconsistent import csv_table, inconsistent_table  # loads pandas

        table = csv_table(inconsistent_table(collection, topics=topics_in_set(collection, topic_set)))
        lines = [line(table.columns), *map(line, table.itertuples(index=False))]
        self.write_output(collection, "inconsistent groups", "".join(lines).encode(), out, len(table))
