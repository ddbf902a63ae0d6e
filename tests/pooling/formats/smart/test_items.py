"""Documents and topics of the classic collections."""

import pytest

from pooling import FormatError, problems, read_documents, read_topics, recognise
from tests.classic import SMART

FORMATS = {
    **dict.fromkeys(("adi.all", "cacm.all", "cacm_odd.all", "cisi.all", "cisi_crlf.all"), "smart_documents"),
    **dict.fromkeys(("cran.all", "cran_odd.all", "med.all"), "smart_documents"),
    **dict.fromkeys(("adi.qry", "cacm.query", "cacm_odd.query", "cisi.qry", "cran.qry", "med.qry"), "smart_topics"),
    **dict.fromkeys(("npl.doc", "npl_odd.doc"), "npl_documents"),
    "npl.query": "npl_topics",
    "lisa.doc": "lisa_documents",
    "lisa.que": "lisa_topics",
    **dict.fromkeys(("adi.rel", "cacm.qrels", "cacm_odd.qrels", "cisi.rel", "cran.rel", "cran_odd.rel"), "smart_qrels"),
    **dict.fromkeys(("med_old.rel", "med_three.rel"), "smart_qrels"),
    "med.rel": "trec_qrels",
    "npl.rel": "npl_qrels",
    "lisa.rel": "lisa_qrels",
}


def documents(name, notes=None):
    return {document.doc_id: document for document in read_documents(SMART / name, notes=notes)}


def topics(name, notes=None):
    return read_topics(SMART / name, notes=notes).set_index("query_id")


def test_every_sample_is_recognised_by_content():
    assert {path.name for path in SMART.iterdir()} == {*FORMATS, "README.md"}
    assert {name: recognise(SMART / name).format for name in FORMATS} == FORMATS


def test_the_name_decides_only_where_the_content_does_not():
    items = b".I 1\n.W\nfever\n"
    assert recognise(items, name="MED.QRY").format == "smart_topics"
    assert recognise(items, name="MED.ALL").format == "smart_documents"
    assert "may be topics or documents" in recognise(items, name="MED.ALL").note
    assert recognise(b".I 1\n.T\nfever\n", name="x.qry").note == ""


@pytest.mark.parametrize("line", ["", ".", ".5 percent", ".w", ".WX", ". W", ".I", ".I x", "..W", " .W"])
def test_only_a_full_stop_and_a_capital_letter_are_a_tag(line):
    (document,) = read_documents(f".I 7\n.W\nabove\n{line}\nbelow\n".encode())
    assert (document.doc_id, document.text) == ("7", f"above\n{line}\nbelow")


def test_tags_in_any_order_and_unknown_tags_are_kept():
    (document,) = read_documents(b".I 7\n.N\nentry\n.A\nauthor\n.Q\nodd\n.W\ntext\n.T\ntitle\n")
    assert (document.title, document.text) == ("title", "text")
    assert document.metadata == {"entry": "entry", "author": "author", "Q": "odd"}


def test_a_tag_that_occurs_again_continues_its_field():
    assert documents("cisi_crlf.all")["1"].metadata["author"].split("\n") == [f"Author, {x}." for x in "ABCDE"]
    assert documents("adi.all")["1"].title == "the shelf and its labels"
    assert documents("cran_odd.all")["1"].text == "drag of a sphere .\n  the sphere was dropped ."


def test_line_ends_of_windows_blanks_after_tags_and_no_last_line_end():
    read = documents("cisi_crlf.all")
    assert [(document.title, document.line) for document in read.values()] == [
        ("Five Authors Count Books", 1),
        ("A Catalogue without Cards", 21),
    ]
    assert read["2"].metadata["citations"] == "2\t5\t2"


def test_oddities_of_cacm():
    read = documents("cacm_odd.all")
    assert read["11"].title == "Printing Tables\x19 on Narrow Paper"
    assert read["11"].text == "Columns wider than\n.5 percent of the paper are cut."
    assert (read["11"].metadata["keywords"], read["11"].metadata["categories"]) == ("printing, tables", "5.24")
    assert read["12"].text == read["12"].title  # most documents of CACM have no abstract
    assert read["12"].metadata["citations"].endswith("\n.")


def test_a_document_without_text_is_kept_as_empty():
    assert documents("cran.all")["3"].text == ""


def test_the_last_item_without_content_is_left_out_and_named():
    notes = []
    assert topics("cacm_odd.query", notes).index.tolist() == ["1", "2", "3"]
    assert notes[0].endswith("cacm_odd.query: query 0 is empty and is left out.")
    with pytest.warns(UserWarning, match="query 0 is empty"):
        topics("cacm_odd.query")
    assert [document.doc_id for document in read_documents(b".I 1\n.T\na\n.I 2\n", notes=notes)] == ["1"]
    assert notes[-1] == "input: document 2 is empty and is left out."


def test_an_empty_query_in_the_middle_is_an_error():
    with pytest.raises(FormatError, match="line 1: topic '1' has no title"):
        read_topics(b".I 1\n.W\n.I 2\n.W\nb\n")


def test_titles_abstracts_and_other_fields_of_topics():
    read = topics("cisi.qry").loc["2"]
    assert (read["title"], read["description"]) == ("Choice of Books", "How do people choose what they read?")
    assert read["narrative"] == "Author: Author, J.\nSource: (A Journal, Vol. 3, No. 2, 1970)"
    assert topics("cran.qry").index.tolist() == ["001", "004"]


def test_npl_and_lisa():
    assert {doc_id: document.text for doc_id, document in documents("npl_odd.doc").items()} == {
        "1": "AERIALS ON MASTS",
        "3": "MASTS WITHOUT AERIALS\nON HILLS",
    }
    assert topics("npl.query")["title"].to_dict() == {"1": "HEAT IN COILS", "2": "VALVE NOISE"}
    lisa = documents("lisa.doc")
    assert lisa["1"].title == "A LIBRARY ON A BARGE CARRIES BOOKS UPSTREAM."
    assert lisa["1"].text == "THE BARGE STOPS AT\nNINE VILLAGES.\n\nEACH KEEPS TEN BOOKS."
    assert topics("lisa.que")["title"].to_dict()["2"] == "HOW DO CHILDREN SEARCH?"


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"1\nA\n/\nB\n/\n", "line 4: 'B' is no beginning of an item"),
        (b".I 1\n.W\na\n.I 1\n.W\nb\n", "line 4: document '1' is already on line 1"),
        (b".I 1\n.W\na\0\n", "line 3: a NUL character"),
    ],
)
def test_invalid_items_are_named_by_line(content, what):
    with pytest.raises(FormatError, match=what):
        list(read_documents(content))
    assert what.partition(":")[0] in str(problems(content, "documents")[0])


@pytest.mark.parametrize(("n", "note"), [(57, "as the cut CISI has; the complete CISI has 112"), (40, "but the")])
def test_the_number_of_topics_is_compared_with_the_known_files(n, note):
    notes = []
    read_topics("".join(f".I {i}\n.W\nq\n" for i in range(1, n + 1)).encode(), name="CISI.QRY", notes=notes)
    assert f"CISI.QRY has {n} topics, {note}" in notes[0]


def test_the_number_of_documents_is_compared_by_its_number_if_the_name_says_nothing():
    notes = []
    content = "".join(f".I {i}\n.T\nt\n" for i in range(1, 1034)).encode()
    assert len(list(read_documents(content, notes=notes))) == 1033
    assert notes == ["input has 1,033 documents, as MED has."]
