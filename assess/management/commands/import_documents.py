"""assay import_documents --collection NAME FILE [FILE ...]"""

from itertools import chain
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

import pooling
from assess.management.base import ImportCommand, progress_bar
from assess.models import Collection, TextFormat
from assess.pools.pooled_documents import documents_without_text
from assess.transfer.document_options import FORMATS, TOO_COMPLEX


class Command(ImportCommand):
    help = (
        "Import documents from JSON, TSV, TREC <DOC> or WARC files, plain, .gz, .bz2 or .xz, or from folders or "
        "archives (ZIP, TAR) of text, Markdown or HTML files. Only pooled documents are kept, unless --all is set."
    )
    item_noun = "document"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
        parser.add_argument("--all", action="store_true", dest="keep_all", help="keep every document")
        parser.add_argument(
            "--format",
            choices=FORMATS,
            default=TextFormat.PLAIN,
            dest="text_format",
            help="the format of texts whose file does not state one: plain text (text, the default), or HTML (html) or "
            "Markdown (markdown), which are sanitised before they are shown",
        )
        parser.add_argument(
            "--too-complex",
            choices=TOO_COMPLEX,
            default="refuse",
            help="what to do if the HTML of a document cannot be sanitised within the limits of time and memory: "
            "refuse the import (refuse, the default) or keep the words of the document without markup (text)",
        )

    def handle_collection(
        self,
        collection: Collection,
        *,
        files: list[Path],
        keep_all: bool,
        text_format: str,
        too_complex: str,
        **_: Any,
    ) -> None:
        from assess.transfer.document_import import import_documents
        from assess.transfer.import_record import as_source

        with progress_bar(files) as progress:
            documents = chain.from_iterable(pooling.read_documents(file, progress=progress) for file in files)
            sources = [as_source(file) for file in files]
            self.report(import_documents(collection, documents, keep_all, text_format, too_complex, files=sources))
        if missing := documents_without_text(collection).count():
            self.write_lines(f"Pooled documents still without text: {missing:,}. missing_documents lists them.")
