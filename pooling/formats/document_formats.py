"""Read documents in each format of one file that `pooling.documents` specifies: TREC, JSON and TSV."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from pooling._io.doc_elements import doc_elements
from pooling._io.records import checked_id, decoded, text_field
from pooling.errors import FormatError, Problems, raise_or_keep, shown
from pooling.formats.document import Document
from pooling.formats.fields import DOC_ID, TEXT, first_key, id_text
from pooling.formats.json_records import json_records
from pooling.formats.tables import by_name, check_once, header_of, is_quoted

Lines = Iterable[tuple[int, bytes]]

KNOWN = frozenset((*DOC_ID, *TEXT, "title", "url"))
COLUMNS = {2: ("doc_id", "text"), 4: ("doc_id", "url", "title", "text")}  # by number, in TSV without a header


def trec_documents(lines: Lines, limit: int, file: str, problems: Problems) -> Iterator[Document]:
    """The documents of a file of ``<DOC>`` elements."""
    for number, element in doc_elements(lines, limit, file):
        try:
            doc_id = checked_id(element.docno, "doc_id", file, number)
        except FormatError as error:
            raise_or_keep(error, problems)
        else:
            yield Document(doc_id, element.title, element.text, {}, number)


def json_documents(lines: Lines, limit: int, file: str, problems: Problems) -> Iterator[Document]:
    """The documents of a file of JSON objects."""
    for number, record in json_records(lines, limit, file, problems):
        try:
            yield _of_record(record, file, number)
        except FormatError as error:
            raise_or_keep(error, problems)


def tsv_documents(lines: Lines, _limit: int, file: str, problems: Problems) -> Iterator[Document]:
    """The documents of a TSV file."""
    header: Sequence[str] | None = None
    for number, line in lines:
        if not line.strip():
            continue
        try:
            text = decoded(line, file, number).rstrip("\r\n")
            if header is None and is_quoted(text):
                what = f"the cells are in quotes ({shown(text[:80])})"
                allowed = "documents as TSV have no quotes; write them without quotes, or as JSON"
                raise FormatError(what, allowed, file, number)
            cells = text.split("\t")
            if header is None and (header := header_of(cells, KNOWN)):
                check_once(header, text, file)
                continue
            header = header or ()
            columns = header or COLUMNS.get(len(cells))
            if columns is None:
                allowed = "a line has doc_id and text, or doc_id, url, title and text, separated by tabs"
                raise FormatError(f"{len(cells)} columns", allowed, file, number)
            yield _of_record(by_name(cells, columns, file, number), file, number)
        except FormatError as error:
            raise_or_keep(error, problems)


def _of_record(record: dict[str, Any], file: str, number: int) -> Document:
    text = first_key(TEXT, record)
    if text is None or not isinstance(record[text], str):
        raise FormatError("text is missing or is not a string", "each text is a string", file, number, "text")
    doc_id = checked_id(id_text(record, DOC_ID, file, number), "doc_id", file, number)
    used = (first_key(DOC_ID, record), text, "title")
    metadata = {key: value for key, value in record.items() if key not in used}
    return Document(doc_id, text_field(record, "title", file, number), record[text], metadata, number)
