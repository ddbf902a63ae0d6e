"""assay permit_search --collection NAME [MEMBER ...]"""

from typing import Any

from django.core.management.base import CommandParser

from assess.management.base import CollectionCommand
from assess.models import Collection
from assess.search.permission import permit_search


class Command(CollectionCommand):
    help = "Let these assessors search the documents, and nobody else. Without names, nobody may search."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("members", nargs="*", metavar="MEMBER", help="names of assessors in the collection")

    def handle_collection(self, collection: Collection, *, members: list[str], **_: Any) -> None:
        names = permit_search(collection, members)
        self.write_lines(f"May search: {', '.join(names) or 'nobody'}.")
