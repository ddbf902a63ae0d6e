"""assay undo_pool --collection NAME"""

from typing import Any

from assess.management.base import CollectionCommand
from assess.models import Collection
from assess.pools.building.undo import undo_pool
from pooling.words import count


class Command(CollectionCommand):
    help = (
        "Undo the last build_pool: remove the tasks that only it added, and their assignments. Nothing is undone if "
        "one of these tasks is judged."
    )

    def handle_collection(self, collection: Collection, **_: Any) -> None:
        result = undo_pool(collection)
        self.write_lines(
            f"Undid {result.description}.",
            f"Removed {count(result.tasks, 'task')} and {count(result.assignments, 'assignment')}. The pool has "
            f"{count(result.pooled, 'task')}.",
        )
