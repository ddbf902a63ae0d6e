"""assay unassign --collection NAME"""

from typing import Any

from assess.management.base import CollectionCommand
from assess.models import Collection
from assess.pools.unassign import unassign
from pooling.words import count


class Command(CollectionCommand):
    help = "Delete the assignments that nobody has begun. Judgements and pilots are kept."

    def handle_collection(self, collection: Collection, **_: Any) -> None:
        self.write_lines(f"Deleted {count(unassign(collection), 'assignment')} that nobody had begun.")
