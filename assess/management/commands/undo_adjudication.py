"""assay undo_adjudication --collection NAME --number N"""

from typing import Any

from django.core.management.base import CommandParser

from assess.adjudication.adjudicate import undo_adjudication
from assess.management.base import CollectionCommand, positive_int
from assess.models import Collection
from pooling.words import count


class Command(CollectionCommand):
    help = "Take back the documents of an adjudication that are not decided. Decisions stay."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--number", type=positive_int, required=True, metavar="N", help="the number of the adjudication"
        )

    def handle_collection(self, collection: Collection, *, number: int, **_: Any) -> None:
        removed = undo_adjudication(collection, number)
        self.write_lines(f"Took back {count(removed, 'document')} of adjudication {number}.")
