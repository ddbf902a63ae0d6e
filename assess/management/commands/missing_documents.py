"""assay missing_documents --collection NAME"""

from typing import Any

from assess.management.base import CollectionCommand
from assess.models import Collection
from assess.pools.pooled_documents import missing_documents


class Command(CollectionCommand):
    help = "List the doc_ids of the pooled documents that have no text yet, one per line."

    def handle_collection(self, collection: Collection, **_: Any) -> None:
        self.write_lines(*missing_documents(collection))
