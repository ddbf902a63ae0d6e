"""manage.py agreement_report --collection NAME [--rel N] [--per-topic] [--csv]"""

from assess.management.base import CollectionCommand


class Command(CollectionCommand):
    help = "How far the judges agree: every pair over all topics and per topic, and the average pair."

    def add_arguments(self, parser):
        super().add_arguments(parser)
        parser.add_argument(
            "--rel", type=int, metavar="N", help="relevant from grade N on (default: every grade by itself)"
        )
        parser.add_argument("--per-topic", action="store_true", help="every pair in every topic too")
        parser.add_argument(
            "--interval",
            choices=("analytic", "bootstrap", "jackknife", "topics"),
            help="95 %% intervals, drawn by the collection's seed (default: none)",
        )
        parser.add_argument("--csv", action="store_true", help="the same as CSV, unrounded")

    def work(self, collection, *, rel, per_topic, interval, csv, **_):
        from agreement.reports.agreement_report import agreement_frame, agreement_text
        from assess.analysis.agreement import excluded_judgements
        from assess.analysis.data import collection_ratings
        from assess.pools.build import documents_without_text

        found = collection_ratings(collection, rel)
        drawn = {"interval": interval, "seed": collection.seed if interval else None}
        if csv:
            self.stdout.write(
                agreement_frame(found, per_topic, **drawn).to_csv(index=False, lineterminator="\n"), ending=""
            )
            return
        self.say(agreement_text(collection_ratings(collection), rel, per_topic, **drawn))
        aside = excluded_judgements(collection)
        if aside.cannot_judge or aside.later:
            self.say(f"In no figure: {aside.cannot_judge:,} cannot judge, {aside.later:,} later.")
        if lacking := documents_without_text(collection).count():
            self.say(f"{lacking:,} pooled documents have no text and could not be judged by reading them.")
