"""manage.py ranking_shift --collection NAME [--measure M] [--gold RULE ...] [--reference RULE]"""

from pathlib import Path

from assess.collections.scale import lowest_relevant_grade
from assess.management.base import CollectionCommand


class Command(CollectionCommand):
    help = "The systems ranked under each judge as gold and under their mixtures, and how far the rankings agree."

    def add_arguments(self, parser):
        super().add_arguments(parser)
        parser.add_argument("--measure", help="such as AP(rel=2), nDCG@10 or P(rel=2)@10 (default: AP)")
        parser.add_argument(
            "--gold",
            action="append",
            default=[],
            metavar="RULE",
            help="judge:NAME, union, intersection, majority; repeat it",
        )
        parser.add_argument("--reference", metavar="RULE", help="the gold that the others are compared with")
        parser.add_argument("--csv", action="store_true", help="ranks and scores as CSV, unrounded")
        parser.add_argument("--svg", type=Path, metavar="FILE", help="a slope chart of the ranks")

    def work(self, collection, *, measure, gold, reference, csv, svg, **_):
        from agreement import plots
        from agreement.reports.agreement_report import shift_text
        from assess.analysis.shift import collection_shift

        measure = measure or f"AP(rel={lowest_relevant_grade(collection)})"
        found = collection_shift(collection, measure, tuple(gold), reference)
        if svg:
            svg.write_bytes(plots.slope_chart(found))
        if csv:
            self.stdout.write(found.ranks.to_csv(index=False, lineterminator="\n"), ending="")
        else:
            self.say(shift_text(found))
