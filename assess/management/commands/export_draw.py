"""assay export_draw --collection NAME [--out FILE]"""

from pathlib import Path
from typing import Any

from assess.management.base import ExportCommand
from assess.models import Collection


class Command(ExportCommand):
    help = (
        "Write the random draw of the documents that people judge, with its inclusion probabilities (JSON). The pool "
        "must have been drawn once at random, or the order must be ask_people_order."
    )
    item_noun = "drawn pair"

    def handle_collection(self, collection: Collection, *, out: Path | None, **_: Any) -> None:
        from assess.pools.recorded_draw import recorded_draw  # loads pandas
        from pooling.draws.files import draw_text

        draw = recorded_draw(collection)
        self.write_output(collection, "draw", draw_text(draw).encode(), out, len(draw))
