"""Sanitises the HTML of documents that an earlier version imported."""

from collections.abc import Callable
from dataclasses import dataclass, field

from django.db import transaction
from django.db.models import QuerySet

from assess.documents.contents import content_hash, mark_changed
from assess.documents.sanitiser import VERSION, without_markup
from assess.documents.sanitiser_process import SanitiserProcess
from assess.lib.batches import let_others_write
from assess.models import DocumentContent, SearchIndex, TextFormat

BATCH = 100  # documents in memory at once, and in one transaction


@dataclass
class Sanitised:
    """How many documents were sanitised, and the doc_ids of those that are kept without markup."""

    documents: int = 0
    without_markup: list[str] = field(default_factory=list)


def unsanitised_contents() -> QuerySet[DocumentContent]:
    """Return the contents of HTML documents that are still sanitised each time they are displayed."""
    return DocumentContent.objects.filter(
        format=TextFormat.HTML, sanitiser_version=None, document__isnull=False
    ).select_related("document")


def sanitise_stored(progress: Callable[[int], object] | None = None) -> Sanitised:
    """Sanitise and store the HTML of all documents that need it. It can be interrupted and run again.

    `progress` is called with the number of documents after each batch. The words of HTML that exceeds the limits are
    kept without markup, because its document may have been judged.
    """
    result = Sanitised()
    with SanitiserProcess() as process:
        while contents := list(unsanitised_contents().order_by("pk")[:BATCH]):
            texts = process.sanitise([content.text for content in contents])
            for content, text in zip(contents, texts, strict=True):
                _set_sanitised(content, text, result)
            _save(contents)
            result.documents += len(contents)
            if progress:
                progress(len(contents))
            let_others_write()
    return result


@transaction.atomic
def _save(contents: list[DocumentContent]) -> None:
    """Save the contents. HTML that was sanitised for the search index in a limited time may have got other words."""
    DocumentContent.objects.bulk_update(contents, ["sanitised", "sanitiser_version", "sha256"])
    collections = {content.document.collection_id for content in contents}
    mark_changed(SearchIndex.objects.filter(collection__in=collections))


def _set_sanitised(content: DocumentContent, text: str | None, result: Sanitised) -> None:
    if text is None:
        result.without_markup.append(content.document.doc_id)
        text = without_markup(content.text)
    content.sanitised, content.sanitiser_version = text, VERSION
    content.sha256 = content_hash(content.title, content.format, content.text, text)
