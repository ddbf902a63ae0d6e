"""manage.py import_documents --collection NAME FILE [FILE ...]"""

from itertools import chain
from pathlib import Path

import pooling
from assess.management.base import ImportCommand, bar
from assess.models import TextFormat
from assess.pools.build import documents_without_text
from assess.transfer.imports import import_documents


class Command(ImportCommand):
    help = "Import documents: JSONL or TREC <DOC>, plain, .gz, .bz2 or .xz. Kept are those of the pool, unless --all."
    things = "documents"

    def add_arguments(self, parser):
        super().add_arguments(parser)
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
        parser.add_argument("--all", action="store_true", dest="keep_all", help="keep every document")
        parser.add_argument(
            "--format",
            choices=TextFormat.values,
            default=TextFormat.PLAIN,
            dest="text_format",
            help="what the texts are: plain text (text, the default) or HTML (html), which is shown without what "
            "could do harm",
        )

    def work(self, collection, *, files, keep_all, text_format, **_):
        with bar(files) as progress:
            found = chain.from_iterable(pooling.read_documents(file, progress=progress) for file in files)
            self.report(import_documents(collection, found, keep_all, text_format))
        if lacking := documents_without_text(collection).count():
            self.say(f"{lacking:,} pooled documents still have no text; lacking_documents lists them.")
