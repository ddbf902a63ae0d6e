"""The texts of a collection's documents, for what computes with words.

The module also says whether all documents have a text: those that are known, and those that a run retrieved.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from assess.documents.display import displayed_column, plain_text
from assess.lib.long_work import report, reported
from assess.models import Collection

PAGE = 500  # documents read at once


def document_texts(collection: Collection, last: int | None = None) -> Iterator[tuple[str, str]]:
    """Yield doc_id, and title and text as one text, in pages by key, so that no statement stays open for long.

    With `last`, only documents with primary keys up to this one.
    """
    rows = collection.documents.filter(content__isnull=False).order_by("pk")
    if last is not None:
        rows = rows.filter(pk__lte=last)
    columns = ("pk", "doc_id", "content__title", "content__format", displayed_column("content"))
    reached = 0
    while page := list(rows.filter(pk__gt=reached).values_list(*columns)[:PAGE]):
        reached = page[-1][0]
        for _, doc_id, title, text_format, text in page:
            yield doc_id, f"{title}\n{plain_text(text or '', text_format)}"


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
