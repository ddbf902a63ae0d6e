"""Imports documents.

A document is plain text, HTML or Markdown. Markdown is rendered as HTML and sanitised like it. A text of white space
counts as missing: it is left out, and its document can be imported again.

A document that has a text keeps it, unless the texts are to be replaced: then the former text is kept apart.

All documents are read, sanitised and written before the transaction that makes them visible, so that nobody who judges
waits for an import. If any of the input is invalid, nothing is imported.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from django.db import transaction

import pooling
from assess import audit
from assess.documents.contents import connect_contents, delete_contents, new_content, write_contents
from assess.documents.replaced import replace_contents
from assess.documents.sanitiser import without_markup
from assess.documents.sanitiser_process import SanitiserProcess
from assess.errors import Refused
from assess.lib.batches import batches_by_size, let_others_write
from assess.lib.long_work import about_to_save
from assess.models import Action, Collection, ImportKind, TextFormat
from assess.pools.tasks import pooled_tasks
from assess.transfer.import_record import (
    Imported,
    ImportedBy,
    Progress,
    SourceFile,
    file_details,
    reserve_record,
    save_record,
)
from assess.transfer.options import ImportOptions, option, repair_option
from assess.transfer.preview import Preview
from pooling.errors import FormatError, shown
from pooling.unmatched import pairs_of, unmatched
from pooling.words import count

BATCH_CHARACTERS = 1_000_000  # of the documents in one transaction
MAX_COMPARED = 100_000  # doc_ids outside the pool that are compared with those in it
MARKDOWN = "markdown"


@dataclass(frozen=True)
class DocumentOptions(ImportOptions):
    """Which documents are imported, and as what.

    `text_format` applies to documents whose file does not state a format. It is required to show HTML, because a text
    that contains tags may be plain text about HTML. HTML that cannot be sanitised within the limits is refused; with
    `too_complex="text"`, its words are kept without markup.
    """

    text_format: str = option(
        TextFormat.PLAIN.value,
        "Text format",
        "of the texts, unless the file states it, as folders and WARC do",
        choices={**dict(TextFormat.choices), MARKDOWN: "Markdown"},
        command_help="; HTML and Markdown are sanitised before they are shown",
        subject="Format",
        flag="--format",
    )
    too_complex: str = option(
        "refuse",
        "Too complex",
        "HTML that cannot be sanitised within the limits of time and memory",
        choices={"refuse": "refuse the import", "text": "keep the words without markup"},
        command_help=": refuse the import, or keep the words without markup (text)",
    )
    keep_all: bool = option(False, "Also keep documents outside the pool", flag="--all")
    replace: bool = option(
        False, "Replace texts that differ", command_help="the former texts are kept, and judgements of them are listed"
    )
    repair_document_ids: str = repair_option("documents")


@dataclass
class _Selection:
    """The documents to write: what the collection has, and what was read so far."""

    has_content: dict[str, bool]  # by doc_id
    keep_all: bool
    repaired: dict[str, str] = field(default_factory=dict)
    hashes: dict[str, str] = field(default_factory=dict)  # by doc_id, of the texts that may be replaced
    result: Imported = field(default_factory=Imported)
    n_empty: int = 0
    outside: list[str] = field(default_factory=list)  # the first doc_ids that are not in the pool
    replacing: set[str] = field(default_factory=set)  # doc_ids with a text for which another one was read

    def select_new(self, documents: Iterable[pooling.Document]) -> Iterator[pooling.Document]:
        """Yield the documents to write. If a doc_id occurs twice, in one import or in two, the first text is kept."""
        for document in documents:
            self.result.read += 1
            if document.doc_id in self.repaired:
                document = document._replace(doc_id=self.repaired[document.doc_id])
            if not document.text.strip():
                self.n_empty += 1
            elif document.doc_id in self.hashes and document.doc_id not in self.replacing:
                self.replacing.add(document.doc_id)
                self.result.updated += 1
                yield document
            elif self.has_content.get(document.doc_id):
                self.result.same += 1
            elif self.keep_all or document.doc_id in self.has_content:
                self.has_content[document.doc_id] = True
                self.result.added += 1
                yield document
            elif len(self.outside) < MAX_COMPARED:
                self.outside.append(document.doc_id)

    def is_same(self, doc_id: str, sha256: str) -> bool:
        """Whether a document has the text with this hash already. Then it is counted as such."""
        if self.hashes.get(doc_id) != sha256:
            return False
        self.result.updated -= 1
        self.result.same += 1
        return True

    @property
    def n_outside(self) -> int:
        """How many documents were left out because they are not in the pool."""
        result = self.result
        return result.read - result.added - result.updated - result.same - self.n_empty


@dataclass
class _DocumentImport:
    """One import: which documents it writes, and what was written so far."""

    selection: _Selection
    options: DocumentOptions
    record: int  # primary key
    written: dict[str, int] = field(default_factory=dict)  # doc_id -> primary key of the content


def import_files(
    collection: Collection,
    files: Sequence[SourceFile],
    options: DocumentOptions,
    progress: Progress = None,
    by: ImportedBy | None = None,
) -> Imported:
    """Import the documents of files, folders and archives."""
    notes: list[str] = []
    documents = chain.from_iterable(read(file, progress, notes) for file in files)
    repaired = _repaired(collection, files, options)
    result = import_documents(collection, documents, options, files=files, by=by, repaired=repaired)
    result.notes += notes
    return result


def import_documents(
    collection: Collection,
    documents: Iterable[pooling.Document],
    options: DocumentOptions | None = None,
    *,
    files: Sequence[SourceFile] = (),
    by: ImportedBy | None = None,
    repaired: Mapping[str, str] | None = None,
) -> Imported:
    """Import the texts of pooled documents that have none yet. With `keep_all`, import every document.

    With `replace`, texts that differ replace those of documents that have one.

    `files` are those that the documents come from, for the record of the import. `repaired` has the doc_ids that are
    read as others.
    """
    options = options or DocumentOptions()
    new = _DocumentImport(_selection(collection, options, repaired), options, reserve_record())
    try:
        _write(new, documents)
        save(collection, new, file_details(files), by or ImportedBy())
    except BaseException:  # also an interruption by the user
        delete_contents(list(new.written.values()))
        raise
    _add_notes(new.selection, options.replace)
    new.selection.result.notes += _id_notes(new.selection, options.repair_document_ids)
    return new.selection.result


def read(file: SourceFile, progress: Progress = None, notes: list[str] | None = None) -> Iterator[pooling.Document]:
    """Return the documents of a file, folder or archive."""
    limit: dict[str, Any] = {} if file.max_bytes is None else {"max_bytes": file.max_bytes}
    return pooling.read_documents(file.path, name=file.name, progress=progress, notes=notes, **limit)


def _repaired(collection: Collection, files: Sequence[SourceFile], options: DocumentOptions) -> dict[str, str]:
    """Return the doc_ids to be read as others. All files are read for it, because two ids must not become one."""
    if not options.repair_document_ids:
        return {}
    own = {document.doc_id for file in files for document in read(file)}
    known = set(collection.documents.values_list("doc_id", flat=True))
    return pairs_of(own, known, options.repair_document_ids)


def _selection(
    collection: Collection,
    options: DocumentOptions,
    repaired: Mapping[str, str] | None = None,
    pooled: Iterable[str] = (),
) -> _Selection:
    """Select from the documents. `pooled` are doc_ids of a pool that is imported before them."""
    hashes: dict[str, str | None] = dict.fromkeys(pooled)
    hashes |= dict(collection.documents.values_list("doc_id", "content__sha256"))
    has_content = {doc_id: sha256 is not None for doc_id, sha256 in hashes.items()}
    if not has_content and not options.keep_all:
        raise Refused(
            f"{collection} has no pool yet, so no document would be kept. Build the pool first, or keep every document."
        )
    replaceable = {doc_id: sha256 for doc_id, sha256 in hashes.items() if sha256} if options.replace else {}
    return _Selection(has_content, options.keep_all, dict(repaired or {}), replaceable)


def check(preview: Preview, files: Sequence[SourceFile], options: DocumentOptions) -> None:
    """Say how many documents an import would keep, and how many pooled documents would still lack a text."""
    repaired = _repaired_in_preview(preview, files, options)
    selection = _selection(preview.collection, options, repaired, preview.pooled)
    for file in files:
        try:
            documents = read(file, preview.progress, preview.check.sentences)
            for _ in selection.select_new(preview.contents.noting(documents)):
                pass
        except FormatError as error:
            preview.add_invalid_lines(file, ImportKind.DOCUMENTS, error)
    pooled = preview.pooled.union(pooled_tasks(preview.collection).values_list("document__doc_id", flat=True))
    missing = sum(not selection.has_content[doc_id] for doc_id in pooled)
    empty, result = selection.n_empty, selection.result
    preview.check.sentences.append(
        f"Documents: {count(result.read - empty, 'document')}, {result.added:,} to be imported, "
        f"{result.same + result.updated:,} that have a text already, {selection.n_outside:,} not in the pool."
        + (" Texts that differ will be replaced." if result.updated else "")
        + (f" Documents with an empty text, which count as missing: {empty:,}." if empty else "")
        + (f" Pooled documents that still have no text: {missing:,}." if missing else "")
    )
    preview.check.sentences += _id_notes(selection, options.repair_document_ids)


def _repaired_in_preview(preview: Preview, files: Sequence[SourceFile], options: DocumentOptions) -> dict[str, str]:
    """Return the doc_ids to be read as others; none if a file is invalid, which the check lists anyway."""
    try:
        return _repaired(preview.collection, files, options)
    except FormatError:
        return {}


def _id_notes(selection: _Selection, repair: str) -> list[str]:
    """Sentences about repaired doc_ids, and about a repair that would make documents match those of the pool."""
    from pooling.id_repair import REPAIR_OPTION, repaired_note  # loads pandas

    notes = [repaired_note("document", "the files", repair, selection.repaired)] if selection.repaired else []
    found = unmatched(selection.outside, {doc_id for doc_id, has in selection.has_content.items() if not has})
    if not found.repair:
        return notes
    option = f"{REPAIR_OPTION}{found.repair}"
    return [*notes, found.sentence("document", "the files", "the pool", option)]


def save(collection: Collection, new: _DocumentImport, files: Sequence[dict[str, Any]], by: ImportedBy) -> None:
    """Make the documents visible, and delete the contents of those that another import has completed meanwhile."""
    chosen, result = new.options, new.selection.result
    options = {"format": chosen.text_format, "too_complex": chosen.too_complex, "keep_all": chosen.keep_all}
    options |= {"replace": True} if chosen.replace else {}
    options |= {"repair_document_ids": chosen.repair_document_ids} if chosen.repair_document_ids else {}
    result.repaired = {"documents": len(new.selection.repaired)} if new.selection.repaired else {}
    with transaction.atomic():
        connected = set(connect_contents(collection, new.written, create=chosen.keep_all))
        others = {doc_id: key for doc_id, key in new.written.items() if doc_id not in connected}
        replaced = set(replace_contents(collection, others, new.record)) if chosen.replace else set()
        about_to_save()
        late = others.keys() - replaced
        result.added, result.updated = len(connected), len(replaced)
        result.same += len(late)
        result.left_out = _left_out(new.selection)
        save_record(
            collection, ImportKind.DOCUMENTS, by, files, counts=result.counts(), options=options, key=new.record
        )
        delete_contents([new.written[doc_id] for doc_id in late])
        if replaced:
            details = {"import": new.record, "documents": len(replaced)}
            audit.record(Action.TEXTS_REPLACED, actor=by.user, collection=collection, details=details)


def _write(new: _DocumentImport, documents: Iterable[pooling.Document]) -> None:
    """Write the contents of new documents in short transactions."""
    text_format, selected = new.options.text_format, new.selection.select_new(documents)
    with SanitiserProcess() as process:
        for batch in batches_by_size(selected, lambda document: len(document.text), BATCH_CHARACTERS):
            if new.written:
                let_others_write()
            formats = [text_format if document.format == TextFormat.PLAIN else document.format for document in batch]
            sanitised = _sanitised(process, batch, formats, new.options.too_complex, new.selection.result)
            contents = {
                document.doc_id: new_content(
                    document.text,
                    title=document.title,
                    text_format=TextFormat.PLAIN if text is None else TextFormat.HTML,
                    metadata=document.metadata,
                    sanitised=text,
                    import_record=new.record,
                )
                for document, text in zip(batch, sanitised, strict=True)
            }
            changed = {key: each for key, each in contents.items() if not new.selection.is_same(key, each.sha256)}
            keys = write_contents(list(changed.values()))
            new.written |= dict(zip(changed, keys, strict=True))


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


def _left_out(selection: _Selection) -> dict[str, int]:
    numbers = {"with an empty text": selection.n_empty, "not in the pool": selection.n_outside}
    return {reason: number for reason, number in numbers.items() if number}


def _add_notes(selection: _Selection, replace: bool) -> None:
    result = selection.result
    if result.same:
        kept = "this text" if replace else "a text, which was kept"
        result.notes.append(f"{count(result.same, 'document')} already had {kept}.")
    if result.updated:
        documents = "the text of 1 document" if result.updated == 1 else f"the texts of {result.updated:,} documents"
        result.notes.append(
            f"Replaced {documents}. The former ones are kept. The page “Changed texts” lists the judgements of them."
        )
    if selection.n_empty:
        verb = "has" if selection.n_empty == 1 else "have"
        result.notes.append(f"{count(selection.n_empty, 'document')} {verb} an empty text, which counts as missing.")
    if selection.n_outside:
        result.notes.append(
            f"Documents outside the pool, which were not kept: {selection.n_outside:,}. "
            "Choose to keep them, by command with --all."
        )
