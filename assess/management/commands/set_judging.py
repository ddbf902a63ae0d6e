"""assay set_judging --collection NAME [--state open|paused|closed] [--order ...] [--judges-per-task K] ..."""

from typing import Any

from django.core.management.base import CommandParser

from assess.judging.rules import SUGGESTIONS, change_rules, rules_with_values
from assess.management.base import CollectionCommand
from assess.management.rule_options import add_rule_options, rules_from_options
from assess.models import Collection
from assess.suggestions.choice import EFFECT, LABEL, set_suggestions, suggesting_model
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
        suggestions = parser.add_mutually_exclusive_group()
        suggestions.add_argument("--suggestions", metavar="MODEL", help=f"{LABEL}: those of MODEL. {EFFECT}")
        suggestions.add_argument("--no-suggestions", action="store_true", help="show no suggestions")

    def handle_collection(
        self,
        collection: Collection,
        *,
        state: str | None = None,
        suggestions: str | None = None,
        no_suggestions: bool = False,
        **options: Any,
    ) -> None:
        if suggestions:
            suggesting_model(collection, suggestions)  # refused before anything changes
        if state:
            set_judging_state(collection, state)
            self.write_lines(f"Judging is {judging_state(collection).label}.")
        new = "" if no_suggestions else suggestions
        changed = change_rules(collection, **rules_from_options(options))
        now = [*changed.rules, *([SUGGESTIONS] if new is not None and set_suggestions(collection, new) else [])]
        rows = rules_with_values(collection)
        width = max(len(rule.option) for rule, _ in rows)
        for rule, value in rows:
            self.write_lines(f"{'*' if rule in now else ' '} {rule.option:<{width}}  {value}")
        if now:
            self.write_lines("* changed now", *changed.notes)
