"""Read documents in several formats, one document at a time. This docstring specifies the formats.

All formats
    A file is plain or compressed with gzip, bzip2 or xz. The content decides the format: archives, WARC and HTML by
    their first bytes, ``<`` TREC, ``{`` or ``[`` JSON, a tab in the first line TSV. The file name decides only for
    Markdown (`.md`). Text is UTF-8, except in HTML. A byte-order mark at the start of a line is ignored.

    A document has a doc_id (`pooling.ids`), a text and optionally a title. Text and title may be empty.

    Refused: an invalid doc_id; one that a spreadsheet has probably changed (`pooling.changed_ids`), at the end of the
    file, because all doc_ids decide; a doc_id that occurs twice; a document of more than 64 MiB; a NUL character, since
    only the owner of the data knows the intended character; bytes that are not UTF-8; a file without documents.

JSON
    Objects, one per line, in an array or one after the other (BEIR, Pyserini, MS MARCO and others), with a doc_id (a
    string or an integer), a text and optionally ``title``. The doc_id is ``doc_id``, ``docno``, ``_id``, ``pid``,
    ``docid`` or ``id``; the text is ``text``, ``contents``, ``content``, ``body``, ``passage``, ``segment`` or
    ``default_text``; the first of these that an object has is used (`pooling.formats.fields`). All other keys are the
    metadata of the document. Blank lines are ignored.

TSV
    ``doc_id<TAB>text``, or ``doc_id<TAB>url<TAB>title<TAB>text`` (MS MARCO). Quotes have no special meaning; a file
    whose first cell is in double quotes is refused. If the first two fields of the first line are names of fields, the
    line is a header, and the columns are in its order; other columns are metadata.

TREC
    ``<DOC>`` elements with a ``<DOCNO>``, closed by ``</DOC>``. Tags are case-insensitive. Text other than white space
    outside of ``<DOC>`` is refused. The title is the content of the first ``<TITLE>``, or else of the first
    ``<HEADLINE>``, without tags and with white space reduced to single spaces; if there is neither, it is the first
    ``<HL>``, ``<HEAD>`` or ``<TTL>`` beside a ``<TEXT>``. The text is the joined content of all ``<TEXT>`` elements
    and of what is beside them, in the order of the file: lead paragraphs (``<LP>``, ``<LEADPARA>``) and other headings
    than the title. If there is no ``<TEXT>``, the text is everything after ``</DOCNO>`` except the title. White space
    around the text is removed. The format is not XML: tags and entities within the text are kept.

Classic collections
    The documents of CACM, CISI, ADI, MED, Cranfield, NPL and LISA (`pooling.formats.smart`), recognised by ``.I`` and
    a number, by a first line that holds only a number, or by ``Document`` and a number.

WARC
    One document for each record of a page or another text (`pooling.formats.pages.warc`).

Folders, ZIP and TAR archives, single HTML and Markdown pages
    One document per file (`pooling.formats.pages.archives`, `pooling.formats.pages.page`).

``irds:`` and the id of a data set
    The documents of ir-datasets (`pooling.formats.irds`).

Only the ids are kept in memory from one document to the next (about 150 bytes each).
"""

import os
from collections.abc import Iterator
from itertools import chain, dropwhile
from pathlib import Path, PurePath
from typing import BinaryIO

from pooling._io.doc_elements import too_large
from pooling._io.streams import BYTE_ORDER_MARK, Progress, Source, display_name, open_input
from pooling.changed_ids import changed_id_error, changed_ids
from pooling.errors import FormatError, Problems, raise_or_keep, shown
from pooling.formats.beir_zip import part_of_beir, whole_size
from pooling.formats.document import Document
from pooling.formats.document_formats import json_documents, trec_documents, tsv_documents
from pooling.formats.irds import irds_documents
from pooling.formats.pages.archives import Limits, folder_documents, tar_documents, zip_documents
from pooling.formats.pages.page import FORMATS, page
from pooling.formats.recognise import SAMPLE_BYTES, format_of_bytes, format_of_tags
from pooling.formats.smart.documents import smart_documents
from pooling.formats.smart.shapes import items_form
from pooling.paths import irds_id

MAX_BYTES = 1 << 36
MAX_DOCUMENT_BYTES = 1 << 26

Lines = Iterator[tuple[int, bytes]]


def read_documents(
    source: Source,
    *,
    max_bytes: int = MAX_BYTES,
    max_document_bytes: int = MAX_DOCUMENT_BYTES,
    name: str | None = None,
    progress: Progress | None = None,
    problems: list[FormatError] | None = None,
    notes: list[str] | None = None,
) -> Iterator[Document]:
    """Read documents one at a time from a file, an archive or a folder.

    The content decides the format. `pooling.documents` specifies the formats.

    Parameters
    ----------
    source : path, bytes or binary file
        The file: plain, or compressed with gzip, bzip2 or xz; or the path of a folder; or ``irds:`` and the id of a
        data set.
    max_bytes : int
        Largest size of the decompressed file, and of all files of an archive or folder together, in bytes.
    max_document_bytes : int
        Largest size of one document, in bytes.
    name : str, optional
        The name of the file in errors. By default it is the path or the name of `source`.
    progress : callable, optional
        Called with the number of bytes read, repeatedly. The numbers add up to the size of the file on disk.
    problems : list of FormatError, optional
        Collects the problems of invalid documents, which are left out. By default the first one is raised.
    notes : list of str, optional
        Collects sentences about the file of a classic collection: an empty last document, and how the number of
        documents compares with that of the known files. By default an empty document gives a warning.

    Yields
    ------
    Document
        doc_id, title, text (str), metadata (dict), line (int) and format (str), in the order of the file.

    Raises
    ------
    FormatError
        If a document breaks the format, the compressed data is corrupt, or a size limit is exceeded. The documents
        before it have been yielded.
    OSError
        If the file cannot be read.

    Examples
    --------
    >>> from pooling import read_documents
    >>> trec = b"<DOC><DOCNO>d1</DOCNO><TITLE>Tea</TITLE><TEXT>Green tea.</TEXT></DOC>"
    >>> [(document.doc_id, document.title, document.text) for document in read_documents(trec)]
    [('d1', 'Tea', 'Green tea.')]
    """
    name = name or display_name(source)
    limits = Limits(max_bytes, max_document_bytes)
    try:
        documents = _documents(source, limits, name, progress, problems, notes)
        n_documents = 0
        for document in _each_once(documents, name, problems):
            n_documents += 1
            yield document
        if not n_documents and not problems:
            raise FormatError("the file has no documents", "a documents file has at least one", name)
    except FormatError as error:
        raise_or_keep(error, problems)


def _documents(
    source: Source, limits: Limits, name: str, progress: Progress | None, problems: Problems, notes: list[str] | None
) -> Iterator[Document]:
    if dataset_id := irds_id(source):
        yield from irds_documents(dataset_id)
        return
    if isinstance(source, str | os.PathLike) and os.path.isdir(source):
        yield from folder_documents(Path(source), limits, name, problems, progress)
        return
    with part_of_beir(source, "documents", name) as part:
        if part is not None:
            whole_size(source, progress)
            source, name, progress = part[0], part[1], None
        yield from _of_file(source, limits, name, progress, problems, notes)


def _of_file(
    source: Source, limits: Limits, name: str, progress: Progress | None, problems: Problems, notes: list[str] | None
) -> Iterator[Document]:
    with open_input(source, max_bytes=limits.total, name=name, progress=progress) as stream:
        head = stream.peek(SAMPLE_BYTES)  # type: ignore[attr-defined]  # open_input yields a BufferedReader
        if form := items_form(head.decode(errors="replace").lstrip("\ufeff")):
            lines = _lines(stream, limits.document, name)
            yield from smart_documents(lines, form, limits.document, name, problems, notes)
        else:
            yield from _reader(head, stream, limits, name, problems)


def _reader(head: bytes, stream: BinaryIO, limits: Limits, name: str, problems: Problems) -> Iterator[Document]:
    """The documents of a stream that begins with `head`."""
    form = format_of_bytes(head)
    if form == "zip":
        return zip_documents(stream, limits, name, problems)
    if form == "tar":
        return tar_documents(stream, limits, name, problems)
    if form == "warc":
        from pooling.formats.pages.warc import warc_documents  # warcio is loaded only for WARC

        return warc_documents(stream, limits.document, name, problems)
    if page_name := _page_name(head, name):
        data = stream.read(limits.document + 1)
        if len(data) > limits.document:
            raise too_large(limits.document, name, 1)
        return iter([page(page_name, data, name, 1)])
    lines = dropwhile(lambda line: not line[1].strip(), _lines(stream, limits.document, name))
    first = next(lines, None)
    if first is None:
        return iter(())
    return _by_lines(first, chain([first], lines), limits.document, name, problems)


def _page_name(head: bytes, name: str) -> str | None:
    """The name of a file that is one HTML or Markdown page, with its ending; None if it is not."""
    base = PurePath(name).name.replace("\\", "_")
    is_text = FORMATS.get(PurePath(base).suffix.lower(), "text") == "text"
    text = head.decode(errors="replace").lstrip("\ufeff \t\r\n")
    if text.startswith("<") and format_of_tags(text) == "html":
        return f"{base}.html" if is_text else base
    return base if FORMATS.get(PurePath(base).suffix.lower()) == "markdown" else None


def _lines(stream: BinaryIO, limit: int, file: str) -> Lines:
    number = 0
    while line := stream.readline(limit + 1):
        number += 1
        if len(line) > limit:
            raise too_large(limit, file, number)
        yield number, line.removeprefix(BYTE_ORDER_MARK)


def _by_lines(first: tuple[int, bytes], lines: Lines, limit: int, file: str, problems: Problems) -> Iterator[Document]:
    number, line = first
    begin = line.lstrip()[:1]
    if begin in (b"{", b"["):
        return json_documents(lines, limit, file, problems)
    if begin == b"<":
        return trec_documents(lines, limit, file, problems)
    if b"\t" in line:
        return tsv_documents(lines, limit, file, problems)
    what = f"the file begins with {shown(begin.decode(errors='backslashreplace'))}"
    allowed = (
        "documents are JSON objects, <DOC> elements, TSV, WARC, or HTML, Markdown and text in an archive or folder"
    )
    raise FormatError(what, allowed, file, number)


def _each_once(documents: Iterator[Document], file: str, problems: Problems) -> Iterator[Document]:
    first_line: dict[str, int] = {}
    for document in documents:
        if document.doc_id in first_line:
            what = f"document {shown(document.doc_id)} is already on line {first_line[document.doc_id]}"
            error = FormatError(what, "a doc_id occurs once", file, document.line, "doc_id", document.doc_id)
            raise_or_keep(error, problems)
            continue
        first_line[document.doc_id] = document.line
        yield document
    for doc_id in sorted(changed_ids(first_line), key=first_line.__getitem__):  # the whole column decides
        raise_or_keep(changed_id_error("doc_id", doc_id, file, first_line[doc_id]), problems)
