"""assay export_qrels --collection NAME --gold RULE [--rel N | --diversity] [--set development|test] [--out FILE]"""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from assess.audit import diversity_subject, qrels_subject
from assess.errors import Refused
from assess.management.base import ExportCommand, add_set_option
from assess.models import Collection
from assess.transfer.exports import export_qrels


class Command(ExportCommand):
    help = "Write a gold as qrels."
    item_noun = "line"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--gold",
            required=True,
            metavar="RULE",
            help="the rule of the gold: judge:NAME, union, intersection, majority, at_least:2, ...",
        )
        parser.add_argument(
            "--rel", type=int, metavar="N", help="write binary qrels: 1 for grade N and above (default: write grades)"
        )
        parser.add_argument(
            "--diversity",
            action="store_true",
            help="write the subtopics of relevant documents; --gold is judge:NAME, or only_judge if each topic has one",
        )

        add_set_option(parser)

    def handle_collection(
        self,
        collection: Collection,
        *,
        gold: str,
        rel: int | None,
        diversity: bool,
        topic_set: str,
        out: Path | None,
        **_: Any,
    ) -> None:
        if diversity:
            self._write_diversity(collection, gold, rel, topic_set, out)
            return
        content = export_qrels(collection, gold, rel, topic_set)
        self.write_output(collection, qrels_subject(gold), content, out, content.count(b"\n"))

    def _write_diversity(
        self, collection: Collection, gold: str, rel: int | None, topic_set: str, out: Path | None
    ) -> None:
        from assess.marginal.report import export_diversity_qrels  # loads pandas

        if rel is not None:
            raise Refused("--rel and --diversity cannot be combined: subtopics have no grades.")
        content = export_diversity_qrels(collection, gold, topic_set)
        self.write_output(collection, diversity_subject(gold), content, out, content.count(b"\n"))
