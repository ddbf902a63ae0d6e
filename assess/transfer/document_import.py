"""Imports documents.

A document is plain text, HTML or Markdown. Markdown is rendered as HTML and sanitised like it. A text of white space
counts as missing: it is left out, and its document can be imported again.

All documents are read, sanitised and written before the transaction that makes them visible, so that nobody who judges
waits for an import. If any of the input is invalid, nothing is imported.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction

import pooling
from assess.documents.contents import connect_contents, delete_contents, new_content, write_contents
from assess.documents.sanitiser import without_markup
from assess.documents.sanitiser_process import SanitiserProcess
from assess.errors import Refused
from assess.lib.batches import batches_by_size, let_others_write
from assess.lib.long_work import about_to_save
from assess.models import Collection, ImportKind, TextFormat
from assess.transfer.document_options import FORMATS, MARKDOWN, TOO_COMPLEX
from assess.transfer.import_record import ImportedBy, SourceFile, file_details, reserve_record, save_record
from assess.transfer.imports import Imported
from pooling.errors import shown
from pooling.words import count

BATCH_CHARACTERS = 1_000_000  # of the documents in one transaction

Sanitise = Callable[[Sequence[pooling.Document]], list[str | None]]


@dataclass
class _DocumentImport:
    """One import: what the collection has, and what was written so far."""

    has_content: dict[str, bool]  # by doc_id
    keep_all: bool
    record: int  # primary key
    result: Imported = field(default_factory=Imported)
    n_empty: int = 0
    written: dict[str, int] = field(default_factory=dict)  # doc_id -> primary key of the content

    def select_new(self, documents: Iterable[pooling.Document]) -> Iterator[pooling.Document]:
        """Yield the documents to write. If a doc_id occurs twice, in one import or in two, the first text is kept."""
        for document in documents:
            self.result.read += 1
            if not document.text.strip():
                self.n_empty += 1
            elif self.has_content.get(document.doc_id):
                self.result.same += 1
            elif self.keep_all or document.doc_id in self.has_content:
                self.has_content[document.doc_id] = True
                yield document


def import_documents(
    collection: Collection,
    documents: Iterable[pooling.Document],
    keep_all: bool = False,
    text_format: str = TextFormat.PLAIN,
    too_complex: str = "refuse",
    *,
    files: Sequence[SourceFile] = (),
    by: ImportedBy | None = None,
) -> Imported:
    """Import the texts of pooled documents that have none yet. With `keep_all`, import every document.

    `text_format` applies to documents whose file does not state a format. It is required to show HTML, because a text
    that contains tags may be plain text about HTML. HTML that
    cannot be sanitised within the limits is refused; with `too_complex="text"`, its words are kept without markup.
    `files` are those that the documents come from, for the record of the import.
    """
    _check_choice("Format", text_format, FORMATS)
    _check_choice("too_complex", too_complex, TOO_COMPLEX)
    rows = collection.documents.values_list("doc_id", "content")
    new = _DocumentImport({doc_id: content is not None for doc_id, content in rows}, keep_all, reserve_record())
    if not new.has_content and not keep_all:
        raise Refused(
            f"{collection} has no pool yet, so no document would be kept. Build the pool first, or keep every document."
        )
    try:
        _write(new, documents, text_format, too_complex)
        options = {"format": str(text_format), "too_complex": too_complex, "keep_all": keep_all}
        _connect(collection, new, file_details(files), options, by or ImportedBy())
    except BaseException:  # also an interruption by the user
        delete_contents(list(new.written.values()))
        raise
    _add_notes(new)
    return new.result


def _connect(
    collection: Collection,
    new: _DocumentImport,
    files: Sequence[dict[str, Any]],
    options: dict[str, Any],
    by: ImportedBy,
) -> None:
    """Make the documents visible, and delete the contents of those that another import has completed meanwhile."""
    with transaction.atomic():
        connected = connect_contents(collection, new.written, create=new.keep_all)
        about_to_save()
        late = new.written.keys() - set(connected)
        new.result.added = len(connected)
        new.result.same += len(late)
        save_record(
            collection,
            ImportKind.DOCUMENTS,
            by,
            files,
            counts=new.result.counts(),
            options=options,
            key=new.record,
        )
        delete_contents([new.written[doc_id] for doc_id in late])


def _check_choice(name: str, value: str, allowed: Sequence[str]) -> None:
    if value not in allowed:
        raise Refused(f"{name} must be one of {', '.join(allowed)}, not {value!r}.")


def _write(new: _DocumentImport, documents: Iterable[pooling.Document], text_format: str, too_complex: str) -> None:
    """Write the contents of new documents in short transactions."""
    with SanitiserProcess() as process:
        for batch in batches_by_size(new.select_new(documents), lambda document: len(document.text), BATCH_CHARACTERS):
            if new.written:
                let_others_write()
            formats = [text_format if document.format == TextFormat.PLAIN else document.format for document in batch]
            sanitised = _sanitised(process, batch, formats, too_complex, new.result)
            contents = [
                new_content(
                    document.text,
                    title=document.title,
                    text_format=TextFormat.PLAIN if text is None else TextFormat.HTML,
                    metadata=document.metadata,
                    sanitised=text,
                    import_record=new.record,
                )
                for document, text in zip(batch, sanitised, strict=True)
            ]
            keys = write_contents(contents)
            new.written |= {document.doc_id: key for document, key in zip(batch, keys, strict=True)}


def _sanitised(
    process: SanitiserProcess,
    batch: Sequence[pooling.Document],
    formats: Sequence[str],
    too_complex: str,
    result: Imported,
) -> list[str | None]:
    """Return the sanitised HTML of each document, None for plain text, or refuse one that exceeds the limits."""
    texts: list[str | None] = [None] * len(batch)
    for text_format in (TextFormat.HTML, MARKDOWN):
        places = [place for place, each in enumerate(formats) if each == text_format]
        documents = [batch[place] for place in places]
        found = _sanitised_alike(process, documents, text_format == MARKDOWN, too_complex, result) if places else []
        for place, text in zip(places, found, strict=True):
            texts[place] = text
    return texts


def _sanitised_alike(
    process: SanitiserProcess,
    documents: Sequence[pooling.Document],
    is_markdown: bool,
    too_complex: str,
    result: Imported,
) -> list[str]:
    texts: list[str] = []
    sanitised = process.sanitise([document.text for document in documents], is_markdown=is_markdown)
    for document, text in zip(documents, sanitised, strict=True):
        if text is None:
            if too_complex == "refuse":
                raise Refused(
                    f"Document {shown(document.doc_id)} (line {document.line}): its HTML of {len(document.text):,} "
                    "characters cannot be sanitised within the limits of time and memory; nothing was imported. The "
                    "option 'too complex' can keep the words of such documents without markup."
                )
            result.notes.append(f"{shown(document.doc_id)} is kept without markup, because its HTML is too complex.")
        texts.append(without_markup(document.text) if text is None else text)
    return texts


def _add_notes(new: _DocumentImport) -> None:
    result = new.result
    if result.same:
        result.notes.append(f"{count(result.same, 'document')} already had a text, which was kept.")
    if new.n_empty:
        verb = "has" if new.n_empty == 1 else "have"
        result.notes.append(f"{count(new.n_empty, 'document')} {verb} an empty text, which counts as missing.")
    if not_kept := result.read - result.added - result.same - new.n_empty:
        result.notes.append(
            f"Documents outside the pool, which were not kept: {not_kept:,}. "
            "Choose to keep them, by command with --all."
        )
