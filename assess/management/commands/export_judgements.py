"""assay export_judgements --collection NAME [--out FILE]"""

from pathlib import Path
from typing import Any

from assess.management.base import ExportCommand
from assess.models import Collection, Judgement
from assess.transfer.exports import export_judgements


class Command(ExportCommand):
    help = "Write the raw judgements as CSV, with the details that the ledger holds for each."
    item_noun = "judgements"

    def handle_collection(self, collection: Collection, *, out: Path | None, **_: Any) -> None:
        count = Judgement.objects.filter(task__topic__collection=collection).count()
        self.write_output(collection, "judgements", export_judgements(collection), out, count)
