"""assay make_baselines --collection NAME [--system bm25 ...] [--query title+description] [--depth K]"""

from typing import Any

from django.core.management.base import CommandParser

from assess.baselines.options import DEFAULT_DEPTH, FIELDS, SYSTEMS
from assess.management.base import CollectionCommand, positive_int
from assess.models import Collection
from pooling.words import count


class Command(CollectionCommand):
    help = "Rank the collection's documents for each topic with BM25, query likelihood and tf-idf, and save the runs."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--system", action="append", choices=list(SYSTEMS), help="a baseline; repeat it for several (default: all)"
        )
        parser.add_argument(
            "--query", choices=list(FIELDS), default="title", help="the fields of the query (default: title)"
        )
        parser.add_argument(
            "--depth",
            type=positive_int,
            default=DEFAULT_DEPTH,
            metavar="K",
            help=f"documents for each topic (default: {DEFAULT_DEPTH})",
        )

    def handle_collection(
        self, collection: Collection, *, system: list[str] | None, query: str, depth: int, **_: Any
    ) -> None:
        from assess.baselines.make import make_baselines  # loads pandas

        result = make_baselines(collection, system or list(SYSTEMS), query, depth)
        if result.added:
            self.write_lines(f"Made the runs {', '.join(result.added)} from {count(result.documents, 'document')}.")
        if result.same:
            self.write_lines(f"Unchanged: {', '.join(result.same)}.")
        if result.topics_without_documents:
            self.write_lines(f"No document has a word of these topics: {', '.join(result.topics_without_documents)}.")
