"""Every function that handles foreign text takes linear time: four times the text, four times the time.

CPU time is measured and compared with itself, so that other processes and slow machines do not matter. A refusal
is an answer.
"""

import io
import json
import time
from collections.abc import Callable
from contextlib import suppress
from unittest.mock import Mock

import pytest

import agreement
import pooling
from agreement.exercises.worksheets import answers
from assess.collections import scale
from assess.collections.guidelines import MAX_CHARACTERS, guidelines_html
from assess.documents.display import displayed, passage_text
from assess.documents.markup import plain_text
from assess.documents.sanitiser import sanitise, without_markup
from assess.documents.snippet import snippet_for
from assess.errors import Refused
from assess.judging import judgement_csv
from assess.living.text_diff import side_by_side
from assess.people.keymap import changed_keys
from assess.search import grammar as search_grammar
from assess.search.snippets import marked_snippet, marked_title
from assess.teaching import pasted
from assess.teaching.codes import plain_code
from assess.teaching.seats import checked_nickname, nickname_key
from assess.web.judge.forms import find_passage
from pooling.errors import FormatError

pytestmark = pytest.mark.slow

SIZE = 1_000_000
NEGLIGIBLE = 0.3  # seconds of CPU: quadratic time of 1 MB takes far longer
ATTEMPTS = 3  # a busy machine disturbs one measurement
PARTS = ["<a ", "<!--", '<a b="', "[", "-", "\0", "<p>", "</p ", "&#9", "a\t", "<doc><text>", " ", "{", '"', "x,", "日"]
REFUSALS = (Refused, FormatError, ValueError)

# Phrases of the words of PARTS, each several times and with each other.
REPEATED = list(search_grammar.phrases_in(search_grammar.parse('"a a" "a a a" "日 日" "p p" "p a" do* te* 9 doc ' * 3)))


def guidelines(text: str) -> None:
    guidelines_html(text)
    guidelines_html(text[:MAX_CHARACTERS])


def documents(text: str) -> None:
    list(pooling.read_documents(text.encode()))


def trec_document(text: str) -> None:
    list(pooling.read_documents(f"<DOC>\n<DOCNO>a</DOCNO>\n{text}\n</DOC>\n".encode()))


def jsonl_document(text: str) -> None:
    list(pooling.read_documents(json.dumps({"doc_id": "a", "text": text}).encode()))


def trec_topics(text: str) -> None:
    pooling.read_topics(f"<top>\n<num> Number: 1\n<title> {text}\n</top>\n".encode())


def xml_topics(text: str) -> None:
    pooling.read_topics(f'<t><topic number="1"><query>{text}</query></topic></t>'.encode())


def json_array(text: str) -> None:
    list(pooling.read_documents(f"[\n{text}\n]".encode()))


def csv_topics(text: str) -> None:
    pooling.read_topics(f'qid,query\n1,"{text}"\n{text}'.encode())


def shingled(text: str) -> None:
    pooling.near_duplicates({"a": text, "b": text + " b"}, 0.5)


def warc(text: str) -> None:
    header = "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a\r\nWARC-Record-ID: <a>\r\n"
    page = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<title>{text}".encode()
    list(pooling.read_documents(f"{header}Content-Length: {len(page)}\r\n\r\n".encode() + page + b"\r\n\r\n"))
    list(pooling.read_documents(f"{header}{text}".encode()))


def model_labels(text: str) -> None:
    lines = f"1 0 a 1\n{text}\n"
    agreement.read_judgements({"model": lines.encode()}, scale=(0, 1), on_error="report")


def exported(record: str) -> Callable[[str], None]:
    """Read a record of an export whose value `%s` is a text, and with the text behind it."""

    def read(text: str) -> None:
        for content in (record % json.dumps(text), f"{record % 1}\n{text}", record % text):
            agreement.read_judgements({"f": content.encode()}, scale=(0, 1), on_error="report")

    return read


def raw_judgements(text: str) -> None:
    list(judgement_csv.read(io.StringIO(f"assessor,query_id,doc_id,relevance\nada,1,a,1\n{text}\n")))


def words_of_a_passage(words: str) -> None:
    find_passage(Mock(text="a " * 500_000, format="text"), words)


def passage_in(text_format: str) -> Callable[[str], None]:
    return lambda text: find_passage(Mock(text=text, format=text_format), "- - [ a 日 zz")


FUNCTIONS: dict[str, Callable[[str], object]] = {
    "side_by_side": lambda text: (side_by_side(text, f"x{text}y"), side_by_side(text, text[::-1])),
    "sanitise": sanitise,
    "without_markup": without_markup,
    "plain_text": plain_text,
    "passage_text": lambda text: passage_text(text, "html"),
    "displayed": lambda text: displayed(text, "text", None),
    "snippet of HTML": lambda text: snippet_for(text, "html", "- [ a 日"),
    "snippet of text": lambda text: snippet_for(text, "text", "- [ a 日"),
    "query of a snippet": lambda text: snippet_for("word " * 4_000, "text", text),
    "passage in HTML": passage_in("html"),
    "passage in text": passage_in("text"),
    "words of a passage": words_of_a_passage,
    "guidelines": guidelines,
    "grade": lambda text: scale.parse_grade(text),
    "recognise": lambda text: pooling.recognise(text.encode()),
    "documents": documents,
    "TREC document": trec_document,
    "JSONL document": jsonl_document,
    "topics": lambda text: pooling.read_topics(text.encode()),
    "TREC topics": trec_topics,
    "XML topics": xml_topics,
    "CSV topics": csv_topics,
    "shingles": shingled,
    "JSON array": json_array,
    "TSV documents": lambda text: list(pooling.read_documents(f"1\t{text}\n{text}".encode())),
    "HTML page": lambda text: list(pooling.read_documents(f"<html><title>{text}".encode())),
    "run": lambda text: pooling.read_run(text.encode()),
    "qrels": lambda text: pooling.read_qrels(text.encode()),
    "WARC": warc,
    "model labels": model_labels,
    "raw judgements": raw_judgements,
    "doccano export": lambda text: agreement.read_judgements(
        {"ada": f'{{"query_id": "1", "doc_id": "a", "label": ["Yes (1)"]}}\n{text}'.encode()}, scale=(0, 1)
    ),
    "Argilla export": exported(
        '{"fields": {}, "metadata": {"query_id": "1", "doc_id": "a"}, "responses": {"q": [{"value": %s}]}}'
    ),
    "Prodigy export": exported(
        '{"_view_id": "choice", "meta": {"query_id": "1", "doc_id": "a"}, "answer": "accept", "accept": [%s]}'
    ),
    "Potato export": exported('{"id": "1|a", "label_annotations": {"q": {"o": %s}}}'),
    "Potato TSV export": lambda text: agreement.read_judgements(
        {"f": f"user\tinstance_id\tq:::1\n\t1|a\t{text}\n\t{text}\ttrue".encode()}, scale=(0, 1), on_error="report"
    ),
    "label that is a text": lambda text: agreement.read_judgements(
        {"ada": json.dumps({"query_id": "1", "doc_id": "a", "label": [text]}).encode()}, scale=(0, 1), on_error="report"
    ),
    "pasted topics": lambda text: list(pasted.read_topics(text)),
    "pasted documents": lambda text: list(pasted.read_documents(text)),
    "code": plain_code,
    "nickname": checked_nickname,
    "nickname key": nickname_key,
    "keymap": lambda text: changed_keys({"undo": text}),
    "worksheet answer": answers.parse,
    "search": search_grammar.parse,
    "result of a search": lambda text: marked_snippet(text, "text", REPEATED),
    "HTML result of a search": lambda text: marked_snippet(text, "html", REPEATED),
    "title of a result": lambda text: marked_title(text, REPEATED),
}


def cpu_of(function: Callable[[str], object], text: str) -> float:
    started = time.process_time()
    with suppress(*REFUSALS):
        function(text)
    return time.process_time() - started


def assert_linear(function: Callable[[str], object], text_of: Callable[[int], str]) -> None:
    """Four times the text costs about four times the CPU time. Quadratic time would cost sixteen times as much."""
    for _ in range(ATTEMPTS):
        whole = cpu_of(function, text_of(SIZE))
        if whole < NEGLIGIBLE or whole < 8 * cpu_of(function, text_of(SIZE // 4)):
            return
    pytest.fail("the CPU time grows faster than the text")


@pytest.mark.parametrize("part", PARTS, ids=repr)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_hostile_text_takes_linear_time(name, part):
    assert_linear(FUNCTIONS[name], lambda size: part * (size // len(part)))


CLASSIC = {
    "recognise": lambda text: pooling.recognise(text.encode()),
    "documents": lambda text: list(pooling.read_documents(text.encode(), notes=[])),
    "topics": lambda text: pooling.read_topics(text.encode(), notes=[]),
    "qrels": lambda text: pooling.read_qrels(text.encode(), listed_relevant=True),
}
CLASSIC_LINES = [".I 1", ".I", ".", ".W", ".X", "/", "1", "1 2 3", "1 2 0 0", "#", "Document 1", "Query 1", "*" * 44]
CLASSIC_STARTS = [".I 1\n.W\n", "1\na\n/\n", "1\n2\n/\n", "1 2 1\n", "1 2 0 0\n", "Query 1\n1 Relevant Refs:\n", ""]


@pytest.mark.parametrize("line", CLASSIC_LINES)
@pytest.mark.parametrize("start", CLASSIC_STARTS, ids=repr)
@pytest.mark.parametrize("name", CLASSIC)
def test_lines_of_classic_collections_take_linear_time(name, start, line):
    assert_linear(CLASSIC[name], lambda size: start + f"{line}\n" * (size // len(line)))


@pytest.mark.parametrize("opening", ['<a b="', "<!--", "<a ", "&#9"])
def test_markup_that_ends_late_takes_linear_time(opening):
    assert_linear(without_markup, lambda size: opening * (size // len(opening)) + '"> -->')


def test_quadratic_time_is_noticed():
    with pytest.raises(pytest.fail.Exception, match="grows faster"):
        assert_linear(lambda text: [text.count("b") for _ in range(len(text) // 400)], lambda size: "a" * size)
