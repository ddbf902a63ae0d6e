"""assay import_pool --collection NAME FILE [FILE ...]"""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from assess.management.base import ImportCommand
from assess.models import Collection


class Command(ImportCommand):
    help = "Add the documents of a pool that was made elsewhere: judgment-pool.json of teaching-ir."
    item_noun = "document"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE")

    def handle_collection(self, collection: Collection, *, files: list[Path], **_: Any) -> None:
        from assess.transfer.import_record import as_source
        from assess.transfer.pool import PoolOptions, import_files

        self.report(import_files(collection, [as_source(file) for file in files], PoolOptions()))
