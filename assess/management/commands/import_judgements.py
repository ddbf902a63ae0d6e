"""assay import_judgements --collection NAME FILE [--assessor NAME]"""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from assess.management.base import ImportCommand, progress_bar
from assess.models import Collection
from assess.transfer.judgement_import import import_judgements


class Command(ImportCommand):
    help = (
        "Import judgements: a qrels file of one judge, or the CSV of export_judgements. If a line is invalid, nothing "
        "is imported."
    )
    item_noun = "judgements"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("file", type=Path, metavar="FILE")
        parser.add_argument("--assessor", metavar="NAME", help="the judge of a qrels file")

    def handle_collection(self, collection: Collection, *, file: Path, assessor: str | None, **_: Any) -> None:
        with progress_bar([file]) as progress:
            self.report(import_judgements(collection, file, assessor, progress))
