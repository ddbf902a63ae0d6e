"""assay set_judging --collection NAME [--state open|paused|closed] [--order ...] [--judges-per-task K] ..."""

from typing import Any

from django.core.management.base import CommandParser

from assess.judging.rules import change_rules, rules_with_values
from assess.management.base import CollectionCommand
from assess.management.rule_options import add_rule_options, rules_from_options
from assess.models import Collection
from assess.work.state import JudgingState, judging_state, set_judging_state


class Command(CollectionCommand):
    help = "Change the rules of judging, or show them if no option is set. The scale cannot be changed here."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--state",
            choices=JudgingState.values,
            help="open, pause or close judging. Judgements that are not sent yet wait in the assessors' browsers",
        )
        add_rule_options(parser)

    def handle_collection(self, collection: Collection, *, state: str | None = None, **options: Any) -> None:
        if state:
            set_judging_state(collection, state)
            self.write_lines(f"Judging is {judging_state(collection).label}.")
        changed = change_rules(collection, **rules_from_options(options))
        rows = rules_with_values(collection)
        width = max(len(rule.option) for rule, _ in rows)
        for rule, value in rows:
            self.write_lines(f"{'*' if rule in changed.rules else ' '} {rule.option:<{width}}  {value}")
        if changed.rules:
            self.write_lines("* changed now", *changed.notes)
