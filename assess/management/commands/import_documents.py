"""assay import_documents --collection NAME FILE [FILE ...]"""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from assess.management.base import ImportCommand, progress_bar
from assess.management.import_arguments import add_options, chosen
from assess.models import Collection
from assess.pools.pooled_documents import documents_without_text
from assess.transfer.documents import DocumentOptions, import_files
from assess.transfer.import_record import as_source


class Command(ImportCommand):
    help = (
        "Import documents from JSON, TSV, TREC <DOC> or WARC files, plain, .gz, .bz2 or .xz, or from folders or "
        "archives (ZIP, TAR) of text, Markdown or HTML files. Only pooled documents are kept, unless --all is set."
    )
    item_noun = "document"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
        add_options(parser, DocumentOptions)

    def handle_collection(self, collection: Collection, *, files: list[Path], **arguments: Any) -> None:
        options = DocumentOptions(**chosen(DocumentOptions, arguments))
        with progress_bar(files) as progress:
            self.report(import_files(collection, [as_source(file) for file in files], options, progress))
        if missing := documents_without_text(collection).count():
            self.write_lines(f"Pooled documents still without text: {missing:,}. missing_documents lists them.")
