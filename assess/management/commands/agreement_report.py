"""assay agreement_report --collection NAME [--rel N] [--per-topic] [--min-topics N] [--min-documents N]

[--add STATISTIC] [--csv]"""

from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser

from assess.analysis.judges.assisted import assisted_judgements
from assess.analysis.selection import Selection
from assess.collections.topic_sets import describe_set, topics_in_set
from assess.management.base import CollectionCommand, add_set_option, positive_int
from assess.models import Collection
from assess.suggestions.stored import PARTS


def _add_needed_data(parser: CommandParser) -> None:
    """Add the options that say how much data the summary needs."""
    parser.add_argument(
        "--min-topics",
        type=positive_int,
        default=settings.HEADLINE_MIN_TOPICS,
        metavar="N",
        help="topics that two judges need in common to be used in the summary (default: %(default)s)",
    )
    parser.add_argument(
        "--min-documents",
        type=positive_int,
        default=settings.HEADLINE_MIN_DOCUMENTS,
        metavar="N",
        help="documents that they need in common for this (default: %(default)s)",
    )


class Command(CollectionCommand):
    help = "Report the agreement of the judges: every pair over all topics and per topic, and the average of all pairs."

    def add_arguments(self, parser: CommandParser) -> None:
        from agreement.choices import ADDED, OF_EVERY_COEFFICIENT

        super().add_arguments(parser)
        parser.add_argument(
            "--rel",
            type=int,
            metavar="N",
            help="the lowest grade that counts as relevant (default: all grades stay separate, unless an imported "
            "judge has two declared grades)",
        )
        parser.add_argument("--per-topic", action="store_true", help="also report every pair in every topic")
        parser.add_argument(
            "--interval",
            choices=OF_EVERY_COEFFICIENT,
            help="add 95%% intervals, computed with the collection's seed (default: none)",
        )
        _add_needed_data(parser)
        parser.add_argument(
            "--add",
            action="append",
            default=[],
            choices=ADDED,
            metavar="STATISTIC",
            help="also report icc, generalisability (how many judges would be enough), marginals (does one of two "
            "judges give higher grades?) or benchmarks (the probability of each band; needs --interval); repeatable; "
            "with --csv, its table in place of that of the pairs",
        )
        add_set_option(parser)
        parser.add_argument(
            "--assisted",
            choices=PARTS,
            default="",
            metavar="without|only",
            help="leave out judgements that were made with the suggestion of a model, or report only those, beside "
            "the grades of models (default: all judgements)",
        )
        parser.add_argument("--csv", action="store_true", help="write the report as CSV, unrounded")

    def handle_collection(
        self,
        collection: Collection,
        *,
        rel: int | None,
        per_topic: bool,
        interval: str | None,
        min_topics: int,
        min_documents: int,
        add: list[str],
        topic_set: str,
        assisted: str,
        csv: bool,
        **_: Any,
    ) -> None:
        from agreement.reports.agreement_report import added_table, agreement_frame, agreement_text  # loads pandas
        from assess.analysis.agreement import excluded_judgements
        from assess.analysis.data import collection_ratings
        from assess.analysis.imported_judges import threshold_of_imported
        from assess.pools.pooled_documents import documents_without_text
        from pooling.text_tables import csv_table

        rel = threshold_of_imported(collection) if rel is None else rel
        topics = topics_in_set(collection, topic_set)
        selection = Selection(topics=topics, topic_set=topic_set, assisted=assisted)
        ratings = collection_ratings(collection, rel, selection=selection)
        options: dict[str, Any] = {"interval": interval, "seed": collection.seed if interval else None}
        add = list(dict.fromkeys(add))
        if csv and len(add) > 1:
            raise CommandError(f"--csv writes one table; name one --add, not {len(add)}.")
        if csv and add:
            graded = collection_ratings(collection, selection=selection)
            self.stdout.write(csv_table(added_table(graded, add[0], rel, **options)), ending="")
            return
        if csv:
            self.stdout.write(csv_table(agreement_frame(ratings, per_topic, **options)), ending="")
            return
        options |= {"min_topics": min_topics, "min_documents": min_documents, "add": add}
        if topic_set:
            self.write_lines(f"Only the {describe_set(topic_set, selection.topics)}.")
        made = assisted_judgements(collection, selection)
        self.write_lines(*([made.sentence] if made.sentence else []), *made.pairs)
        graded = collection_ratings(collection, selection=selection)
        self.write_lines(agreement_text(graded, rel, per_topic, **options))
        self._write_imported(collection, rel)
        excluded = excluded_judgements(collection, selection)
        if excluded.cannot_judge or excluded.later:
            self.write_lines(
                f"Left out of all figures: {excluded.cannot_judge:,} “cannot judge”, {excluded.later:,} “later”."
            )
        if missing := documents_without_text(collection).count():
            self.write_lines(f"Pooled documents without text, which assessors could not read: {missing:,}.")

    def _write_imported(self, collection: Collection, rel: int | None) -> None:
        from assess.analysis.imported_judges import import_rows, scale_notes  # loads pandas

        self.write_lines(*scale_notes(collection, rel))
        if rows := import_rows(collection):
            self.write_lines("Imported judges:", *(f"  {row.sentence}" for row in rows))
