"""assay import_known_grades --collection NAME --use practice|check FILE"""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from assess.calibration.known_grades import add_known_grades, read_rows
from assess.management.base import CollectionCommand
from assess.models import Collection, KnownGrade
from pooling.words import count


class Command(CollectionCommand):
    help = (
        "Add documents whose grade is known, for the practice of new assessors or as hidden checks. The file is CSV "
        "with the columns query_id, doc_id, relevance and explanation; its first line names them."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("file", help="the CSV file")
        parser.add_argument("--use", choices=KnownGrade.Use.values, required=True, help="what the documents are for")

    def handle_collection(self, collection: Collection, *, file: str, use: str, **_: Any) -> None:
        try:
            content = Path(file).read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            raise CommandError(f"{file} cannot be read: {error}.") from None
        added = add_known_grades(collection, read_rows(content), use)
        self.write_lines(f"Added {count(added, 'known grade')} for {KnownGrade.Use(use).label}.")
