"""The texts of a collection's documents, for what computes with words."""

from collections.abc import Iterator

from assess.documents.display import displayed_column, plain_text
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
