"""assay norming --collection NAME --documents N [--people MEMBER ...], or --move N, or --undo N"""

from typing import Any

from django.core.management.base import CommandParser

from assess.management.base import CollectionCommand, positive_int
from assess.models import Collection
from assess.norming.rounds import begin_norming, find_norming, move_on, undo_norming
from pooling.words import count


class Command(CollectionCommand):
    help = (
        "Begin, move or undo a norming round, in which a group judges the same documents before and after a discussion."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        action = parser.add_mutually_exclusive_group(required=True)
        action.add_argument("--documents", type=positive_int, metavar="N", help="begin a round with N documents")
        action.add_argument("--move", type=positive_int, metavar="ROUND", help="move a round to its next phase")
        action.add_argument("--undo", type=positive_int, metavar="ROUND", help="remove a round that nobody has judged")
        parser.add_argument(
            "--people", nargs="+", default=[], metavar="PSEUDONYM", help="the group (default: all assessors)"
        )
        parser.add_argument("--topic", metavar="ID", help="draw the documents from this topic")

    def handle_collection(
        self,
        collection: Collection,
        *,
        documents: int | None,
        move: int | None,
        undo: int | None,
        people: list[str],
        topic: str | None,
        **_: Any,
    ) -> None:
        if undo:
            undo_norming(collection, undo)
            self.write_lines(f"Removed norming round {undo}.")
        elif move:
            moved = move_on(collection, move, find_norming(collection, move).phase)
            self.write_lines(f"Norming round {move} is now: {moved.get_phase_display()}.")
        else:
            begun = begin_norming(collection, documents or 0, people, topic)
            drawn = count(begun.tasks.count(), "document")
            self.write_lines(f"Began norming round {begun.number} with {drawn} for {begun.members.count()} assessors.")
