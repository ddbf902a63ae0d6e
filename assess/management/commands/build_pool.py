"""assay build_pool --collection NAME --depth K"""

from typing import Any

from django.core.management.base import CommandParser

from assess.management.base import CollectionCommand, positive_int
from assess.models import Collection
from assess.pools.build import build_pool

MAX_QUERY_IDS = 5


class Command(CollectionCommand):
    help = "Pool the first K documents of every run for every topic. The pool only grows, and judgements are kept."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--depth", type=positive_int, required=True, metavar="K")

    def handle_collection(self, collection: Collection, *, depth: int, **_: Any) -> None:
        result = build_pool(collection, depth)
        self.write_lines(
            f"The pool has {result.pooled:,} topic-document pairs, {result.added:,} of them new.", *result.notes
        )
        if result.topics_without_pool:
            self.write_lines(f"No run retrieved a document for {_format_ids(result.topics_without_pool, 'topic')}.")
        if result.query_ids_without_topic:
            query_ids = _format_ids(result.query_ids_without_topic, "query_id")
            self.write_lines(
                f"The runs contain {query_ids} without a topic in this collection. These were left out; "
                "import_topics adds topics."
            )
        if result.without_text:
            self.write_lines(f"{result.without_text:,} pooled documents have no text yet; import_documents adds it.")


def _format_ids(query_ids: list[str], noun: str) -> str:
    listed = ", ".join(query_ids[:MAX_QUERY_IDS]) + (", ..." if len(query_ids) > MAX_QUERY_IDS else "")
    return f"{len(query_ids)} {noun}{'s' if len(query_ids) > 1 else ''} ({listed})"
