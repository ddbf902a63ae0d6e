"""assay import_scale --collection NAME FILE"""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from assess.management.base import ImportCommand
from assess.models import Collection


class Command(ImportCommand):
    help = 'Declare the grades of the scale from the labels of doccano, such as "Relevant (1)".'
    item_noun = "grade"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("file", type=Path, metavar="FILE")

    def handle_collection(self, collection: Collection, *, file: Path, **_: Any) -> None:
        from assess.transfer.import_record import as_source
        from assess.transfer.scale import ScaleOptions, import_files

        self.report(import_files(collection, [as_source(file)], ScaleOptions()))
