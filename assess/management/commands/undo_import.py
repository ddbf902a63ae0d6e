"""assay undo_import --collection NAME [NUMBER]"""

from typing import Any

from django.core.management.base import CommandParser

from assess.management.base import CollectionCommand, positive_int
from assess.models import Collection
from assess.transfer.undo import obstacles, undo_import


class Command(CollectionCommand):
    help = "Undo an import by its number, until something depends on it. Without a number, list the imports."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("number", nargs="?", type=positive_int, help="the number of the import in the list")

    def handle_collection(self, collection: Collection, *, number: int | None, **_: Any) -> None:
        if number is None:
            self._list(collection)
            return
        undone = undo_import(collection, number)
        self.write_lines(f"Undid import {number}: removed {undone.removed:,} {undone.kind}.")

    def _list(self, collection: Collection) -> None:
        records = list(collection.imports.all())
        reasons = obstacles(collection, records)
        for record in records:
            files = ", ".join(file["name"] for file in record.files)
            what = f"{record.counts['added']:,} new {record.kind}" + (f" from {files}" if files else "")
            self.write_lines(f"{record.pk}  {record.imported_at:%Y-%m-%d %H:%M}  {what}. {reasons[record.pk]}".rstrip())
        if not records:
            self.write_lines(f"{collection} has no imports.")
