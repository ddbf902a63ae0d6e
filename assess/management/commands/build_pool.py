"""manage.py build_pool --collection NAME --depth K"""

from assess.management.base import CollectionCommand, positive
from assess.pools.build import build_pool


class Command(CollectionCommand):
    help = "Pool the best K documents of every run for every topic. The pool only grows; judgements stay."

    def add_arguments(self, parser):
        super().add_arguments(parser)
        parser.add_argument("--depth", type=positive, required=True, metavar="K")

    def work(self, collection, *, depth, **_):
        built = build_pool(collection, depth)
        self.say(f"The pool has {built.pooled:,} documents (topic-document pairs), {built.added:,} of them new.")
        if built.topics_without_pool:
            self.say(f"No run brought anything for {_some(built.topics_without_pool, 'topic')}.")
        if built.query_ids_without_topic:
            without = _some(built.query_ids_without_topic, "query_id")
            self.say(f"The runs also have {without} without a topic here; left out until import_topics brings it.")
        if built.without_text:
            self.say(f"{built.without_text:,} pooled documents have no text yet: import_documents brings it.")


def _some(query_ids: list[str], thing: str) -> str:
    shown = ", ".join(query_ids[:5]) + (", ..." if len(query_ids) > 5 else "")
    return f"{len(query_ids)} {thing}{'s' if len(query_ids) > 1 else ''} ({shown})"
