"""assay changed_texts --collection NAME [--change KEY ...] [--judge-again | --keep]"""

from typing import Any

from django.core.management.base import CommandParser

from assess.living.changed_texts import changed_texts
from assess.living.judge_again import judge_again, keep_changes
from assess.management.base import CollectionCommand
from assess.models import Collection
from pooling.errors import shown
from pooling.words import count


class Command(CollectionCommand):
    help = "List the judgements of texts that were replaced since; have them judged again, or keep them."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--change", action="append", default=[], metavar="KEY", help="a key of the list; repeat it (default: all)"
        )
        action = parser.add_mutually_exclusive_group()
        action.add_argument("--judge-again", action="store_true", help="put the documents into the judges' queues")
        action.add_argument("--keep", action="store_true", help="record that the changes do not matter")

    def handle_collection(
        self, collection: Collection, *, change: list[str], judge_again: bool, keep: bool, **_: Any
    ) -> None:
        if judge_again:
            self._judge_again(collection, change)
        elif keep:
            kept = keep_changes(collection, change)
            self.write_lines(f"Kept {count(kept, 'judgement')}: the changes do not matter.")
        else:
            self._list(collection, change)

    def _judge_again(self, collection: Collection, keys: list[str]) -> None:
        result = judge_again(collection, keys)
        self.write_lines(result.sentence(), *result.notes)

    def _list(self, collection: Collection, keys: list[str]) -> None:
        found = changed_texts(collection)
        self.write_lines(found.sentence())
        for change in found.chosen(keys) if keys else found.changes:
            topics = ", ".join(change.query_ids)
            number = count(len(change.judgements), "judgement")
            self.write_lines(f"{change.key}  {shown(change.doc_id)}: {number}, topics {topics}.")
        if found.unknown:
            number = count(found.unknown, "judgement")
            self.write_lines(f"Of which text is not known, because it was not recorded here: {number}.")
