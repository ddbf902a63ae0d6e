"""The scanner of TREC documents: ``<DOC>`` elements as specified in `pooling.documents`.

It scans forward only, with patterns that cannot backtrack, and uses no XML parser.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from pooling._io.records import decoded
from pooling.errors import FormatError

ALLOWED = "a document is <DOC> with <DOCNO>, closed by </DOC>"

DOC_TAG = re.compile(rb"</?doc>", re.IGNORECASE)
OPEN, CLOSE, NO_TAG = b"<doc>", b"</doc>", b""
DOCNO = re.compile(r"<docno>([^<]*)</docno>", re.IGNORECASE | re.ASCII)
TAGS = {
    name: (re.compile(f"<{name}>", re.IGNORECASE | re.ASCII), re.compile(f"</{name}>", re.IGNORECASE | re.ASCII))
    for name in ("title", "headline", "head", "hl", "ttl", "lp", "leadpara", "text")
}
# What is read besides TEXT. A page in HTML has a HEAD, too; so these count only outside of TEXT, if there is a TEXT.
HEADINGS = frozenset(("title", "headline", "head", "hl", "ttl"))
BESIDE_TEXT = re.compile(r"<(title|headline|head|hl|ttl|lp|leadpara)>", re.IGNORECASE | re.ASCII)
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
    if not sections:
        body = text[docno.end() : begin] + text[end:]
        return DocElement(docno[1].strip(), title, body.strip())
    parts = [(start, content.strip()) for start, content, _ in sections]
    for start, name, content in _beside(text, docno.end(), sections, file, line):
        heading = _without_tags(content) if name in HEADINGS else content.strip()
        if name in HEADINGS and not title:
            title = heading
        elif name not in HEADINGS or heading != title:
            parts.append((start, heading))
    body = "\n".join(content for _, content in sorted(parts))
    return DocElement(docno[1].strip(), title, body.strip())


def _beside(
    text: str, start: int, sections: Sequence[tuple[int, str, int]], file: str, line: int
) -> Iterator[tuple[int, str, str]]:
    """The start, name and content of each heading and lead paragraph outside of the `sections`."""
    ends = [start, *(end for _, _, end in sections)]
    for begin, stop in zip(ends, [*(begin for begin, _, _ in sections), len(text)], strict=True):
        last = begin
        for opening in BESIDE_TEXT.finditer(text, begin, stop):
            if opening.start() < last:
                continue  # within another one
            name = opening[1].lower()
            end = TAGS[name][1].search(text, opening.end(), stop)
            if end is None:
                raise _not_closed(name, text, opening.start(), file, line)
            yield opening.start(), name, text[opening.end() : end.start()]
            last = end.end()


def _title(text: str, start: int, file: str, line: int) -> tuple[int, str, int]:
    """The start of the title, the title, and its end; empty at `start` if there is none."""
    for name in ("title", "headline"):
        for begin, title, end in _sections(text, name, start, file, line):
            return begin, _without_tags(title), end
    return start, "", start


def _without_tags(heading: str) -> str:
    return " ".join(TAG_WITHIN.sub(" ", heading).split())


def _sections(text: str, name: str, start: int, file: str, line: int) -> Iterator[tuple[int, str, int]]:
    """The start, content and end of each element `name` from `start` on."""
    opening, closing = TAGS[name]
    while begin := opening.search(text, start):
        end = closing.search(text, begin.end())
        if end is None:
            raise _not_closed(name, text, begin.start(), file, line)
        yield begin.start(), text[begin.end() : end.start()], end.end()
        start = end.end()


def _not_closed(name: str, text: str, begin: int, file: str, line: int) -> FormatError:
    return FormatError(f"<{name.upper()}> is not closed", ALLOWED, file, line + text.count("\n", 0, begin))
