"""assay sanitise_documents"""

from typing import Any

from tqdm import tqdm

from assess.documents.sanitise_stored import sanitise_stored, unsanitised_contents
from assess.management.base import AssessCommand
from pooling.words import count


class Command(AssessCommand):
    help = (
        "Sanitise and store HTML documents that an earlier version of Assay imported. Until then they are sanitised "
        "each time they are displayed. The command can be interrupted and run again."
    )

    def handle(self, **_: Any) -> None:
        total = unsanitised_contents().count()
        with tqdm(total=total, unit=" documents", disable=None if total else True) as bar:
            result = sanitise_stored(bar.update)
        for doc_id in result.without_markup:
            self.write_lines(f"{doc_id} is shown without markup, because its HTML is too complex.")
        self.write_lines(f"Sanitised {count(result.documents, 'document')}.")
