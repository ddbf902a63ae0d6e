"""manage.py set_judging --collection NAME [--order ...] [--judges-per-task K] ...: how a collection is judged."""

from assess.judging.rules import change_rules, rules_with_values
from assess.management.base import CollectionCommand
from assess.management.rule_options import add_rule_options, given_rules


class Command(CollectionCommand):
    help = "Change rules of judging; without any, show them. The scale is none of them: it freezes."

    def add_arguments(self, parser):
        super().add_arguments(parser)
        add_rule_options(parser)

    def work(self, collection, **options):
        changed = change_rules(collection, **given_rules(options))
        rows = rules_with_values(collection)
        wide = max(len(rule.option) for rule, _ in rows)
        self.say(*(f"{'*' if rule in changed.rules else ' '} {rule.option:<{wide}}  {value}" for rule, value in rows))
        if changed.rules:
            self.say("* changed now", *changed.notes)
