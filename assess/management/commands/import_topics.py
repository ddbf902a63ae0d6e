"""assay import_topics --collection NAME FILE [FILE ...]"""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from assess.management.base import ImportCommand
from assess.models import Collection


class Command(ImportCommand):
    help = "Import topics in any format of docs/formats.md: TREC, XML, TSV or CSV (query_id, title), or JSONL."
    item_noun = "topic"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE")

    def handle_collection(self, collection: Collection, *, files: list[Path], **_: Any) -> None:
        from assess.transfer.topics import import_topics

        self.report(import_topics(collection, *files))
