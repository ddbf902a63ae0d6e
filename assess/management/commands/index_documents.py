"""assay index_documents --collection NAME"""

from typing import Any

from assess.management.base import CollectionCommand
from assess.models import Collection
from assess.search.index import index_documents
from pooling.words import count


class Command(CollectionCommand):
    help = "Index the texts of the documents, so that assessors who may search find them."

    def handle_collection(self, collection: Collection, **_: Any) -> None:
        result = index_documents(collection)
        self.write_lines(f"Indexed {count(result.documents, 'document')}.")
        if not result.is_complete:
            self.write_lines("Documents were imported or deleted meanwhile, so the index is incomplete. Index again.")
