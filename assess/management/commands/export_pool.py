"""assay export_pool --collection NAME [--format FORM] [--annotator NAME ...] [--seed N] [--out FILE]"""

import sys
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from assess import audit
from assess.management.base import ExportCommand
from assess.models import Collection
from assess.pools.pooled_documents import documents_without_text
from assess.transfer.pool_export import FORMS, PoolFile, pool_file
from pooling.words import count


class Command(ExportCommand):
    help = (
        "Write the pairs of the pool with their texts, for judges who use another program. The order of the documents "
        "is drawn, and nothing of the runs is written."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--format", choices=FORMS, default="jsonl", dest="form", help="default: jsonl")
        parser.add_argument(
            "--annotator",
            action="append",
            default=[],
            metavar="NAME",
            help="doccano and teaching_ir: a file or an account of its own for this annotator (may be repeated)",
        )
        parser.add_argument(
            "--seed", type=int, metavar="N", help="draw another order (default: the seed of the collection)"
        )

    def handle_collection(
        self, collection: Collection, *, form: str, annotator: list[str], seed: int | None, out: Path | None, **_: Any
    ) -> None:
        file = pool_file(collection, form, annotator, seed)
        self._write_pieces(collection, form, file, out)
        if missing := documents_without_text(collection).count():
            # Standard output may be the file.
            self.stderr.write(f"{count(missing, 'document')} of the pool without a text (see missing_documents).")

    def _write_pieces(self, collection: Collection, form: str, file: PoolFile, out: Path | None) -> None:
        if out is None:
            audit.record_export(collection, audit.pool_subject(form))
            sys.stdout.buffer.writelines(file.pieces)
            sys.stdout.buffer.flush()
            return
        with out.open("wb") as stream:  # opened before the export is recorded
            audit.record_export(collection, audit.pool_subject(form))
            stream.writelines(file.pieces)
        self.write_lines(f"Wrote the pool to {out}.")
