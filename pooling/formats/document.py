"""A document, as every reader of documents returns it."""

from typing import Any, NamedTuple


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
        All other keys of a JSON document with their JSON values, or other columns; empty for TREC documents.
    line : int
        The line of the file on which the document begins, from 1; in an archive or folder, the number of the file; in
        WARC, the number of the record.
    format : {"text", "html", "markdown"}
        "html" and "markdown" for pages in these formats; "text" if the file does not say.

    Examples
    --------
    >>> from pooling import read_documents
    >>> next(read_documents(b'{"doc_id": "d1", "title": "Tea", "text": "Green tea.", "year": 1998}'))
    Document(doc_id='d1', title='Tea', text='Green tea.', metadata={'year': 1998}, line=1, format='text')
    """

    doc_id: str
    title: str
    text: str
    metadata: dict[str, Any]
    line: int
    format: str = "text"
