"""assay accept_duplicates --collection NAME --threshold X"""

from typing import Any

from django.core.management.base import CommandParser

from assess.management.base import CollectionCommand
from assess.models import Collection
from assess.near_duplicates.groups import accept_threshold
from assess.near_duplicates.options import LOWEST_THRESHOLD, checked_threshold
from pooling.words import count


class Command(CollectionCommand):
    help = "Group the documents whose similarity reaches a threshold, in place of the groups accepted before."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--threshold", required=True, metavar="X", help=f"the minimum similarity, from {LOWEST_THRESHOLD} to 1"
        )

    def handle_collection(self, collection: Collection, *, threshold: str, **_: Any) -> None:
        accepted = checked_threshold(threshold)
        groups = accept_threshold(collection, accepted)
        self.write_lines(f"Accepted the threshold {accepted:g}: {count(groups, 'group')}.")
