"""Whether all documents of a collection have a text: those that are known, and those that a run retrieved."""

from dataclasses import dataclass

from assess.lib.long_work import report, reported
from assess.models import Collection


@dataclass(frozen=True)
class MissingTexts:
    """The number of documents without a text, and one of them in words."""

    number: int
    example: str

    def __str__(self) -> str:
        return f"{self.number:,} {'document has' if self.number == 1 else 'documents have'} no text"


def missing_texts(collection: Collection, most_run_lines: int | None = None) -> MissingTexts | None:
    """Return what is missing; None if nothing is.

    With `most_run_lines`, runs that have more lines together are not compared with the documents.
    """
    report("Looking for documents without a text")
    missing = collection.documents.filter(content__isnull=True)
    if number := missing.count():
        example = missing.order_by("doc_id").values_list("doc_id", flat=True).first()
        return MissingTexts(number, f"such as {example}")
    runs = list(collection.runs.all())
    if most_run_lines is not None and sum(run.line_count for run in runs) > most_run_lines:
        return None
    from assess.collections import runfiles  # loads pandas

    known = set(collection.documents.values_list("doc_id", flat=True)) if runs else set()
    for run in reported(runs, "Reading the runs"):
        if unknown := set(runfiles.load(run)["doc_id"].unique()) - known:
            return MissingTexts(len(unknown), f"such as {min(unknown)}, which {run.system} retrieved")
    return None
