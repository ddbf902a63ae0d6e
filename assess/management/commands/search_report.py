"""assay search_report --collection NAME [--gold RULE] [--measure M] [--set development|test] [--csv TABLE]"""

from typing import Any

from django.core.management.base import CommandParser

from assess.analysis.query import suggested_measures
from assess.collections.topic_sets import describe_set, topics_in_set
from assess.management.base import CollectionCommand, add_set_option
from assess.models import Collection
from assess.search.report_options import PARTS, RULES, checked_rule, rules_for


class Command(CollectionCommand):
    help = "Report what searching added beyond the runs, and how it changes the ranking of the systems."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--gold", metavar="RULE", help=f"what is relevant: {', '.join(RULES)} (default: the default reference)"
        )
        parser.add_argument("--measure", help="such as AP(rel=2) or nDCG@10 (default: as on the page)")
        add_set_option(parser)
        parser.add_argument("--csv", choices=PARTS, metavar="TABLE", help=f"write one table: {', '.join(PARTS)}")

    def handle_collection(
        self,
        collection: Collection,
        *,
        gold: str | None,
        measure: str | None,
        topic_set: str,
        csv: str | None,
        **_: Any,
    ) -> None:
        from assess.search.report import search_report  # loads pandas
        from assess.search.report_tables import report_lines, report_table
        from pooling.text_tables import csv_table

        rules = rules_for(collection)
        rule = checked_rule(gold, rules)
        report = search_report(collection, measure or suggested_measures(collection)[0], rule, topic_set)
        if csv:
            table = report_table(report, csv)
            self.stdout.write(csv_table(table), ending="")
            return
        if topic_set:
            self.write_lines(f"Only the {describe_set(topic_set, topics_in_set(collection, topic_set))}.")
        self.write_lines(*report_lines(report), f"Gold: {rule}, {rules[rule]}.")
