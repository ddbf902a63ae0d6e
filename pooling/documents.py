"""Documents: what is judged, in two formats, one document after the other. This docstring is their specification.

Text is UTF-8, plain, gzip, bzip2 or xz; a byte-order mark is dropped. The first character that is not blank tells the
format: ``<`` TREC, ``{`` JSONL; the name of the file has no say. A document has a doc_id (see `pooling.ids`),
unique in the file, a text, and may have a title; both may be empty. A document of more than 64 MiB is refused,
and so is a NUL character: what should stand instead of it, only its owner knows. A file without documents is
refused.

JSONL
    One object a line: ``doc_id`` (a text or a whole number), ``text``, optionally ``title``. All other keys
    are the document's metadata. Blank lines are skipped.

TREC
    ``<DOC>`` with ``<DOCNO>``, closed by ``</DOC>``; nothing but white space stands outside. Upper and lower
    case are the same. The title is the first ``<TITLE>``, or else the first ``<HEADLINE>``, without the tags in
    it, white space counting as one space. The text is what the ``<TEXT>`` elements hold, one after the other;
    without any, everything after ``</DOCNO>`` except the title. White space around it is dropped. This is not
    XML: tags and entities within the text stay as they are.

Nothing but the ids is kept in memory from one document to the next (about 150 bytes each).
"""

from collections.abc import Iterator
from itertools import chain, dropwhile
from typing import BinaryIO, NamedTuple

from pooling._io.doc_elements import doc_elements, too_large
from pooling._io.records import checked_id, id_field, json_object, text_field
from pooling._io.streams import BYTE_ORDER_MARK, Progress, Source, display_name, open_input
from pooling.errors import FormatError, shown

MAX_BYTES = 1 << 36
MAX_DOCUMENT_BYTES = 1 << 26

Lines = Iterator[tuple[int, bytes]]


class Document(NamedTuple):
    """A document, and the line of its file on which it begins."""

    doc_id: str
    title: str
    text: str
    metadata: dict
    line: int


def read_documents(
    source: Source,
    *,
    max_bytes: int = MAX_BYTES,
    max_document_bytes: int = MAX_DOCUMENT_BYTES,
    name: str | None = None,
    progress: Progress | None = None,
) -> Iterator[Document]:
    """Read documents, one at a time.

    Parameters
    ----------
    source : path, bytes or binary file
        Plain, gzip, bzip2 or xz; the format is told by the content.
    max_bytes, max_document_bytes : int
        Limits on the expanded size of the file and of one document, in bytes.
    name : str, optional
        What errors call the file.
    progress : callable, optional
        Called with the number of bytes just taken from the file.

    Yields
    ------
    Document
        doc_id, title, text (str), metadata (dict) and line (int), in the order of the file.

    Raises
    ------
    FormatError
        At the first document that breaks the format, see the module; those before it were yielded.
    """
    name = name or display_name(source)
    with open_input(source, max_bytes=max_bytes, name=name, progress=progress) as stream:
        lines = dropwhile(lambda line: not line[1].strip(), _lines(stream, max_document_bytes, name))
        first = next(lines, None)
        if first is None:
            raise FormatError("the file has no documents", "a documents file has at least one", name)
        read = _reader(first, name)
        yield from _each_once(read(chain([first], lines), max_document_bytes, name), name)


def _lines(stream: BinaryIO, limit: int, file: str) -> Lines:
    number = 0
    while line := stream.readline(limit + 1):
        number += 1
        if len(line) > limit:
            raise too_large(limit, file, number)
        yield number, line.removeprefix(BYTE_ORDER_MARK) if number == 1 else line


def _reader(first: tuple[int, bytes], file: str):
    number, line = first
    begin = line.lstrip()[:1]
    if begin == b"{":
        return _jsonl_documents
    if begin == b"<":
        return _trec_documents
    what = f"the file begins with {shown(begin.decode(errors='backslashreplace'))}"
    raise FormatError(what, "documents are JSON objects, one a line, or <DOC> elements", file, number)


def _jsonl_documents(lines: Lines, _limit: int, file: str) -> Iterator[Document]:
    for number, line in lines:
        if not line.strip():
            continue
        record = json_object(line, file, number)
        if not isinstance(record.get("text"), str):
            raise FormatError("text is missing or no text", "a document has a text", file, number, "text")
        metadata = {key: value for key, value in record.items() if key not in ("doc_id", "title", "text")}
        yield Document(
            id_field(record, "doc_id", file, number),
            text_field(record, "title", file, number),
            record["text"],
            metadata,
            number,
        )


def _trec_documents(lines: Lines, limit: int, file: str) -> Iterator[Document]:
    for number, element in doc_elements(lines, limit, file):
        doc_id = checked_id(element.docno, "doc_id", file, number)
        yield Document(doc_id, element.title, element.text, {}, number)


def _each_once(documents: Iterator[Document], file: str) -> Iterator[Document]:
    first_line = {}
    for document in documents:
        if document.doc_id in first_line:
            what = f"document {shown(document.doc_id)} stands already on line {first_line[document.doc_id]}"
            raise FormatError(what, "a doc_id occurs once", file, document.line, "doc_id", document.doc_id)
        first_line[document.doc_id] = document.line
        yield document
