"""assay set_topics --collection NAME [--set development|test|none] [--topic ID ...] [--file FILE]"""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from assess.collections.topic_sets import NO_SET, count_sets, set_topics, sets_by_topic
from assess.management.base import CollectionCommand
from assess.models import Collection, TopicSet
from pooling.words import count


class Command(CollectionCommand):
    help = "Put topics into the development or the test set, or show how many topics each set has."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--set",
            choices=[*TopicSet.values, NO_SET],
            dest="name",
            help=f"the set that the topics belong to from now on; {NO_SET} takes them out of every set",
        )
        parser.add_argument(
            "--topic", action="append", default=[], metavar="ID", help="the query_id of a topic; can be repeated"
        )
        parser.add_argument(
            "--file", type=Path, metavar="FILE", help="a file of query_ids, separated by spaces or line breaks"
        )

    def handle_collection(
        self, collection: Collection, *, name: str | None, topic: list[str], file: Path | None, **_: Any
    ) -> None:
        query_ids = [*topic, *(_ids_in(file) if file else [])]
        if name is not None:
            result = set_topics(collection, query_ids, name)
            self.write_lines(f"Changed the set of {count(result.changed, 'topic')}; {result.same:,} belonged to it.")
        elif query_ids:
            raise CommandError(f"--topic and --file need --set: {', '.join(TopicSet.values)} or {NO_SET}.")
        sets = sets_by_topic(collection)
        counts = count_sets(sets.get(each, "") for each in collection.topics.values_list("query_id", flat=True))
        self.write_lines(*(f"{set_name}: {count(number, 'topic')}" for set_name, number in counts.items()))


def _ids_in(file: Path) -> list[str]:
    try:
        return file.read_text(encoding="utf-8").split()
    except UnicodeDecodeError:
        raise CommandError(f"{file}: the file is not text in UTF-8.") from None
