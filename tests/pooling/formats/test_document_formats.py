"""Documents as other programs write them: JSON with other names, and TSV."""

import pytest

from pooling import Document, FormatError, read_documents
from tests.cases import CASES
from tests.realdata import real_data

REAL = {  # the number of documents, and the first one
    "beir/arcd/corpus.jsonl": (255, "arcd-doc0", "حمزة بن عبد المطلب"),
    "beir/nfcorpus/corpus.jsonl": (2, "MED-10", "Recent studies have suggested"),
    "beir/tiny/corpus.jsonl": (6, "d1", "Anna Nowak is an engineer"),
    "beir/quirks/climate_fever_corpus_no_newlines.jsonl": (40, "0", "Global warming is driving"),
    "msmarco/collection.tsv": (89, "0", "The presence of communication"),
    "msmarco/dummy.docs.tsv": (15, "T1", "CUT, CAP AND BALANCE."),
    "pyserini/sample_collection_jsonl.documents.jsonl": (3, "doc1", "contents of doc one."),
    "pyserini/sample_collection_json_array.documents.json": (3, "doc1", "contents of doc one."),
    "pyserini/sample_collection_json_emoji.doc.json": (1, "doc1", "Many emoji were pulled"),
    "pyserini/anserini.concatenated_objects.json": (2, "doc3", "third document contains C"),
    "pyserini/anserini.msmarco_v2_passage.json": (6, "msmarco_passage_00_0", "0-60 Times - 0-60"),
    "pyserini/anserini.msmarco_v2.1_doc_segmented.json": (2, "msmarco_v2.1_doc_00_0#0_0", "0-60 Times - 0-60"),
    "teaching_ir/spot-check/corpus.jsonl.gz": (113, "23b553cb", "The Symptoms"),
}


def documents(data):
    return list(read_documents(data, name="f"))


@pytest.mark.parametrize(("path", "expected"), REAL.items())
def test_real_documents_are_read(path, expected):
    found = list(read_documents(real_data("formats", path)))
    n_documents, doc_id, text = expected
    assert len(found) == n_documents
    assert found[0].doc_id.startswith(doc_id)
    assert found[0].text.startswith(text)


def test_the_other_fields_are_metadata():
    (document,) = documents(b'{"pid": "p1", "passage": "x", "docid": "d1", "spans": [1]}')
    assert document == Document("p1", "", "x", {"docid": "d1", "spans": [1]}, 1)


def test_tsv_has_two_or_four_columns():
    assert documents(b'1\ta\n\n2\tb "c\r\n') == [Document("1", "", "a", {}, 1), Document("2", "", 'b "c', {}, 3)]
    assert documents(b"D1\thttp://a\tt\tx") == [Document("D1", "t", "x", {"url": "http://a"}, 1)]


def test_a_tsv_header_names_the_columns():
    assert documents(b"id\ttext\ttitle\n1\tx\tt\n") == [Document("1", "t", "x", {}, 2)]


@pytest.mark.parametrize(
    ("data", "line", "words"),
    [
        (b"1\ta\n2\tb\tc\n", 2, "3 columns"),
        (b"id\ttext\n1\ta\tb\n", 2, "the header has 2"),
        (b"1\ta\n2\t\xff\n", 2, "byte 0xFF"),
        (b'[{"id": 1, "text": "a"},\n{"id": 2}]', 2, "text is missing"),
    ],
)
def test_invalid_documents_are_refused_with_the_line(data, line, words):
    with pytest.raises(FormatError) as caught:
        documents(data)
    assert words in str(caught.value)
    assert caught.value.line == line


def test_invalid_documents_are_collected():
    problems = []
    data = b'{"id": 1, "text": "a"}\n{"id": 2}\nx\n{"id": 1, "text": "b"}\n{"id": 3, "text": "c"}\n'
    found = list(read_documents(data, name="f", problems=problems))
    assert [document.doc_id for document in found] == ["1", "3"]
    assert [problem.line for problem in problems] == [2, 3, 4]


def trec(content):
    (document,) = documents(b"<DOC><DOCNO>d</DOCNO>" + content + b"</DOC>")
    return document.title, document.text


def test_headline_and_lead_paragraph_are_read():
    (document,) = read_documents(CASES / "lead_paragraph.trec")
    assert document.title == "Harbour ferry strike ends"
    lead = "Crews of the harbour ferries went back to work on Monday."
    assert document.text == f"{lead}\nThe dispute began in March."


@pytest.mark.parametrize(
    ("content", "title", "text"),
    [
        (b"<TTL>t</TTL><LEADPARA>l</LEADPARA><TEXT>x</TEXT>", "t", "l\nx"),
        (b"<HEAD>a</HEAD><HEAD>b</HEAD><TEXT>x</TEXT><TEXT>y</TEXT>", "a", "b\nx\ny"),
        (b"<HL>a</HL><TITLE>t</TITLE><TEXT>x</TEXT><LP>l</LP>", "t", "a\nx\nl"),
        (b"<HEAD><TITLE>t</TITLE></HEAD><TEXT>x</TEXT>", "t", "x"),
        (b"<HL><B>a</B> <HL>b</HL><LP> </LP><TEXT>x</TEXT>", "a b", "x"),
        (b"<TEXT><head>a</head> <lp>b</TEXT>", "", "<head>a</head> <lp>b"),
        (b"<html><head><meta></head>a", "", "<html><head><meta></head>a"),
    ],
)
def test_nothing_beside_the_text_is_dropped(content, title, text):
    assert trec(content) == (title, text)


def test_an_open_lead_paragraph_is_refused():
    with pytest.raises(FormatError, match=r"line 2: <LP> is not closed"):
        documents(b"<DOC><DOCNO>d</DOCNO>\n<LP>l<TEXT>x</TEXT></DOC>")


@pytest.mark.parametrize("header", [b"", b'"doc_id"\t"text"\n'])
def test_quoted_tsv_is_refused(header):
    with pytest.raises(FormatError, match=r"f, line 1: the cells are in quotes .*; documents as TSV have no quotes"):
        documents(header + b'"d1"\t"a"\n')
