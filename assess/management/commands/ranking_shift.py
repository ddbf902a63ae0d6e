"""assay ranking_shift --collection NAME [--measure M] [--gold RULE ...] [--reference RULE] [--min-topics N] ..."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.management.base import CommandParser

from assess.analysis.shift_query import ShiftInputs, reference_for
from assess.collections.run_groups import groups_by_system
from assess.collections.scale import lowest_relevant_grade
from assess.collections.score_precision import describe_precision
from assess.collections.topic_sets import describe_set, topics_in_set
from assess.errors import Refused
from assess.management.base import CollectionCommand, add_set_option, positive_int, share
from assess.models import Collection

if TYPE_CHECKING:
    from agreement import RankingShift


class Command(CollectionCommand):
    help = "Rank the systems under each judge as gold and under combined golds, and compare the rankings."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--measure", help="such as AP(rel=2), nDCG@10 or P(rel=2)@10 (default: AP)")
        parser.add_argument(
            "--gold",
            action="append",
            default=[],
            metavar="RULE",
            help="a gold to rank under: judge:NAME, union, intersection, majority, or another rule of docs/formats.md; "
            "may be repeated",
        )
        parser.add_argument(
            "--reference",
            metavar="RULE",
            help="the gold that the other golds are compared with (default: as the output says)",
        )
        parser.add_argument(
            "--min-topics",
            type=positive_int,
            default=settings.HEADLINE_MIN_TOPICS,
            metavar="N",
            help="common topics that the summary needs to compare golds (default: %(default)s)",
        )
        parser.add_argument(
            "--min-judged",
            type=share,
            default=settings.HEADLINE_MIN_JUDGED,
            metavar="SHARE",
            help="share of the first 10 documents that each gold must judge for this (default: %(default)s)",
        )
        add_set_option(parser)
        parser.add_argument("--csv", action="store_true", help="write ranks and scores as CSV, unrounded")
        parser.add_argument(
            "--groups",
            action="store_true",
            help="with --csv: write mean, spread and rank of the groups of runs instead",
        )
        parser.add_argument("--svg", type=Path, metavar="FILE", help="write a slope chart of the ranks")

    def handle_collection(
        self,
        collection: Collection,
        *,
        measure: str | None,
        gold: list[str],
        reference: str | None,
        min_topics: int,
        min_judged: float,
        topic_set: str,
        csv: bool,
        groups: bool,
        svg: Path | None,
        **_: Any,
    ) -> None:
        from agreement import plots  # loads matplotlib
        from agreement.reports.agreement_report import shift_text
        from agreement.thresholds import Thresholds
        from assess.analysis.shift import collection_shift, evidence_note
        from assess.analysis.shift.ranks import groups_frame
        from pooling.text_tables import csv_table

        known_groups = groups_by_system(collection)
        if groups and not csv:
            raise Refused("--groups needs --csv; without --csv, the groups follow the ranks.")
        if groups and not known_groups:
            raise Refused(f"No run of {collection} belongs to a group; group_runs groups them.")
        measure = measure or f"AP(rel={lowest_relevant_grade(collection)})"
        thresholds = Thresholds(min_topics, min_judged)
        shift = collection_shift(collection, measure, tuple(gold), reference, thresholds, topic_set)
        if svg:
            svg.write_bytes(plots.slope_chart(shift))
        if csv:
            table = groups_frame(shift, known_groups) if groups else shift.ranks
            self.stdout.write(csv_table(table), ending="")
        else:
            limited = describe_set(topic_set, topics_in_set(collection, topic_set))
            inputs = ShiftInputs(measure, tuple(gold), topics=topics_in_set(collection, topic_set))
            default = reference_for(collection, inputs)
            notes = [
                default.describe(shift.reference) if default else "",
                limited and f"Only the {limited}.",
                describe_precision(list(collection.runs.all())),
                evidence_note(shift),
            ]
            self.write_lines(shift_text(shift), *filter(None, notes))
            self._write_groups(shift, known_groups)

    def _write_groups(self, shift: "RankingShift", groups: Mapping[str, str]) -> None:
        """Write the table of the groups under each gold, if runs are grouped."""
        from assess.analysis.shift.ranks import groups_frame  # loads pandas
        from pooling.text_tables import render, rounded

        if groups:
            frame = groups_frame(shift, groups).drop(columns="reason").rename(columns={"group": "system"})
            self.write_lines("", "Mean and spread over the runs of each system", render(rounded(frame)))
