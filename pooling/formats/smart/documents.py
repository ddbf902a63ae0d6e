"""Read the documents of a classic collection; `pooling.formats.smart` specifies them."""

from collections.abc import Iterator

from pooling._io.records import checked_id
from pooling.errors import FormatError, Problems, raise_or_keep
from pooling.formats.document import Document
from pooling.formats.smart import FIELDS
from pooling.formats.smart.items import TEXT, Item, Lines, Notes, items, without_last_empty
from pooling.formats.smart.known import compared

TITLE = "T"


def smart_documents(
    lines: Lines, form: str, limit: int, file: str, problems: Problems = None, notes: Notes = None
) -> Iterator[Document]:
    """The documents of a file of this form; `notes` collects sentences about the file."""
    n_documents = 0
    for item in without_last_empty(items(lines, form, limit, file), "document", file, notes):
        try:
            document = _document(_with_title(item) if form == "lisa_documents" else item, file)
        except FormatError as error:
            raise_or_keep(error, problems)
        else:
            n_documents += 1
            yield document
    if notes is not None and (sentence := compared("documents", n_documents, file)):
        notes.append(sentence)


def _with_title(item: Item) -> Item:
    """The item of LISA, whose title ends at the first blank line."""
    lines = item.fields.get(TEXT, "").split("\n")
    end = next((at for at, line in enumerate(lines) if not line.strip()), len(lines))
    return item._replace(fields={TITLE: "\n".join(lines[:end]), TEXT: "\n".join(lines[end:])})


def _document(item: Item, file: str) -> Document:
    checked_id(item.number, "doc_id", file, item.line)
    title = " ".join(item.fields.get(TITLE, "").split())
    text = item.fields.get(TEXT, "").strip()
    others = {FIELDS.get(tag, tag): field for tag, field in item.fields.items() if tag not in (TITLE, TEXT)}
    metadata = {name: field.strip() for name, field in others.items() if field.strip()}
    return Document(item.number, title, text or title, metadata, item.line)
