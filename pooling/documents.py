"""Read documents in two formats, one document at a time. This docstring specifies the formats.

Both formats
    The text is UTF-8, plain or compressed with gzip, bzip2 or xz. A byte-order mark at the start is ignored. The first
    non-blank character decides the format: ``<`` TREC, ``{`` JSONL. The file name is ignored.

    A document has a doc_id (`pooling.ids`), a text and optionally a title. Text and title may be empty.

    Refused: an invalid doc_id; a doc_id that occurs twice; a document of more than 64 MiB; a NUL character, since
    only the owner of the data knows the intended character; bytes that are not UTF-8; a file without documents.

JSONL
    One object per line with the keys ``doc_id`` (a string or an integer), ``text`` and optionally ``title``. All other
    keys are the metadata of the document. Blank lines are ignored.

TREC
    ``<DOC>`` elements with a ``<DOCNO>``, closed by ``</DOC>``. Tags are case-insensitive. Text other than white space
    outside of ``<DOC>`` is refused. The title is the content of the first ``<TITLE>``, or else of the first
    ``<HEADLINE>``, without tags and with white space reduced to single spaces. The text is the joined content of all
    ``<TEXT>`` elements; if there is none, it is everything after ``</DOCNO>`` except the title. White space around
    the text is removed. The format is not XML: tags and entities within the text are kept.

Only the ids are kept in memory from one document to the next (about 150 bytes each).
"""

from collections.abc import Callable, Iterator
from itertools import chain, dropwhile
from typing import Any, BinaryIO, NamedTuple

from pooling._io.doc_elements import doc_elements, too_large
from pooling._io.records import checked_id, id_field, json_object, text_field
from pooling._io.streams import BYTE_ORDER_MARK, Progress, Source, display_name, open_input
from pooling.errors import FormatError, shown

MAX_BYTES = 1 << 36
MAX_DOCUMENT_BYTES = 1 << 26

Lines = Iterator[tuple[int, bytes]]


class Document(NamedTuple):
    """A document of a documents file.

    Attributes
    ----------
    doc_id : str
        The id of the document.
    title : str
        The title; may be empty.
    text : str
        The text; may be empty.
    metadata : dict
        All other keys of a JSONL document with their JSON values; empty for TREC documents.
    line : int
        The line of the file on which the document begins, from 1.

    Examples
    --------
    >>> from pooling import read_documents
    >>> next(read_documents(b'{"doc_id": "d1", "title": "Tea", "text": "Green tea.", "year": 1998}'))
    Document(doc_id='d1', title='Tea', text='Green tea.', metadata={'year': 1998}, line=1)
    """

    doc_id: str
    title: str
    text: str
    metadata: dict[str, Any]
    line: int


def read_documents(
    source: Source,
    *,
    max_bytes: int = MAX_BYTES,
    max_document_bytes: int = MAX_DOCUMENT_BYTES,
    name: str | None = None,
    progress: Progress | None = None,
) -> Iterator[Document]:
    """Read documents one at a time from a TREC or JSONL file.

    The first non-blank character decides the format: ``<`` TREC, ``{`` JSONL. `pooling.documents` specifies the
    formats.

    Parameters
    ----------
    source : path, bytes or binary file
        The file: plain text, or compressed with gzip, bzip2 or xz.
    max_bytes : int
        Largest size of the decompressed file, in bytes.
    max_document_bytes : int
        Largest size of one document, in bytes.
    name : str, optional
        The name of the file in errors. By default it is the path or the name of `source`.
    progress : callable, optional
        Called with the number of bytes read, repeatedly. The numbers add up to the size of the file on disk.

    Yields
    ------
    Document
        doc_id, title, text (str), metadata (dict) and line (int), in the order of the file.

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


def _reader(first: tuple[int, bytes], file: str) -> Callable[[Lines, int, str], Iterator[Document]]:
    number, line = first
    begin = line.lstrip()[:1]
    if begin == b"{":
        return _jsonl_documents
    if begin == b"<":
        return _trec_documents
    what = f"the file begins with {shown(begin.decode(errors='backslashreplace'))}"
    raise FormatError(what, "documents are JSON objects, one per line, or <DOC> elements", file, number)


def _jsonl_documents(lines: Lines, _limit: int, file: str) -> Iterator[Document]:
    for number, line in lines:
        if not line.strip():
            continue
        record = json_object(line, file, number)
        if not isinstance(record.get("text"), str):
            raise FormatError("text is missing or is not a string", "each text is a string", file, number, "text")
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
    first_line: dict[str, int] = {}
    for document in documents:
        if document.doc_id in first_line:
            what = f"document {shown(document.doc_id)} is already on line {first_line[document.doc_id]}"
            raise FormatError(what, "a doc_id occurs once", file, document.line, "doc_id", document.doc_id)
        first_line[document.doc_id] = document.line
        yield document
