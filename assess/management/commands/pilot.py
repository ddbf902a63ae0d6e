"""assay pilot --collection NAME [--documents N] [--topics N] [--people NAME ...] [--undo NUMBER]"""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from assess.management.base import CollectionCommand, positive_int
from assess.models import Collection
from assess.work.pilot import create_pilot, pilots_of, undo_pilot
from pooling.words import count


class Command(CollectionCommand):
    help = "Assign a few documents to everybody, before the main round. Without options, list the pilots."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        action = parser.add_mutually_exclusive_group()
        action.add_argument(
            "--documents", type=positive_int, metavar="N", help="documents in all or, with --topics, of each topic"
        )
        action.add_argument("--undo", type=positive_int, metavar="NUMBER", help="remove a pilot without judgements")
        parser.add_argument("--topics", type=positive_int, metavar="N", help="draw the documents from N topics")
        parser.add_argument("--people", nargs="+", default=[], metavar="NAME", help="default: all assessors")

    def handle_collection(
        self,
        collection: Collection,
        *,
        documents: int | None,
        undo: int | None,
        topics: int | None,
        people: list[str],
        **_: Any,
    ) -> None:
        if (topics or people) and not documents:
            raise CommandError("--topics and --people belong to a new pilot. Also give --documents N.")
        if documents:
            create_pilot(collection, documents, topics, people)
        if undo:
            undo_pilot(collection, undo)
            self.write_lines(f"Removed pilot {undo}. Its documents are not assigned any more.")
        for each in pilots_of(collection):
            self.write_lines(
                f"Pilot {each.number}: {count(each.documents, 'document')} of {count(each.topics, 'topic')}, "
                f"{count(each.people, 'assessor')}, "
                f"{each.done:,} of {count(each.assigned, 'judgement')} made (seed {collection.seed})."
            )
