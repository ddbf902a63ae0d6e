"""manage.py import_topics --collection NAME FILE"""

from pathlib import Path

from assess.management.base import ImportCommand
from assess.transfer.imports import import_topics


class Command(ImportCommand):
    help = "Import topics: TSV (query_id, title, description, narrative), JSONL, or TREC <top>."
    things = "topics"

    def add_arguments(self, parser):
        super().add_arguments(parser)
        parser.add_argument("file", type=Path, metavar="FILE")

    def work(self, collection, *, file, **_):
        self.report(import_topics(collection, file))
