"""The question at the end of a topic."""

import re

import pytest
from django.urls import reverse

from assess.judging.feedback import feedback_question
from assess.judging.worklist import topics_with_progress
from assess.models import Collection, TopicFeedback
from assess.pools.assign import assign
from tests.assess import claiming
from tests.assess.web.judge.test_judging_page import form_of
from tests.factories import SMALL_RUNS, small_collection
from tests.html import compact

PSEUDONYM = "assessor-1"


@pytest.fixture
def ada(collection, join):
    ada = join(collection, "ada")
    assign(collection, judges=1)
    return ada


@pytest.fixture
def topic(ada):
    return topics_with_progress(ada)[0][0]


@pytest.fixture
def http(ada, signed_in):
    return signed_in(ada)


def page_of(topic) -> str:
    return reverse("judge:topic", args=[topic.collection.slug, topic.pk])


def answer(http, topic, **fields):
    return http.post(reverse("judge:topic_feedback", args=[topic.collection.slug, topic.pk]), fields)


def judge_all(http, topic) -> str:
    """The page after the topic's last document."""
    while True:
        html = compact(http.get(page_of(topic)).content.decode())
        action, hidden = form_of(html)
        if not action:
            return html
        http.post(action, hidden | {"relevance": "0"})


def answers() -> list[tuple]:
    return list(TopicFeedback.objects.values_list("member__name", "topic__query_id", "difficulty", "comment"))


def test_completed_topic_asks_and_the_answer_is_saved(http, ada, topic):
    html = judge_all(http, topic)
    assert "How difficult was this topic to judge?" in html
    assert "5 very difficult" in html
    response = answer(http, topic, difficulty="4", comment="two meanings")
    assert response.url == f"{page_of(topic)}?end=1"  # with the link to the next topic
    assert "Your answer is saved." in http.get(response.url).content.decode()
    assert answers() == [(PSEUDONYM, "1", 4, "two meanings")]


def test_answer_is_shown_again_and_can_be_changed_or_removed(http, topic):
    judge_all(http, topic)
    answer(http, topic, difficulty="4", comment="two meanings")
    html = compact(http.get(page_of(topic)).content.decode())
    assert re.search(r'value="4" checked>', html)
    assert ">two meanings</textarea>" in html
    answer(http, topic, difficulty="2", comment="two meanings", earlier="on")
    assert answers() == [(PSEUDONYM, "1", 2, "two meanings")]
    answer(http, topic, difficulty="", comment="", earlier="on")
    assert answers() == [(PSEUDONYM, "1", None, "")]


def test_page_without_the_earlier_answer_removes_nothing_of_it(http, topic):
    answer(http, topic, difficulty="4", comment="two meanings")
    answer(http, topic, difficulty="5")
    assert answers() == [(PSEUDONYM, "1", 5, "two meanings")]


def test_all_fields_are_optional(http, topic):
    assert answer(http, topic).status_code == 302
    assert answers() == [(PSEUDONYM, "1", None, "")]


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"difficulty": "0"}, "Difficulty must be between 1 (easy) and 5 (very difficult), or empty, not 0."),
        ({"difficulty": "6"}, "Difficulty must be between 1 (easy) and 5 (very difficult), or empty, not 6."),
        ({"difficulty": "hard"}, "difficulty: Enter a whole number."),
        ({"comment": "x" * 5_001}, "The comment has 5,001 characters; at most 5,000 are allowed."),
        ({"comment": "a\0b"}, "Null characters are not allowed."),
    ],
)
def test_invalid_answer_is_refused_and_the_form_keeps_the_values(http, topic, fields, words):
    response = answer(http, topic, **({"comment": "typed with care", "difficulty": "3"} | fields))
    html = compact(response.content.decode())
    assert response.status_code == 400
    assert words in html
    assert ("typed with care" in html) == ("comment" not in fields)
    assert ('value="3" checked' in html) == ("difficulty" not in fields)
    assert answers() == []


@pytest.mark.in_ci
def test_collection_that_does_not_ask_saves_no_answer(http, topic):
    Collection.objects.update(ask_at_topic_end=False)
    assert "How difficult" not in judge_all(http, topic)
    response = answer(http, topic, difficulty="4")
    assert response.status_code == 400
    assert "This collection has no question at the end of a topic; nothing was saved." in response.content.decode()
    assert answers() == []


def test_topic_of_somebody_else_is_not_found(http, ada, topic, join):
    other = small_collection(SMALL_RUNS, slug="other")
    assert answer(http, other.topics.first(), difficulty="4").status_code == 404
    foreign = reverse("judge:topic_feedback", args=[ada.collection.slug, other.topics.first().pk])
    assert http.post(foreign, {"difficulty": "4"}).status_code == 404
    ada.assignments.filter(topic=topic).delete()
    assert answer(http, topic, difficulty="4").status_code == 404
    assert answers() == []


def test_question_costs_no_query_before_the_topic_is_done(ada, topic, django_assert_num_queries):
    with django_assert_num_queries(0):
        assert feedback_question(ada, topic, done=False)
    with django_assert_num_queries(2):
        assert feedback_question(ada, topic, done=True)


def test_assessor_without_assignments_of_the_topic_is_not_asked(db, join, signed_in):
    collection = claiming.open_pool(1, sizes=(2,))
    quick, late = join(collection, "quick"), join(collection, "late")
    topic = claiming.topic_of(quick)
    claiming.upcoming(quick)  # claims all tasks, which may be released again
    assert not late.assignments.exists()
    assert feedback_question(claiming.fresh(late), topic, done=True) is None
    response = signed_in(late).get(page_of(topic))
    assert "This topic is done" in response.content.decode()
    assert "How difficult" not in response.content.decode()


def test_number_of_queries_of_an_answer(http, topic, django_assert_max_num_queries):
    with django_assert_max_num_queries(14):
        answer(http, topic, difficulty="4")
