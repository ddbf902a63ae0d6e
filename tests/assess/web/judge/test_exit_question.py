"""The question at the end of a topic."""

import re

import pytest
from django.urls import reverse

from assess.judging import topic_feedback as exits
from assess.judging import worklist
from assess.models import Collection, ExitAnswer
from assess.pools import build as pools
from tests.assess import claiming
from tests.assess.web.judge.test_judging_page import form_of
from tests.factories import SMALL_RUNS, small_collection
from tests.html import compact

PSEUDONYM = "assessor-1"


@pytest.fixture
def ada(collection, join):
    ada = join(collection, "ada")
    pools.assign(collection, judges=1)
    return ada


@pytest.fixture
def topic(ada):
    return worklist.topics(ada)[0][0]


@pytest.fixture
def http(ada, signed_in):
    return signed_in(ada)


def page_of(topic) -> str:
    return reverse("judge:topic", args=[topic.collection.slug, topic.pk])


def answer(http, topic, **fields):
    return http.post(reverse("judge:exit", args=[topic.collection.slug, topic.pk]), fields)


def judge_all(http, topic) -> str:
    """The page after the topic's last document."""
    while True:
        html = compact(http.get(page_of(topic)).content.decode())
        action, hidden = form_of(html)
        if not action:
            return html
        http.post(action, hidden | {"relevance": "0"})


def answers() -> list[tuple]:
    return list(ExitAnswer.objects.values_list("member__name", "topic__query_id", "difficulty", "comment"))


def test_a_topic_that_is_done_asks_and_the_answer_is_kept(http, ada, topic):
    html = judge_all(http, topic)
    assert "How difficult was this topic to judge?" in html
    assert "5 very difficult" in html
    response = answer(http, topic, difficulty="4", comment="two meanings")
    assert response.url == reverse("judge:topics", args=[ada.collection.slug])
    assert "your answer on the topic is saved" in http.get(response.url).content.decode()
    assert answers() == [(PSEUDONYM, "1", 4, "two meanings")]


def test_the_answer_is_there_again_and_may_be_changed_or_taken_back(http, topic):
    judge_all(http, topic)
    answer(http, topic, difficulty="4", comment="two meanings")
    html = compact(http.get(page_of(topic)).content.decode())
    assert re.search(r'value="4" checked>', html)
    assert ">two meanings</textarea>" in html
    answer(http, topic, difficulty="2", comment="two meanings", earlier="on")
    assert answers() == [(PSEUDONYM, "1", 2, "two meanings")]
    answer(http, topic, difficulty="", comment="", earlier="on")
    assert answers() == [(PSEUDONYM, "1", None, "")]


def test_a_page_that_did_not_know_the_earlier_answer_takes_nothing_of_it_back(http, topic):
    answer(http, topic, difficulty="4", comment="two meanings")
    answer(http, topic, difficulty="5")
    assert answers() == [(PSEUDONYM, "1", 5, "two meanings")]


def test_every_field_may_be_left_open(http, topic):
    assert answer(http, topic).status_code == 302
    assert answers() == [(PSEUDONYM, "1", None, "")]


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"difficulty": "0"}, "Difficulty 0 came; it is from 1 (easy) to 5"),
        ({"difficulty": "6"}, "Difficulty 6 came; it is from 1 (easy) to 5"),
        ({"difficulty": "hard"}, "difficulty: Enter a whole number."),
        ({"comment": "x" * 5_001}, "at most 5,000 characters"),
        ({"comment": "a\0b"}, "Null characters are not allowed."),
    ],
)
def test_what_does_not_fit_is_refused_and_what_was_typed_stays(http, topic, fields, words):
    response = answer(http, topic, **({"comment": "typed with care", "difficulty": "3"} | fields))
    html = compact(response.content.decode())
    assert response.status_code == 400
    assert words in html
    assert ("typed with care" in html) == ("comment" not in fields)
    assert ('value="3" checked' in html) == ("difficulty" not in fields)
    assert answers() == []


def test_a_collection_that_does_not_ask_shows_no_question_and_keeps_no_answer(http, topic):
    Collection.objects.update(ask_at_topic_end=False)
    assert "How difficult" not in judge_all(http, topic)
    response = answer(http, topic, difficulty="4")
    assert response.status_code == 400
    assert "asks nothing at the end of a topic" in response.content.decode()
    assert answers() == []


def test_a_topic_of_somebody_else_is_not_there(http, ada, topic, join):
    other = small_collection(SMALL_RUNS, slug="other")
    assert answer(http, other.topics.first(), difficulty="4").status_code == 404
    foreign = reverse("judge:exit", args=[ada.collection.slug, other.topics.first().pk])
    assert http.post(foreign, {"difficulty": "4"}).status_code == 404
    ada.assignments.filter(topic=topic).delete()
    assert answer(http, topic, difficulty="4").status_code == 404
    assert answers() == []


def test_a_page_in_the_midst_of_judging_asks_the_database_nothing_more(ada, topic, django_assert_num_queries):
    with django_assert_num_queries(0):
        assert exits.question(ada, topic, done=False)
    with django_assert_num_queries(2):
        assert exits.question(ada, topic, done=True)


def test_whoever_was_given_nothing_of_an_open_topic_is_not_asked(db, join, signed_in):
    collection = claiming.open_pool(1, sizes=(2,))
    quick, late = join(collection, "quick"), join(collection, "late")
    topic = claiming.topic_of(quick)
    claiming.upcoming(quick)  # all of it is taken, and may come free again
    assert not late.assignments.exists()
    assert exits.question(claiming.fresh(late), topic, done=True) is None
    response = signed_in(late).get(page_of(topic))
    assert "This topic is done" in response.content.decode()
    assert "How difficult" not in response.content.decode()


def test_answering_costs_a_handful_of_queries(http, topic, django_assert_max_num_queries):
    with django_assert_max_num_queries(14):
        answer(http, topic, difficulty="4")
