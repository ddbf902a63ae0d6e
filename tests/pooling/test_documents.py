"""Documents in two formats, one at a time, and what is refused in each."""

import gzip
import io

import pytest

from pooling import Document, FormatError, read_documents
from tests.realdata import real_data

TREC = b"""<DOC>
<DOCNO> FT911-1 </DOCNO>
<HEADLINE>
<P>Big
news</P>
</HEADLINE>
<TEXT>
One &amp; <i>two</i>.
</TEXT>
<BYLINE>not text</BYLINE>
<TEXT>Three.</TEXT>
</DOC>

<doc><docno>2</docno> before <title>T</title> after </doc><DOC><DOCNO>3</DOCNO></DOC>
"""


def documents(data, **options):
    return list(read_documents(data, name="f", **options))


def refusal(data, **options):
    with pytest.raises(FormatError) as caught:
        documents(data, **options)
    return caught.value


def test_jsonl_has_id_text_title_and_metadata():
    first = b'{"doc_id": "a", "text": "x\\u00e9\\ny", "title": "t", "year": 1999, "url": {"a": [1]}}\n'
    assert documents(first + b'\n{"doc_id": 7, "text": ""}\n') == [
        Document("a", "t", "xé\ny", {"year": 1999, "url": {"a": [1]}}, 1),
        Document("7", "", "", {}, 3),
    ]


def test_trec_documents_have_their_title_and_texts():
    assert documents(TREC) == [
        Document("FT911-1", "Big news", "One &amp; <i>two</i>.\nThree.", {}, 1),
        Document("2", "T", "before  after", {}, 14),
        Document("3", "", "", {}, 14),
    ]


def test_entities_are_text_and_are_never_expanded():
    bomb = '<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;">&b;'
    (document,) = documents(f"<DOC><DOCNO>1</DOCNO><TEXT>{bomb}</TEXT></DOC>".encode())
    assert document.text == bomb


@pytest.mark.parametrize("compress", [bytes, gzip.compress])
def test_byte_order_mark_blank_lines_and_gzip_are_accepted(compress):
    data = compress(b'\xef\xbb\xbf\n \n{"doc_id": "a", "text": "b"}\n')
    assert [document.line for document in documents(data)] == [3]


def test_documents_are_read_one_at_a_time():
    class Endless(io.RawIOBase):
        lines = 0

        def readable(self):
            return True

        def readinto(self, buffer):
            self.lines += 1
            line = b'{"doc_id": "%d", "text": "t"}\n' % self.lines
            buffer[: len(line)] = line
            return len(line)

    reading = read_documents(Endless())
    assert [next(reading).doc_id for _ in range(3)] == ["1", "2", "3"]


@pytest.mark.parametrize(
    ("data", "line", "words"),
    [
        (b"", None, "no documents"),
        (b" \n\n", None, "no documents"),
        (b"plain text", 1, "the file begins with 'p'"),
        (b'{"doc_id": "a", "text": "x"}\n{"doc_id": "b"}', 2, "text is missing"),
        (b'{"doc_id": "a", "text": null}', 1, "text is missing or is not a string"),
        (b'{"text": "x"}', 1, "doc_id is missing"),
        (b'{"doc_id": "a b", "text": "x"}', 1, "doc_id 'a b' contains white space"),
        (b'{"doc_id": "a", "text": "x", "title": 3}', 1, "title is not a string"),
        (b'{"doc_id": "a", "text": "x"}\n\n{"doc_id": "a", "text": "x"}', 3, "document 'a' is already on line 1"),
        (b'{"doc_id": "a", "text": "x"}\n[1]', 2, "the JSON is of type list"),
        (b'{"doc_id": "a", "text": "x", "n": NaN}', 1, "NaN is not a JSON number"),
        (b'{"doc_id": "a", "text": "x", "n": [1e999]}', 1, "'1e999' is too large"),
        (b'{"doc_id": "a", "text": "x", "doc_id": "b"}', 1, "the key 'doc_id' occurs twice"),
        (b'{"doc_id": "a", "text": "\\ud800"}', 1, "half a surrogate pair"),
        (b'{"doc_id": "a", "text": "x", "n": [{"\\u0000": 1}]}', 1, "NUL"),
        (b'{"doc_id": "a", "text": "\xff"}', 1, "not UTF-8"),
        (b'{"doc_id": "a", "text": "x\0"}', 1, "the JSON is invalid"),
        (b'{"doc_id": "a", "text": "x", "n": ' + b"9" * 5000 + b"}", 1, "the JSON is refused"),
        (b'{"a":' * 100_000, 1, "nested too deeply"),
        (b'{"a": "\\u0041", "b":' + b"[" * 100_000, 1, "nested too deeply"),
        (b"<DOC>\n<TEXT>x</TEXT>\n</DOC>", 1, "<DOCNO> is missing"),
        (b"<DOC>\n<DOCNO>1\n</DOC>", 1, "<DOCNO> is missing or not closed"),
        (b"<DOC><DOCNO></DOCNO></DOC>", 1, "doc_id '' is empty"),
        (b"<DOC><DOCNO>1</DOCNO>\n<TEXT>x\n</DOC>", 2, "<TEXT> is not closed"),
        (b"<DOC><DOCNO>1</DOCNO></DOC>\n<DOC>\n", 2, "<DOC> is not closed"),
        (b"<DOC><DOCNO>1</DOCNO>\n<DOC>", 2, "<DOC> within the document of line 1"),
        (b"<DOC><DOCNO>1</DOCNO></DOC>\n</DOC>", 2, "</DOC> without <DOC>"),
        (b"<DOC><DOCNO>1</DOCNO></DOC>\nx", 2, "text outside of <DOC>"),
        (b"<DOC><DOCNO>1</DOCNO></DOC><DOC><DOCNO>1</DOCNO></DOC>", 1, "document '1' is already on line 1"),
        (b"<DOC><DOCNO>1</DOCNO>\n\n\xff</DOC>", 3, "byte 0xFF, which is not UTF-8"),
        (b"<DOC><DOCNO>1</DOCNO>\n\0</DOC>", 2, "a NUL character"),
        (b"<root/>", 1, "text outside of <DOC>"),
    ],
)
def test_an_invalid_file_is_refused_with_the_line(data, line, words):
    error = refusal(data)
    assert error.line == line
    assert words in str(error)


@pytest.mark.parametrize(
    "data",
    [
        b'{"doc_id": "a", "text": "' + b"x" * 1000,
        b"<DOC><DOCNO>1</DOCNO>" + b"x" * 1000,
        b"<DOC><DOCNO>1</DOCNO>" + b"line\n" * 200,
    ],
)
def test_a_document_beyond_its_limit_is_refused(data):
    error = refusal(data, max_document_bytes=500)
    assert "more than 500 bytes" in str(error)
    assert error.line == 1


def test_a_decompression_bomb_is_refused():
    bomb = gzip.compress(b"\n" * 10_000_000)
    assert "expands to more than 1,000,000 bytes" in str(refusal(bomb, max_bytes=1_000_000))


@pytest.mark.parametrize("hostile", [b"<" * 3_000_000, b"<text" * 500_000, b"<text></text>" * 100_000])
def test_a_hostile_document_is_read_in_linear_time(hostile):
    (document,) = documents(b"<DOC><DOCNO>1</DOCNO>" + hostile + b"</DOC>")
    assert document.doc_id == "1"


def test_many_documents_on_one_line_are_read_in_linear_time():
    elements = b"".join(b"<DOC><DOCNO>%d</DOCNO></DOC>" % number for number in range(50_000))
    assert len(documents(elements)) == 50_000


def test_the_real_documents_are_4507():
    reading = read_documents(real_data("dl19", "documents.jsonl.gz"))
    first = next(reading)
    assert (first.doc_id, first.title, first.line) == ("350", "", 1)
    assert first.text.startswith("The melting point")
    assert sum(1 for _ in reading) == 4506
