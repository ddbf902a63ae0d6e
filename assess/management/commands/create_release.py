"""assay create_release --collection NAME --name NAME --gold RULE [--rel N] [--judge NAME ...] [--topic ID ...] ..."""

from argparse import ArgumentTypeError
from dataclasses import fields
from datetime import UTC, datetime
from typing import Any

from django.core.management.base import CommandParser

from assess.analysis.query import within_set
from assess.collections.topic_sets import topics_in_set
from assess.management.base import CollectionCommand, add_set_option
from assess.models import Collection


def instant(text: str) -> datetime:
    """Parse an option's value as a time with a zone."""
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        at = None
    if at is None or at.tzinfo is None:
        raise ArgumentTypeError(f"{text!r} is not a time with a zone, such as 2026-11-21T10:20:30Z")
    return at.astimezone(UTC)


class Command(CollectionCommand):
    help = "Freeze a gold with everything that belongs to it. A release with a known name becomes its next version."
    if_interrupted = "nothing was released. Run the command again"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--name",
            required=True,
            metavar="NAME",
            help="the name of the release: letters, digits, hyphens and underscores",
        )
        parser.add_argument(
            "--gold",
            required=True,
            metavar="RULE",
            dest="rule",
            help="the rule of the gold: judge:NAME, union, majority, adjudicated, dawid_skene, glad, mace, ...",
        )
        parser.add_argument("--rel", type=int, metavar="N", help="release a binary gold: 1 for grade N and above")
        parser.add_argument(
            "--judge",
            action="append",
            default=[],
            dest="judges",
            metavar="NAME",
            help="only this judge; can be repeated",
        )
        parser.add_argument(
            "--topic", action="append", default=[], dest="topics", metavar="ID", help="only this topic; can be repeated"
        )
        add_set_option(parser)
        parser.add_argument("--notes", default="", metavar="TEXT", help="what readers should know; for the change log")
        parser.add_argument("--authors", default="", metavar="NAMES", help="for the citation: Ada Doe and Bo Roe")
        parser.add_argument("--licence", default="", metavar="ID", help="the licence of the release, such as cc-by-4.0")
        parser.add_argument(
            "--measure", default="", metavar="M", help="the measure of the ranking shift, such as nDCG@10"
        )
        parser.add_argument(
            "--rounding", default="", metavar="HOW", help="how the rule mean rounds: half_up, up or down"
        )
        parser.add_argument(
            "--at", type=instant, metavar="TIME", help="the time that the release states (default: now)"
        )

    def handle_collection(
        self, collection: Collection, *, topic_set: str = "", at: datetime | None = None, **options: Any
    ) -> None:
        from assess.releases.choices import ReleaseChoices  # loads pandas
        from assess.releases.freeze import create_release

        of_set, chosen = topics_in_set(collection, topic_set), tuple(options["topics"])
        options["topics"] = within_set(of_set, chosen, topic_set)
        choices = ReleaseChoices(**{field.name: options[field.name] for field in fields(ReleaseChoices)})
        release = create_release(collection, choices, at=at)
        self.write_lines(
            f"Released {release.name}, version {release.version}: {release.size:,} bytes.",
            f"Checkpoint of the ledger: {release.checkpoint.hash}",
            f"Checksum of the manifest: {release.manifest_sha256}",
        )
