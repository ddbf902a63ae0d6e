"""assay build_pool --collection NAME [--strategy STRATEGY] [--depth K] [--size N] [--seed N] ..."""

from argparse import Namespace
from typing import Any

from django.core.management.base import CommandParser

from assess.management.base import CollectionCommand
from assess.models import Collection
from assess.pools.building.build import build_pool
from assess.pools.building.every_document import EVERY_DOCUMENT
from assess.pools.building.strategies import DEFAULT_STRATEGY
from pooling.choices import STRATEGY_NAMES
from pooling.cli.options import add_parameters, parameters_of
from pooling.words import count

MAX_QUERY_IDS = 5


class Command(CollectionCommand):
    help = (
        "Choose the documents to judge from the runs, such as the first K documents of every run for every topic "
        "(--depth K). The pool only grows, and judgements are kept."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--strategy",
            default=DEFAULT_STRATEGY,
            metavar="NAME",
            help=f"one of {', '.join((*STRATEGY_NAMES, EVERY_DOCUMENT))} (default: {DEFAULT_STRATEGY})",
        )
        parser.add_argument(
            "--documents-per-topic",
            type=float,
            metavar="N",
            help="choose the largest depth, size or budget with at most N documents per topic on average",
        )
        add_parameters(parser.add_argument_group("parameters of the strategies"))

    def handle_collection(
        self,
        collection: Collection,
        *,
        strategy: str,
        seed: int | None,
        documents_per_topic: float | None,
        **options: Any,
    ) -> None:
        parameters = parameters_of(Namespace(**options))
        result = build_pool(collection, strategy, seed=seed, documents_per_topic=documents_per_topic, **parameters)
        if documents_per_topic is not None:
            self.write_lines(f"Chose {result.description}.")
        self.write_lines(f"The pool has {count(result.pooled, 'task')}, {result.added:,} of them new.", *result.notes)
        if result.topics_without_pool:
            self.write_lines(f"No run retrieved a document for {_format_ids(result.topics_without_pool, 'topic')}.")
        if result.query_ids_without_topic:
            query_ids = _format_ids(result.query_ids_without_topic, "query_id")
            self.write_lines(
                f"The runs contain {query_ids} without a topic in this collection. These were left out; "
                "import_topics adds topics."
            )
        if result.without_text:
            self.write_lines(f"Pooled documents without text: {result.without_text:,}. import_documents adds texts.")


def _format_ids(query_ids: list[str], noun: str) -> str:
    listed = ", ".join(query_ids[:MAX_QUERY_IDS]) + (", ..." if len(query_ids) > MAX_QUERY_IDS else "")
    return f"{len(query_ids)} {noun}{'s' if len(query_ids) > 1 else ''} ({listed})"
