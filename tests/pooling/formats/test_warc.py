"""WARC files, written with warcio."""

import gzip
import io

import pytest
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from pooling import FormatError, read_documents

PAGE = "<html><head><title>Grüner Tee</title></head><body>ü</body></html>"


def warc(*records, compressed=True):
    """The bytes of a WARC file; a record is its type, its WARC headers, its HTTP headers (or None), and its content."""
    content = io.BytesIO()
    writer = WARCWriter(content, gzip=compressed)
    writer.write_record(writer.create_warcinfo_record("a.warc.gz", {"software": "tests"}))
    for number, (kind, headers, http, data) in enumerate(records):
        record = writer.create_warc_record(
            f"http://a.org/{number}",
            kind,
            payload=io.BytesIO(data),
            length=len(data),
            http_headers=http,
            warc_headers_dict={"WARC-Date": "2024-01-02T03:04:05Z"} | headers,
            **({} if http else {"warc_content_type": headers.get("Content-Type", "text/plain")}),
        )
        writer.write_record(record)
    return content.getvalue()


def http(content_type="text/html; charset=utf-8", status="200 OK", **headers):
    names = [("Content-Type", content_type), *((name.replace("_", "-"), value) for name, value in headers.items())]
    return StatusAndHeaders(status, names, protocol="HTTP/1.1")


def response(data=None, doc_id="clueweb-1", **options):
    return ("response", {"WARC-TREC-ID": doc_id}, http(**options), PAGE.encode() if data is None else data)


def documents(data, **options):
    return list(read_documents(data, name="f.warc.gz", **options))


@pytest.mark.parametrize("compressed", [True, False])
def test_a_response_is_a_document(compressed):
    (document,) = documents(warc(response(), compressed=compressed))
    assert (document.doc_id, document.title, document.format, document.line) == ("clueweb-1", "Grüner Tee", "html", 2)
    assert document.text == PAGE
    assert document.metadata == {"url": "http://a.org/0", "date": "2024-01-02T03:04:05Z"}


def test_the_record_id_is_the_doc_id_without_another():
    record = ("resource", {"WARC-Record-ID": "<urn:uuid:12345678-1234>"}, None, b"plain")
    (document,) = documents(warc(record))
    assert (document.doc_id, document.text, document.format) == ("12345678-1234", "plain", "text")


def test_encodings_are_undone():
    packed = response(gzip.compress(b"<html>packed", mtime=0), "a", Content_Encoding="gzip")
    chunked = response(b"5\r\n<html\r\n3\r\n>yz\r\n0\r\n\r\n", "b", Transfer_Encoding="chunked")
    latin = response("<html>é".encode("latin-1"), "c", content_type="text/html; charset=ISO-8859-1")
    texts = [document.text for document in documents(warc(packed, chunked, latin))]
    assert texts == ["<html>packed", "<html>yz", "<html>é"]


def test_other_records_are_ignored():
    records = [
        response(doc_id="missing", status="404 Not Found"),
        response(doc_id="image", content_type="image/png"),
        ("metadata", {}, None, b"fetchTimeMs: 1"),
        response(doc_id="kept"),
    ]
    assert [document.doc_id for document in documents(warc(*records))] == ["kept"]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (warc(response(), response(), compressed=False), "document 'clueweb-1' is already"),
        (warc(response(), compressed=False)[:-40], "record 2 ends too early"),
        (b"WARC/1.0\r\nWARC-Type: response\r\n\r\n", "record 1 has no Content-Length"),
        (b"WARC/1.0\r\nContent-Length: 3\r\n\r\nabc\r\n\r\nx", "record 2 does not begin with WARC/"),
        (b"WARC/1.0\r\nContent-Length: 3\r\n", "the header of record 1 is not complete"),
        (b"WARC/1.0\r\n" + b"a: b\r\n" * 100_000, "more than 262,144 bytes"),
        (warc(response(doc_id="a b"), compressed=False), "contains white space"),
        (warc(compressed=False), "no documents"),
    ],
    ids=lambda value: value if isinstance(value, str) else "warc",  # the bytes contain the time
)
def test_invalid_files_are_refused(data, words):
    with pytest.raises(FormatError) as caught:
        documents(data)
    assert words in str(caught.value)


def test_sizes_are_limited_after_decompression():
    bomb = response(gzip.compress(bytes(20_000_000), mtime=0), Content_Encoding="gzip")
    with pytest.raises(FormatError, match="more than 1,000,000 bytes"):
        documents(warc(bomb), max_document_bytes=1_000_000)
    with pytest.raises(FormatError, match="more than 1,000 bytes"):
        documents(warc(response(b"x" * 2_000_000)), max_document_bytes=1000)


@pytest.mark.slow
@pytest.mark.parametrize(
    "content",
    [
        b"HTTP/1.1 " + b"a" * 3_000_000,
        b"a" * 3_000_000,
        b"a: b\r\n" * 400_000,
        b"HTTP/1.1 200 OK\r\n" + b"x" * 3_000_000,
    ],
)
def test_a_hostile_http_header_takes_linear_time(content):
    header = b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a\r\nContent-Type: application/http\r\n"
    data = header + b"Content-Length: %d\r\n\r\n" % len(content) + content + b"\r\n\r\n"
    with pytest.raises(FormatError):
        documents(data)
