"""assay export_qrels --collection NAME --gold RULE [--rel N] [--out FILE]"""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from assess.audit import qrels_subject
from assess.management.base import ExportCommand
from assess.models import Collection
from assess.transfer.exports import export_qrels


class Command(ExportCommand):
    help = "Write a gold as qrels."
    item_noun = "lines"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--gold",
            required=True,
            metavar="RULE",
            help="the rule of the gold: judge:NAME, union, intersection, majority, at_least:2, ...",
        )
        parser.add_argument(
            "--rel", type=int, metavar="N", help="write binary qrels: 1 for grade N and above (default: write grades)"
        )

    def handle_collection(
        self, collection: Collection, *, gold: str, rel: int | None, out: Path | None, **_: Any
    ) -> None:
        content = export_qrels(collection, gold, rel)
        self.write_output(collection, qrels_subject(gold), content, out, content.count(b"\n"))
