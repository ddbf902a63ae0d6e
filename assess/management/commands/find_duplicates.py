"""assay find_duplicates --collection NAME [--whole]"""

from typing import Any

from django.core.management.base import CommandParser

from assess.management.base import CollectionCommand
from assess.models import Collection
from assess.near_duplicates.options import DEFAULT_THRESHOLD
from pooling.words import count


class Command(CollectionCommand):
    help = "Compare the pooled documents of each topic. Nothing is grouped until accept_duplicates."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--whole", action="store_true", help="compare all documents of the collection with each other"
        )

    def handle_collection(self, collection: Collection, *, whole: bool, **_: Any) -> None:
        from assess.near_duplicates.find import find_pairs  # loads pandas
        from assess.near_duplicates.groups import preview, search_of

        result = find_pairs(collection, whole)
        self.write_lines(f"Found {count(result.pairs, 'similar pair')} of {count(result.documents, 'document')}.")
        if search := search_of(collection):
            shown = preview(search, DEFAULT_THRESHOLD)
            groups, documents = count(shown.groups, "group"), count(shown.documents, "document")
            self.write_lines(
                f"At the threshold {shown.threshold:g}, there would be {groups} of {documents}. "
                "The page “Near-duplicates” shows examples."
            )
