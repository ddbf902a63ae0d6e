"""Qrels of BEIR and MS MARCO are accepted wherever qrels are."""

import pytest

import agreement
from pooling import TrecFormatError, read_qrels, read_run
from tests.realdata import real_data

REAL = {
    "beir/arcd/qrels/test.tsv": 702,
    "beir/trialgpt_sigir/qrels/test.tsv": 3835,
    "beir/quirks/climate_fever_qrels.tsv": 3,
    "beir/quirks/scifact_tab_and_blank.tsv": 339,
    "msmarco/qrels.tsv": 1000,
    "pyserini/nfcorpus-qrels.tsv": None,
}


@pytest.mark.parametrize(("path", "size"), REAL.items())
def test_real_qrels_are_read(path, size):
    qrels = read_qrels(real_data("formats", path))
    assert size in (None, len(qrels))
    assert qrels["relevance"].between(0, 2).all()


def test_the_header_is_no_judgement_and_lines_keep_their_numbers():
    data = b"Query-ID\tcorpus-id\tscore\r\nq1\td1\t2\r\n\nq1\td1\t1\n"
    with pytest.raises(TrecFormatError, match="line 4: document 'd1' of topic 'q1' is already on line 2"):
        read_qrels(data)
    assert read_qrels(data[:-9]).values.tolist() == [["q1", "d1", 2]]


def test_judges_may_have_files_of_beir():
    read = agreement.read_judgements({"nist": b"query-id\tcorpus-id\tscore\nq1\td1\t1\n"}, scale=(0, 1))
    assert read.judgements.values.tolist() == [["nist", "q1", "d1", 1]]


@pytest.mark.parametrize("row", [b"q1\td1", b"q1\td1\td1\t1"])
def test_a_line_with_other_columns_is_refused_or_reported(row):
    data = b"query-id\tcorpus-id\tscore\n" + row + b"\nq2\td1\t1\n"
    with pytest.raises(TrecFormatError, match=r"line 2: . columns; a line has query-id, corpus-id and score"):
        read_qrels(data)
    qrels, report = read_qrels(data, on_error="report")
    assert qrels["query_id"].tolist() == ["q2"]
    assert report["line"].tolist() == [2]


def test_qrels_with_only_a_header_are_refused():
    with pytest.raises(TrecFormatError, match="no judgements"):
        read_qrels(real_data("formats", "beir/quirks/header_only.tsv"))


HEADERS = {b",": "commas", b";": "semicolons", b"\t": "tabs"}


@pytest.mark.parametrize(("separator", "name"), HEADERS.items(), ids=HEADERS.values())
def test_a_table_of_a_spreadsheet_is_refused_by_name(separator, name):
    content = separator.join([b"assessor", b'"query_id"', b"doc_id", b"relevance"]) + b"\r\n"
    content += separator.join([b"ada", b"1", b"d1", b"2"]) + b"\r\n"
    message = f"line 1: the file is a table with a header, separated by {name}; CSV is separated by commas"
    with pytest.raises(TrecFormatError, match=message):
        read_qrels(content)
    qrels, report = read_qrels(content, on_error="report")
    assert (len(qrels), len(report)) == (0, 1)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be"])
def test_a_file_in_utf_16_is_refused_by_name(encoding):
    content = "\ufeff1 0 d1 2\n".encode(encoding) if encoding == "utf-16-be" else "1 0 d1 2\n".encode(encoding)
    with pytest.raises(TrecFormatError, match="the file is UTF-16; a file must be UTF-8"):
        read_qrels(content)


def test_a_topic_may_be_called_like_a_column():
    assert len(read_qrels(b"query_id 0 doc_id 1\n")) == 1


DIVERSITY = b"1 1 a 1\n1 2 b 1\n1 1 c 1\n1 2 c 1\n"


@pytest.mark.parametrize(
    "read", [read_qrels, lambda content, **_: agreement.read_judgements({"f": content}, scale=(0, 1))]
)
def test_diversity_qrels_are_refused_by_name(read):
    message = (
        "f, line 4: document 'c' of topic '1' has subtopic 1 on line 3 and 2 here; qrels have no subtopics; "
        "this file is diversity qrels: query_id subtopic doc_id relevance"
    )
    with pytest.raises(TrecFormatError) as caught:
        read(DIVERSITY, name="f")
    assert str(caught.value) == message


def test_diversity_qrels_are_reported_by_name():
    report = agreement.read_judgements({"f": DIVERSITY}, scale=(0, 1), on_error="report").problems
    assert report["allowed"].str.contains("this file is diversity qrels").tolist() == [True]
    _, report = read_qrels(DIVERSITY, on_error="report")
    assert report["line"].tolist() == [4]


@pytest.mark.parametrize(
    ("read", "header"),
    [
        (read_qrels, b"query_id iteration doc_id relevance"),
        (read_qrels, b'"Topic"\t"iter"\t"docno"\t"Rel"'),
        (read_run, b"qid Q0 docid rank score tag"),
        (lambda content, **_: agreement.read_judgements({"f": content}, scale=(0, 1)), b"query_id 0 doc_id label"),
    ],
)
def test_a_header_is_refused_by_name(read, header):
    with pytest.raises(TrecFormatError, match=r"f, line 1: the line .* is a header; runs and qrels have no header"):
        read(header + b"\n1 0 d1 1\n", name="f")
