"""Read documents from WARC files, one record at a time.

Documents are the records of the types response (with an HTTP status from 200 to 299), resource and conversion whose
content type is HTML or another text. All other records are ignored. HTML has the format "html", and its `<title>` as
the title. Transfer and content encodings are undone. The text is in the declared encoding, otherwise in UTF-8; bytes
that the encoding does not have, and NUL characters, become U+FFFD, as in a browser.

The doc_id is WARC-TREC-ID (ClueWeb), or else WARC-Record-ID without angle brackets and ``urn:uuid:``, or else
WARC-Target-URI. The metadata are url and date.

Refused: a record without Content-Length; a header of more than 256 KiB; a document beyond the size limit; an invalid
doc_id. Files in the older format ARC are not read.
"""

import io
import re
from collections.abc import Iterator
from typing import BinaryIO

from warcio.archiveiterator import ArchiveIterator

from pooling._io.doc_elements import too_large
from pooling._io.records import checked_id
from pooling.errors import FormatError, Problems, raise_or_keep
from pooling.formats.document import Document
from pooling.formats.pages.page import decoded_page, title_of

MAX_HEADER_BYTES = 1 << 18
PIECE_BYTES = 1 << 20
TYPES = (b"response", b"resource", b"conversion")
HTML_TYPES = ("text/html", "application/xhtml+xml")
LENGTH = re.compile(rb"^content-length[ \t]*:[ \t]*([0-9]{1,15})[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)
TYPE = re.compile(rb"^warc-type[ \t]*:[ \t]*([a-z]{1,20})[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)
CHARSET = re.compile(r"charset=[\"']?([\w.:-]{1,40})", re.IGNORECASE)
ALLOWED = "a WARC file has records with a version, a header with Content-Length, and that many bytes"


def warc_documents(stream: BinaryIO, limit: int, file: str, problems: Problems) -> Iterator[Document]:
    """The documents of a decompressed WARC file, each of at most `limit` bytes."""
    number = 0
    while (header := _header(stream, file, number + 1)) is not None:
        number += 1
        content = _content(stream, header, limit, file, number)
        if content is None:
            continue
        try:
            _check_http_header(content, file, number)
            document = _document(header + content, limit, file, number)
        except FormatError as error:
            raise_or_keep(error, problems)
        else:
            if document is not None:
                yield document


def _header(stream: BinaryIO, file: str, number: int) -> bytes | None:
    """The header of the next record with the blank line after it; None at the end of the file."""
    lines: list[bytes] = []
    size = 0
    while line := stream.readline(MAX_HEADER_BYTES + 1):
        size += len(line)
        if size > MAX_HEADER_BYTES:
            raise FormatError(f"the header of record {number} has more than {MAX_HEADER_BYTES:,} bytes", ALLOWED, file)
        if line.strip():
            if not lines and not line.startswith(b"WARC/"):
                raise FormatError(f"record {number} does not begin with WARC/", ALLOWED, file)
            lines.append(line)
        elif lines:
            return b"".join([*lines, b"\r\n"])
    if lines:
        raise FormatError(f"the header of record {number} is not complete", ALLOWED, file)
    return None


def _content(stream: BinaryIO, header: bytes, limit: int, file: str, number: int) -> bytes | None:
    """The bytes of a record; None if no document can be in it. The stream is then at the end of the record."""
    length = LENGTH.search(header)
    if length is None:
        raise FormatError(f"record {number} has no Content-Length", ALLOWED, file)
    size, kind = int(length[1]), TYPE.search(header)
    is_kept = kind is not None and kind[1].lower() in TYPES
    if is_kept and size > limit + MAX_HEADER_BYTES:
        raise too_large(limit, file, number)
    pieces: list[bytes] = []
    while size:
        piece = stream.read(min(size, PIECE_BYTES))
        if not piece:
            raise FormatError(f"record {number} ends too early", ALLOWED, file)
        size -= len(piece)
        if is_kept:
            pieces.append(piece)
    return b"".join(pieces) if is_kept else None


def _check_http_header(content: bytes, file: str, number: int) -> None:
    """Refuse a long header before warcio reads it, which takes quadratic time and has no limit."""
    if not content.startswith(b"HTTP/"):
        return
    ends = [end for end in (content.find(mark, 0, MAX_HEADER_BYTES) for mark in (b"\n\r\n", b"\n\n")) if end >= 0]
    if not ends and len(content) > MAX_HEADER_BYTES:
        what = f"the HTTP header of record {number} has more than {MAX_HEADER_BYTES:,} bytes"
        raise FormatError(what, ALLOWED, file, number)


def _document(record: bytes, limit: int, file: str, number: int) -> Document | None:
    """The document of one record; None if it is none."""
    try:
        read = next(iter(ArchiveIterator(io.BytesIO(record))))
        http = read.http_headers
        if http is not None and not (http.get_statuscode() or "").startswith("2"):
            return None
        content_type = (http or read.rec_headers).get_header("Content-Type") or ""
        kind = content_type.partition(";")[0].strip().lower()
        if kind not in HTML_TYPES and not kind.startswith("text/"):
            return None
        data = read.content_stream().read(limit + 1)
    except Exception:  # warcio raises many kinds of exceptions for corrupt records
        raise FormatError(f"record {number} is corrupt", ALLOWED, file, number) from None
    if len(data) > limit:
        raise too_large(limit, file, number)
    charset = CHARSET.search(content_type)
    text = decoded_page(data, charset and charset[1])
    is_html = kind in HTML_TYPES
    headers = read.rec_headers
    metadata = {
        name: value
        for name, value in (("url", headers.get_header("WARC-Target-URI")), ("date", headers.get_header("WARC-Date")))
        if value
    }
    doc_id = checked_id(_doc_id(headers), "doc_id", file, number)
    return Document(doc_id, title_of(text) if is_html else "", text, metadata, number, "html" if is_html else "text")


def _doc_id(headers: "object") -> str:
    get = headers.get_header  # type: ignore[attr-defined]  # warcio has no types
    record_id = str(get("WARC-Record-ID") or "").strip().strip("<>").removeprefix("urn:uuid:")
    return str(get("WARC-TREC-ID") or "").strip() or record_id or str(get("WARC-Target-URI") or "")
