"""assay remind --collection NAME --address URL [NAME ...]"""

from typing import Any

from django.core.management.base import CommandParser
from django.urls import reverse

from assess.management.base import CollectionCommand
from assess.models import Collection
from assess.work.remind import remind


class Command(CollectionCommand):
    help = "Send an email to assessors with open documents, at most one a day for each person."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--address", required=True, metavar="URL", help="the URL of the site")
        parser.add_argument("names", nargs="*", metavar="NAME", help="pseudonyms; default: all with open documents")

    def handle_collection(self, collection: Collection, *, address: str, names: list[str], **_: Any) -> None:
        url = f"{address.rstrip('/')}{reverse('judge:topics', args=[collection.slug])}"
        self.write_lines(remind(collection, url, names).sentence())
