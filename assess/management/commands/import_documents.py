"""manage.py import_documents --collection NAME FILE [FILE ...]"""

from itertools import chain
from pathlib import Path

import pooling
from assess import importing, pools
from assess.management.base import ImportCommand, bar


class Command(ImportCommand):
    help = "Import documents: JSONL or TREC <DOC>, plain, .gz, .bz2 or .xz. Kept are those of the pool, unless --all."
    things = "documents"

    def add_arguments(self, parser):
        super().add_arguments(parser)
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
        parser.add_argument("--all", action="store_true", dest="keep_all", help="keep every document")

    def work(self, collection, *, files, keep_all, **_):
        with bar(files) as progress:
            found = chain.from_iterable(pooling.read_documents(file, progress=progress) for file in files)
            self.report(importing.documents(collection, found, keep_all))
        if lacking := pools.without_text(collection).count():
            self.say(f"{lacking:,} pooled documents still have no text; lacking_documents lists them.")
