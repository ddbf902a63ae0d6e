"""assay export_searches --collection NAME [--out FILE]"""

from pathlib import Path
from typing import Any

from assess.management.base import ExportCommand
from assess.models import Collection
from assess.search.searches_csv import searches_csv


class Command(ExportCommand):
    help = "Write the recorded searches as CSV, with the documents that the searchers opened."
    item_noun = "line"

    def handle_collection(self, collection: Collection, *, out: Path | None, **_: Any) -> None:
        content = searches_csv(collection)
        self.write_output(collection, "searches", content, out, content.count(b"\n") - 1)
