"""Topics as other programs write them: XML, JSON, CSV, and TSV with a header."""

import json

import pytest

from pooling import FormatError, read_topics, recognise
from tests.cases import CASES
from tests.realdata import real_data

REAL = {  # the number of topics, and the first one
    "beir/arcd/queries.jsonl": (50, "arcd-q6", "من هو عبد المطلب بن هاشم؟"),
    "beir/quirks/climate_fever_queries_no_newlines.jsonl": (253, "6", "The polar bear population has been growing."),
    "beir/trialgpt_sigir/queries.jsonl": (59, "sigir-20141", "A 58-year-old African-American woman presents"),
    "msmarco/queries.tsv": (1000, "1048600", "what is patricia cornwell's latest book"),
    "pyserini/anserini.stringID_topics.jsonl": (2, "topic1", "this is the contents 1."),
    "pyserini/nfcorpus-queries.tsv": (5, "PLAIN-2", "Do Cholesterol Statin Drugs Cause Breast Cancer?"),
    "teaching_ir/jena-kassel/topics.xml": (24, "51", "rust web frameworks"),
    "teaching_ir/radboud/topics-final.csv": (78, "1", "american civil war"),
    "teaching_ir/spot-check/queries.xml": (3, "3", "split ergo keyboard"),
    "trec_topics/pyterrier.topics.trecxml": (3, "1", "lights"),
    "trec_topics/topics.adhoc.51-100.txt": (50, "051", "Airbus Subsidies"),
    "trec_topics/topics.backgroundlinking20.txt": (50, "886", "The query is the document AEQZNZSVT5BGPPUTTJO7SNMOLE"),
    "trec_topics/topics.clinical_trials_2021.xml": (75, "1", "Patient is a 45-year-old man with a history"),
    "trec_topics/topics.core18.txt": (50, "321", "Women in Parliaments"),
    "trec_topics/topics.covid-round5.xml": (50, "1", "coronavirus origin"),
    "trec_topics/topics.epidemic-qa.expert.primary.json": (30, "EQ101", "coronavirus vaccine landscape"),
    "trec_topics/topics.fire12hi.176-225.txt": (50, "176", "वाई एस आर रेड्डी की मौत"),
    "trec_topics/topics.robust04.txt": (250, "301", "International Organized Crime"),
    "trec_topics/topics.web.51-100.txt": (50, "51", "horse hooves"),
    "trec_topics/topics.web.201-250.txt": (50, "201", "raspberry pi"),
    "trec_topics/topics.www1.english.txt": (100, "0001", "ascii code"),
}


def topics(data):
    return read_topics(data, name="f").values.tolist()


def refusal(data):
    with pytest.raises(FormatError) as caught:
        read_topics(data, name="f")
    return caught.value


@pytest.mark.parametrize(("path", "expected"), REAL.items())
def test_real_topics_are_read(path, expected):
    frame = read_topics(real_data("formats", path))
    n_topics, query_id, title = expected
    assert len(frame) == n_topics
    assert frame["query_id"].iloc[0] == query_id
    assert frame["title"].iloc[0].startswith(title)


def test_subtopics_follow_the_narrative():
    frame = read_topics(real_data("formats", "trec_topics/topics.web.51-100.txt"))
    assert frame["narrative"].iloc[0].split("\n")[1] == "Subtopic 2 nav: Find pictures of horse hooves."


def test_the_fields_of_xml_have_several_names():
    data = b"""<?xml version="1.0"?>
<topics><topic number="1"><query>a</query><question>b</question><narrative>c</narrative></topic>
<TOPIC><num>2</num><title>d <b>e</b></title><Description> f </Description></TOPIC>
<topic number="3"> bare &amp; text </topic></topics>"""
    assert topics(data) == [["1", "a", "b", "c"], ["2", "d e", "f", ""], ["3", "bare & text", "", ""]]


def test_a_document_type_without_entities_is_ignored():
    data = b'<!DOCTYPE t [\n<!ELEMENT t (topic)*>\n]>\n<t><topic number="1"><query>a</query></topic></t>'
    assert topics(data) == [["1", "a", "", ""]]


BOMB = b'<!DOCTYPE t [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;">]><t><topic number="1">&b;</topic></t>'


@pytest.mark.parametrize(
    ("data", "line", "words"),
    [
        (BOMB, 1, "declares an entity"),
        (b'<t>\n<topic number="1">&b;</topic></t>', 2, "the XML is invalid"),
        (b'<!DOCTYPE t SYSTEM "file:///etc/passwd">\n<topic number="1">a</topic><!DOCTYPE b>', 2, "the XML is invalid"),
        (b'<topic number="1">a\n<x></topic>', 2, "the XML is invalid"),
        (b'<topic number="1">a</topic>' + b"<topic>" * 30, 1, "more than 20 levels"),
        (b"<topic>\n<title>a</title></topic>", 1, "query_id '' is empty"),
        (b'\n<topic number="1"></topic>', 2, "topic '1' has no title"),
        (b'<topic number="1"><title>a</title>\n<title>b</title></topic>', 2, "<title> occurs twice"),
    ],
)
def test_invalid_xml_is_refused(data, line, words):
    error = refusal(data)
    assert words in str(error)
    assert error.line == line


@pytest.mark.parametrize("header", ["query_id\ttitle", "qid\tquery", "Query ID\tText", "_id\ttext", "number\ttitle"])
def test_a_tsv_header_does_not_become_a_topic(header):
    assert topics(f"{header}\n1\ta\n".encode()) == [["1", "a", "", ""]]


def test_columns_of_a_header_may_be_in_any_order_and_others_are_ignored():
    assert topics(b"title\tqid\tyear\tnarrative\na\t1\t1999\tn\nb\t2\n") == [["1", "a", "", "n"], ["2", "b", "", ""]]


def test_csv_has_quoted_cells_with_line_ends():
    data = b'query,description,qid\r\na,"b, ""c""\nd",1\r\n'
    assert topics(data) == [["1", "a", 'b, "c"\nd', ""]]


def test_json_may_be_an_array_or_objects_one_after_the_other():
    expected = [["1", "a", "", ""], ["2", "b", "", ""]]
    assert topics(b'[\n {"qid": 1, "query": "a"},\n {"qid": "2",\n "query": "b"}\n]\n') == expected
    assert topics(b'{"qid": 1, "query": "a"}{"qid": 2, "query": "b"}') == expected
    assert topics(b'{\n"qid": 1,\n"query": "a"}\n{"qid": 2, "query": "b"}') == expected


@pytest.mark.parametrize(
    ("data", "line", "words"),
    [
        (b'{"qid": 1, "query": "a"}x{"qid": 2, "query": "b"}', 1, "'x' is not part of an object"),
        (b'[\n{"qid": 1, "query": "a"},\n{"qid": 2', 3, "the JSON is invalid"),
        (b"qid\tquery\tquery\n1\ta\tb\n", 1, "the header is"),
        (b"qid,query\n1,a,b\n", 2, "3 columns"),
        (b'qid,query\n1,"a\n', 2, "unexpected end of data"),
    ],
)
def test_an_invalid_file_is_refused_with_the_line(data, line, words):
    error = refusal(data)
    assert words in str(error)
    assert error.line == line


def test_invalid_topics_are_collected():
    problems = []
    frame = read_topics(b"1\ta\n2\n3\t \n4\td\n1\te\n", name="f", problems=problems)
    assert frame["query_id"].tolist() == ["1", "4"]
    assert [problem.line for problem in problems] == [2, 3, 5]


def test_the_title_of_a_microblog_topic_is_its_query():
    frame = read_topics(CASES / "microblog2012.xml")
    assert frame.values.tolist() == [["MB051", "small boats race", "", ""]]


def test_a_title_comes_before_a_query():
    assert topics(b"<top><num>1\n<title>a <query> b\n<query>c</top>") == [["1", "a <query> b", "", ""]]


def test_text_after_a_query_is_refused():
    error = refusal(b"<top><num>1</num>\n<query>a</query>\nmore</top>")
    assert str(error).startswith("f, line 3: text outside of a field")


def test_a_topic_may_be_a_document():
    (topic,) = read_topics(CASES / "background_linking.xml").values.tolist()
    docid, url = "0a1b2c3d-aaaa-bbbb-cccc-000000000001", "https://news.example.org/a-story"
    assert topic == ["321", f"The query is the document {docid}", "", f"Query document: {docid}\nURL: {url}"]


def test_the_document_of_a_topic_follows_its_narrative():
    data = b"<top><num>1</num>\n<docid>d</docid>\n<title>a</title>\n<narr>n <url>u</url></narr></top>"
    assert topics(data) == [["1", "a", "", "n <url>u</url>\nQuery document: d"]]


def test_only_the_first_colon_separates():
    expected = [["1", "old stone bridges", "", ""], ["2", "how to mend a kettle: a guide", "", ""]]
    assert read_topics(CASES / "colon_queries.txt").values.tolist() == expected
    assert recognise(CASES / "colon_queries.txt").format == "colon_topics"


def test_a_line_without_a_colon_is_refused():
    error = refusal(b"1:a\n\nb c\n")
    assert str(error) == "f, line 3: 'b c' has no colon; a line is query_id:title, as the first line is"


def test_colons_in_tsv_do_not_separate():
    assert topics(b"a:1\tb\n") == [["a:1", "b", "", ""]]
    assert topics(b"1\tnote: b\n") == [["1", "note: b", "", ""]]


CAST = {
    "number": 1,
    "title": "Careers",
    "description": "Becoming a nurse.",
    "turn": [
        {"number": 1, "raw_utterance": "What does a nurse do?"},
        {"number": 2, "raw_utterance": "What does it cost?", "manual_rewritten_utterance": "What does training cost?"},
    ],
}
IKAT = {
    "number": "9-1",
    "title": "Diets",
    "ptkb": {"1": "I like fish."},
    "turns": [{"turn_id": 1, "utterance": "Which one?", "resolved_utterance": "Which diet?", "response": "Fish."}],
}
SYSTEM = {
    "number": 132,
    "turn": [
        {"number": "1-1", "participant": "User", "utterance": "Why?"},
        {"number": "1-2", "participant": "System", "utterance": "Because."},
    ],
}


@pytest.mark.parametrize(
    ("conversation", "expected"),
    [
        (
            CAST,
            [
                ["1_1", "What does a nurse do?", "", "Careers\nBecoming a nurse."],
                ["1_2", "What does it cost?", "What does training cost?", "Careers\nBecoming a nurse."],
            ],
        ),
        (IKAT, [["9-1_1", "Which one?", "Which diet?", "Diets"]]),
        (SYSTEM, [["132_1-1", "Why?", "", ""]]),
    ],
)
def test_each_turn_of_a_conversation_is_a_topic(conversation, expected):
    data = json.dumps([conversation], indent=1).encode()
    assert topics(data) == expected
    assert recognise(data, name="f").format == "jsonl_topics"


@pytest.mark.parametrize(
    ("turns", "words"),
    [
        (b"[]", "the turns of conversation '1' are not a list of objects; a conversation has at least one turn"),
        (b'["a"]', "the turns of conversation '1' are not a list of objects"),
        (b'[{"number": 1, "passage": "a"}]', "turn '1_1' has no utterance; a turn has one of raw_utterance, utterance"),
        (b'[{"utterance": "a"}]', "number is missing"),
    ],
)
def test_a_conversation_without_utterances_is_refused(turns, words):
    error = refusal(b'\n{"number": 1, "title": "a", "turn": ' + turns + b"}")
    assert words in str(error)
    assert error.line == 2


@pytest.mark.parametrize("header", [b"", b'"query_id"\t"title"\n', b'"qid"\t"query"\r\n'])
def test_quotes_of_a_quoted_tsv_are_no_part_of_an_id(header):
    assert topics(header + b'"301"\t"a ""b"" c"\n"302"\td\n') == [["301", 'a "b" c', "", ""], ["302", "d", "", ""]]
