"""The scanner of TREC documents: ``<DOC>`` elements as specified in `pooling.documents`.

It scans forward only, with patterns that cannot backtrack, and uses no XML parser.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from pooling._io.records import decoded
from pooling.errors import FormatError

ALLOWED = "a document is <DOC> with <DOCNO>, closed by </DOC>"

DOC_TAG = re.compile(rb"</?doc>", re.IGNORECASE)
OPEN, CLOSE, NO_TAG = b"<doc>", b"</doc>", b""
DOCNO = re.compile(r"<docno>([^<]*)</docno>", re.IGNORECASE | re.ASCII)
TAGS = {
    name: (re.compile(f"<{name}>", re.IGNORECASE | re.ASCII), re.compile(f"</{name}>", re.IGNORECASE | re.ASCII))
    for name in ("title", "headline", "text")
}
TAG_WITHIN = re.compile(r"<[^<>]*>")

Lines = Iterable[tuple[int, bytes]]


class DocElement(NamedTuple):
    """The content of a ``<DOC>`` element."""

    docno: str
    title: str
    text: str


def doc_elements(lines: Lines, limit: int, file: str) -> Iterator[tuple[int, DocElement]]:
    """The line and the content of each ``<DOC>`` element of at most `limit` bytes."""
    for number, data in _elements(lines, limit, file):
        yield number, _content(decoded(data, file, number), file, number)


def too_large(limit: int, file: str, line: int) -> FormatError:
    """The error for a document, or a single line, that is too large."""
    return FormatError(f"the document has more than {limit:,} bytes", f"at most {limit:,} are allowed", file, line)


def _elements(lines: Lines, limit: int, file: str) -> Iterator[tuple[int, bytes]]:
    """The line of each ``<DOC>``, and the bytes between it and its ``</DOC>``."""
    begin: int | None = None
    pieces: list[bytes] = []
    size = 0
    for number, tag, text in _tokens(lines):
        if tag == OPEN and begin is None:
            begin, pieces, size = number, [], 0
        elif tag == CLOSE and begin is not None:
            yield begin, b"".join(pieces)
            begin = None
        elif tag != NO_TAG:
            what = "</DOC> without <DOC>" if tag == CLOSE else f"<DOC> within the document of line {begin}"
            raise FormatError(what, ALLOWED, file, number)
        elif begin is not None:
            pieces.append(text)
            size += len(text)
            if size > limit:
                raise too_large(limit, file, begin)
        elif text.strip():
            raise FormatError("text outside of <DOC>", ALLOWED, file, number)
    if begin is not None:
        raise FormatError("<DOC> is not closed", ALLOWED, file, begin)


def _tokens(lines: Lines) -> Iterator[tuple[int, bytes, bytes]]:
    """The lines cut at each ``<DOC>`` and ``</DOC>``: line, tag in lower case or NO_TAG, text."""
    for number, line in lines:
        begin = 0
        for match in DOC_TAG.finditer(line):
            yield number, NO_TAG, line[begin : match.start()]
            yield number, match.group().lower(), b""
            begin = match.end()
        yield number, NO_TAG, line[begin:]


def _content(text: str, file: str, line: int) -> DocElement:
    docno = DOCNO.search(text)
    if docno is None:
        raise FormatError("<DOCNO> is missing or not closed", ALLOWED, file, line, "doc_id")
    begin, title, end = _title(text, docno.end(), file, line)
    sections = list(_sections(text, "text", docno.end(), file, line))
    if sections:
        body = "\n".join(section.strip() for _, section, _ in sections)
    else:
        body = text[docno.end() : begin] + text[end:]
    return DocElement(docno[1].strip(), title, body.strip())


def _title(text: str, start: int, file: str, line: int) -> tuple[int, str, int]:
    """The start of the title, the title, and its end; empty at `start` if there is none."""
    for name in ("title", "headline"):
        for begin, title, end in _sections(text, name, start, file, line):
            return begin, " ".join(TAG_WITHIN.sub(" ", title).split()), end
    return start, "", start


def _sections(text: str, name: str, start: int, file: str, line: int) -> Iterator[tuple[int, str, int]]:
    """The start, content and end of each element `name` from `start` on."""
    opening, closing = TAGS[name]
    while begin := opening.search(text, start):
        end = closing.search(text, begin.end())
        if end is None:
            what = f"<{name.upper()}> is not closed"
            raise FormatError(what, ALLOWED, file, line + text.count("\n", 0, begin.start()))
        yield begin.start(), text[begin.end() : end.start()], end.end()
        start = end.end()
