"""UMBRELA's contract: what is sent, matching by order and text, silent zeros, and errors."""

import json

import pytest

from pooling.models.answers import Pair
from pooling.models.ask import ask
from pooling.models.scale import checked_scale
from pooling.models.umbrela import (
    ZERO_WARNING,
    BadEnvelope,
    UmbrelaJudge,
    read_judgement,
    read_judgements,
    zeros_sentence,
)
from pooling.outgoing import Limits
from tests.pooling.live.servers import Reply
from tests.pooling.models.servers import Server, umbrela
from tests.realdata import real_data

SCALE = checked_scale([(0,), (1,), (2,), (3,)])
QUICK = Limits(seconds=5, attempts=1)
TEXTS = ["Tea is made from leaves.", "unreadable", "A stone bridge \ud800."]
PAIRS = [Pair("1", f"d{n}", {"title": "green tea"}, text) for n, text in enumerate(TEXTS)]


def answers_of(server, **settings):
    judge = UmbrelaJudge(server.url, SCALE, **settings)
    return {answer.doc_id: answer for answer in ask(judge, PAIRS, seed=1, limits=QUICK)}


def test_the_request_and_the_answers():
    with Server(umbrela) as server:
        found = answers_of(server, overrides={"model": "qwen"}, secret="Bearer very-secret")
        asked = server.asked[0]
    assert (asked.method, asked.path) == ("POST", "/v1/judge")
    assert asked.headers["authorization"] == "Bearer very-secret"
    assert asked.body["query"] == {"text": "green tea", "qid": "1"}
    assert asked.body["overrides"] == {"model": "qwen"}
    assert set(asked.body["candidates"][0]) == {"docid", "doc"}
    assert [(found[f"d{n}"].grade, found[f"d{n}"].reason) for n in range(3)] == [(2, ""), (None, "no_grade"), (2, "")]
    assert found["d0"].text == "##final score: 2"
    assert "very-secret" not in json.dumps(found["d0"].to_record()) + repr(
        UmbrelaJudge("http://a", SCALE, secret="very-secret")
    )


def without_traces(grade):
    def answer(asked):
        row = {"query": asked.body["query"]["text"], "passage": asked.body["candidates"][0]["doc"]["segment"]}
        return Reply({"status": "success", "artifacts": [{"name": "judgments", "data": [row | {"judgment": grade}]}]})

    return answer


def test_a_zero_without_traces_has_a_warning():
    with Server(without_traces(0)) as server:
        found = answers_of(server)
    assert [(answer.grade, answer.warning) for answer in found.values()] == [(0, ZERO_WARNING)] * 3
    assert zeros_sentence(found.values()) == f"3 grades of 0 may be none: {ZERO_WARNING}"
    with Server(without_traces(1)) as server:
        assert zeros_sentence(answers_of(server).values()) == ""


@pytest.mark.parametrize(
    ("judgement", "expected"),
    [
        ({"judgment": 3}, (3, "", "")),
        ({"judgment": 0, "result_status": 1, "prediction": "0"}, (0, "", "")),
        ({"judgment": 0, "result_status": 0}, (None, "no_grade", "")),
        ({"judgment": 2, "result_status": 0}, (None, "no_grade", "")),
        ({"judgment": 0, "prediction": ""}, (None, "no_grade", "")),
        ({"judgment": 4}, (None, "off_scale", "")),
        ({"judgment": "2"}, (None, "no_grade", "")),
        ({"judgment": True}, (None, "no_grade", "")),
        ({}, (None, "no_grade", "")),
    ],
)
def test_grades_and_silent_zeros(judgement, expected):
    reading, warning = read_judgement(judgement)
    assert (reading.grade, reading.reason, warning) == expected


def envelope(*rows):
    return json.dumps({"artifacts": [{"name": "judgments", "data": list(rows)}]}).encode()


def row(text, grade=1, query="q"):
    return {"query": query, "passage": text, "judgment": grade}


def test_judgements_are_matched_by_order_and_by_text():
    equal = read_judgements(envelope(row("a", 1), row("a", 2), row("b", 3)), 200, "q", ["a", "a", "b"])
    assert [each["judgment"] for each in equal] == [1, 2, 3]
    moved = read_judgements(envelope(row("b", 1), row("a  c", 2)), 200, "q", ["a c", "b"])
    assert [each["judgment"] for each in moved] == [2, 1]


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        (b"no json", 200, "is no envelope; it begins with 'no json'"),
        (b"[]", 200, "is no envelope"),
        (b"{}", 200, "has no judgements: without a reason"),
        (b'{"artifacts": [3]}', 200, "has no judgements"),
        (b'{"artifacts": [{"name": "judgments", "data": [3]}]}', 200, "has no judgements"),
        (b'{"errors": [{"message": "no backend"}]}', 400, "UMBRELA answered 400: 'no backend'"),
        (envelope(row("a")), 200, "1 judgement for 2 documents"),
        (envelope(row("a"), row("x")), 200, "of other texts"),
        (envelope(row("b"), row("b")), 200, "of other texts"),
        (envelope(row("a"), row("b", query="other")), 200, "of another query"),
        (envelope(row("a"), {"query": "q"}), 200, "of other texts"),
    ],
)
def test_what_cannot_be_matched_is_a_failure(body, status, words):
    with pytest.raises(BadEnvelope, match=words):
        read_judgements(body, status, "q", ["a", "b"])


def test_an_error_of_the_server_fails_its_pair():
    with Server(lambda _: Reply({"status": "runtime_error", "errors": [{"message": "no GPU"}]}, 500)) as server:
        found = answers_of(server)
    assert {answer.detail for answer in found.values()} == {"UMBRELA answered 500: 'no GPU'."}


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"address": "http://a?x=1"}, "neither"),
        ({"address": "file:///etc/passwd"}, "must begin with http"),
        ({"scale": SCALE[:2]}, "the scale has"),
        ({"overrides": {"url": "x"}}, "must be one of backend, model, reasoning_effort"),
        ({"overrides": {"model": 3}}, "must be one of"),
        ({"secret": "a\nb"}, "printable"),
    ],
)
def test_what_is_no_judge_is_refused(changes, words):
    with pytest.raises(ValueError, match=words):
        UmbrelaJudge(**({"address": "http://a", "scale": SCALE} | changes))


def test_a_request_has_the_form_of_the_documentation():
    example = json.loads(real_data("formats", "model_judges", "umbrela", "judge_input_batch_record.json").read_text())
    request = UmbrelaJudge("http://a", SCALE).request(PAIRS)
    assert set(request) <= set(example)
    assert set(request["query"]) >= {"text"}
