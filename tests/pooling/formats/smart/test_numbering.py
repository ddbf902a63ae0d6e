"""Queries of qrels that count the topics, and topics with other numbers."""

import pytest

from pooling import OpenQuestionError, match_topics, read_qrels, read_topics
from pooling.formats.smart.numbering import readings
from tests.classic import CODES, SMART


def cranfield():
    return read_qrels(SMART / "cran.rel", mapping=CODES), read_topics(SMART / "cran.qry")["query_id"].tolist()


def test_both_readings_are_shown_with_the_number_of_topics_that_match():
    qrels, topics = cranfield()
    with pytest.raises(OpenQuestionError, match="counted from 1 to 2, and the topics have other numbers") as question:
        match_topics(qrels, topics, name="cran.rel")
    assert [(choice.value, choice.label) for choice in question.value.choices] == [
        ("order", "By the order of the topics: 2 of 2 queries have a topic (query 2 is topic 004)."),
        ("id", "By id: 1 of 2 queries have a topic (query 1 is topic 001)."),
    ]
    assert "--number-by order" in str(question.value)


def test_by_order_and_by_id():
    qrels, topics = cranfield()
    notes = []
    assert match_topics(qrels, topics, "order", notes=notes)["query_id"].tolist() == ["001", "001", "004", "004"]
    assert match_topics(qrels, topics, "id", notes=notes)["query_id"].tolist() == ["001", "001", "2", "2"]
    assert notes[0] == "qrels is read by order: 2 of 2 queries have a topic (query 2 is topic 004)."


def test_a_query_after_the_last_topic_is_left_out_and_named():
    notes = []
    qrels = read_qrels(b"1 0 d 1\n2 0 d 1\n3 0 d 1\n")
    assert match_topics(qrels, ["2", "3"], "order", notes=notes)["query_id"].tolist() == ["2", "3"]
    assert notes[1] == "qrels: without a topic, and left out: query 3."


@pytest.mark.parametrize(
    ("queries", "topics", "is_open"),
    [
        (["1", "2", "3"], ["1", "2", "3"], False),
        (["1", "2"], ["2", "1", "4"], False),  # all match by id
        (["1", "3"], ["001", "004", "007"], True),  # a part of the qrels
        (["1", "3"], ["1", "2", "3"], False),  # CACM has topics without judgements
        (["301", "31"], ["301", "302"], False),  # a mistake in one query
        (["1"], ["301"], False),  # one query says nothing
        (["1", "2"], ["q1", "q2"], False),
        (["1", "2", "3", "4"], ["1", "2", "3"], False),  # a cut file of topics
        (["1", "2"], ["301", "302"], True),
        (["1", "2", "3"], ["1", "2", "4"], True),
    ],
)
def test_the_question_is_open_only_if_more_queries_have_a_topic_by_order(queries, topics, is_open):
    assert readings(queries, topics).is_open == is_open


def test_an_id_that_is_equal_comes_before_the_same_number():
    found = readings(["1", "01"], ["01", "2"])
    assert dict(found.by_id) == {"01": "01"}


def test_two_topics_with_the_same_number_are_no_match():
    assert dict(readings(["1"], ["01", "001"]).by_id) == {}


def test_unknown_choice_is_refused():
    with pytest.raises(ValueError, match="number_by 'place' is unknown; choose from: order, id"):
        match_topics(*cranfield(), "place")
