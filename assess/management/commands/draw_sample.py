"""assay draw_sample --collection NAME --size N [--topics ID ...] [--from collection|pool] [--seed N] [--preview]"""

from typing import Any

from django.core.management.base import CommandParser

from assess.management.base import CollectionCommand
from assess.models import Collection, SampledFrom
from assess.pools.samples.draw import draw_sample, drawn_sentence, preview_sample, previewed_sentence

UNASSIGNED = "Nobody has the new documents yet; assign gives them to assessors."


class Command(CollectionCommand):
    help = (
        "Draw a random sample of the documents of each topic and put it into the pool. The stopping rules and recall "
        "need it. A larger --size enlarges an existing sample. undo_pool undoes the draw while nothing new is judged."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--size", type=int, required=True, metavar="N", help="documents of the sample of each topic, at least 1"
        )
        parser.add_argument(
            "--topics", nargs="+", default=[], metavar="ID", help="the query_ids of the topics (default: all)"
        )
        parser.add_argument(
            "--from",
            dest="population",
            choices=SampledFrom.values,
            default=SampledFrom.COLLECTION,
            help="draw from all documents of the collection, which must be imported (default), or from the pool",
        )
        parser.add_argument(
            "--seed", type=int, metavar="N", help="the seed of the random order (default: that of the collection)"
        )
        parser.add_argument("--preview", action="store_true", help="show the cost and change nothing")

    def handle_collection(
        self,
        collection: Collection,
        *,
        size: int,
        topics: list[str],
        population: str,
        seed: int | None,
        preview: bool,
        **_: Any,
    ) -> None:
        arguments: dict[str, Any] = {"query_ids": topics, "population": population, "seed": seed}
        if preview:
            self.write_lines(previewed_sentence(preview_sample(collection, size, **arguments)))
            return
        result = draw_sample(collection, size, **arguments)
        self.write_lines(drawn_sentence(result))
        collection.refresh_from_db(fields=["judges_per_task"])
        if result.added and not collection.open_to_claims:
            self.write_lines(UNASSIGNED)
