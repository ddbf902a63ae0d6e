"""assay withdraw_judge --collection NAME JUDGE [--restore]"""

from typing import Any

from django.core.management.base import CommandParser

from assess.management.base import CollectionCommand
from assess.models import Collection
from assess.transfer.withdrawal import restore_judge, withdraw_judge
from pooling.words import count


class Command(CollectionCommand):
    help = "Leave the judgements of an imported judge out of everything. They stay in the ledger; --restore undoes it."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("judge", help="the name of an imported judge")
        parser.add_argument("--restore", action="store_true", help="let the judgements count again")

    def handle_collection(self, collection: Collection, *, judge: str, restore: bool, **_: Any) -> None:
        if restore:
            effects = restore_judge(collection, judge)
            self.write_lines(f"Restored {judge}: {count(effects.judgements, 'judgement')} count again.")
            return
        effects = withdraw_judge(collection, judge)
        self.write_lines(
            f"Withdrew {judge}: {count(effects.judgements, 'judgement')} left out. --restore undoes this.",
            *effects.sentences[1:],
        )
