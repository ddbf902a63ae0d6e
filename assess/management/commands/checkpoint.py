"""assay checkpoint --collection NAME"""

from typing import Any

from assess.judging.checkpoints import create_checkpoint
from assess.management.base import CollectionCommand
from assess.models import Collection
from pooling.words import count


class Command(CollectionCommand):
    help = (
        "Save a checkpoint of the ledger and print its hash. Keep the hash outside the database: verify_ledger --head "
        "verifies later that nobody has rewritten the ledger since."
    )

    def handle_collection(self, collection: Collection, **_: Any) -> None:
        checkpoint = create_checkpoint(collection, "command")
        self.write_lines(f"Checkpoint of {count(checkpoint.events, 'event')}: {checkpoint.hash}")
