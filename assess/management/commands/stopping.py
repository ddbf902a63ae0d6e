"""assay stopping --collection NAME [--set development|test] [--rel N] [--recall R] [--confidence C] [--csv] ..."""

from typing import Any

from django.core.management.base import CommandParser

from assess.collections.scale import check_threshold, lowest_relevant_grade
from assess.management.base import CollectionCommand, add_set_option
from assess.models import Collection
from assess.work.sample_rules import Goal
from assess.work.stopping_table import (
    StoppingRow,
    recall_text,
    rule_text,
    share_text,
    stopping_frame,
    stopping_rows,
)
from pooling.words import count


class Command(CollectionCommand):
    help = (
        "Show for each topic what judging found, how complete that is, and whether the stopping rules allow an end. "
        "The rules and recall need a sample (draw_sample)."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        add_set_option(parser)
        parser.add_argument(
            "--rel", type=int, metavar="GRADE", help="the lowest relevant grade (default: that of the scale)"
        )
        parser.add_argument(
            "--recall", type=float, default=Goal.recall, help="recall that the quantile bound must reach (default: 0.8)"
        )
        parser.add_argument(
            "--confidence", type=float, default=Goal.confidence, help="confidence of both rules (default: 0.95)"
        )
        parser.add_argument(
            "--target",
            type=int,
            default=Goal.target,
            help="relevant sampled documents that the target method needs (default: 10)",
        )
        parser.add_argument("--csv", action="store_true", help="write all figures, unrounded, as CSV")

    def handle_collection(
        self,
        collection: Collection,
        *,
        topic_set: str,
        rel: int | None,
        recall: float,
        confidence: float,
        target: int,
        csv: bool,
        **_: Any,
    ) -> None:
        rel = lowest_relevant_grade(collection) if rel is None else rel
        check_threshold(collection, rel)
        rows = stopping_rows(collection, rel, Goal(recall, confidence, target), topic_set)
        if csv:
            from pooling.text_tables import csv_table  # loads pandas

            self.stdout.write(csv_table(stopping_frame(rows)), ending="")
            return
        for row in rows:
            self.write_lines(*_describe(row))
        self.write_lines(
            f"Relevant: grade {rel} or more from a person. The documentation on stopping states the assumptions."
        )


def _describe(row: StoppingRow) -> list[str]:
    gain, estimate, figures = row.gain, row.completeness, row.figures
    lines = [
        f"{gain.topic.query_id}: {gain.n_relevant:,} of {count(gain.n_judged, 'judged document')} relevant, "
        f"{gain.since_relevant:,} judged since the last; pool {gain.n_pooled:,}",
        f"  completeness: {share_text(estimate.value, estimate.low, estimate.high, estimate.reason)}"
        + (f", {estimate.compared}" if estimate.compared else ""),
    ]
    if figures is None:
        return [*lines, "  no sample"]
    sample = figures.sample
    return [
        *lines,
        f"  sample: {figures.n_judged:,} of {sample.size:,} judged, {figures.n_relevant:,} relevant, seed "
        f"{sample.seed}, from {sample.described_population}",
        f"  recall: {recall_text(figures.recall)}",
        f"  quantile bound: {rule_text(figures.quantile)}",
        f"  target method: {rule_text(figures.target)}",
    ]
