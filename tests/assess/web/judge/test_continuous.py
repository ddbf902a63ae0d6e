"""From one topic to the next over HTTP: the continuous queue, the end of a topic, and back to the list."""

import re

import pytest
from django.urls import reverse

from assess.judging import worklist
from assess.judging.pace import recent_times
from assess.judging.worklist import topics_with_progress
from assess.models import Judgement
from assess.people import keymap
from assess.pools.assign import assign
from tests.assess.web.judge.test_judging_page import form_of, page_of, post_judgement, script_of
from tests.factories import small_collection
from tests.html import compact

TWO_TOPICS = {"alpha": {"1": ["a", "b"], "2": ["x", "y"]}}


@pytest.fixture
def ada(join, db):
    collection = small_collection(TWO_TOPICS, depth=2)
    collection.order, collection.continuous = "fixed", True
    collection.save()
    ada = join(collection, "ada")
    assign(collection, judges=1)
    return ada


@pytest.fixture
def http(ada, signed_in):
    return signed_in(ada)


def topics(ada):
    return [topic for topic, _ in topics_with_progress(ada)]


def queue(ada, topic) -> list[str]:
    return [card.doc_id for card in worklist.queue(ada, topic)]


def judge(http, ada, doc_id, **fields):
    assignment = ada.assignments.get(task__document__doc_id=doc_id)
    response = post_judgement(http, ada, assignment.public_id, **fields)
    assert response.status_code == 200
    return response


def test_queue_goes_through_all_topics_and_postponed_documents_come_last(http, ada):
    first, second = topics(ada)
    assert queue(ada, first) == ["a", "b", "x", "y"]
    assert queue(ada, second) == ["x", "y", "a", "b"]
    judge(http, ada, "a", state="later")
    assert queue(ada, first) == ["b", "x", "y", "a"]
    cards = script_of(http.get(page_of(ada)).content.decode())["cards"]
    assert [card["topic"]["title"] for card in cards] == ["first need", "second need", "second need", "first need"]
    assert [card["returned"] for card in cards] == [False, False, False, True]
    ada.collection.continuous = False
    assert queue(ada, first) == ["b", "a"]


def test_page_shows_the_topic_of_its_first_document(http, ada):
    url = page_of(ada)
    for doc_id in "ab":
        judge(http, ada, doc_id, relevance="1")
    html = compact(http.get(url).content.decode())
    assert re.search(r'<h1 class="title" id="topic-title" dir="auto">second need</h1>', html)
    assert "Last: 1 Relevant" in re.sub(r"<[^>]+>", "", html)  # the last judgement of any topic
    for doc_id in "xy":
        judge(http, ada, doc_id, relevance="1")
    html = compact(http.get(url).content.decode())
    assert "All documents are judged" in html
    assert "How difficult was this topic" not in html


def test_closed_topics_are_not_searched_one_by_one(http, ada, django_assert_max_num_queries):
    ada.collection.judging_open = False
    ada.collection.save()
    with django_assert_max_num_queries(26):
        html = http.get(page_of(ada)).content.decode()
    assert "You cannot judge now" in html


@pytest.mark.slow
def test_plain_form_does_not_cycle_through_postponed_documents(http, ada):
    ada.collection.continuous = False
    ada.collection.save()
    judge(http, ada, "a", relevance="1")
    url = page_of(ada)
    addresses = []
    for _ in range(2):
        action, hidden = form_of(http.get(url).content.decode())
        addresses.append(http.post(action, hidden | {"state": "later"}).url)
    assert addresses == [url, f"{url}?end=1"]
    html = compact(http.get(addresses[1]).content.decode())
    assert "Only postponed documents are left in this topic" in html
    assert re.search(r"Next topic: <bdi>second need</bdi>", html)
    assert re.search(r'<p class="note" id="doc-returned">', compact(http.get(url).content.decode()))


@pytest.mark.parametrize(
    "query", ["", "grade=1&q=a+b", "//evil.example", "\r\nSet-Cookie: a=b", "x" * 10_000, "%ff=%00"]
)
def test_judging_again_returns_to_the_list_and_nowhere_else(http, ada, query):
    judge(http, ada, "a", relevance="1")
    task = ada.assignments.get(task__document__doc_id="a").public_id
    response = http.get(page_of(ada), {"task": task, "back": query})
    html = response.content.decode()
    script = script_of(html)
    listed = reverse("judge:judgements", args=[ada.collection.slug])
    assert script["back"].partition("?")[0] == listed
    assert len(script["back"]) < 3 * 2_000 + len(listed)
    assert [card["doc_id"] for card in script["cards"]] == ["a"]
    action, hidden = form_of(html)
    back = http.post(action, hidden | {"relevance": "0", "back": query})
    assert back.url.partition("?")[0] == listed
    if query == "grade=1&q=a+b":
        assert back.url == script["back"] == f"{listed}?{query}"


def test_pace_is_that_of_the_last_regular_judgements(http, ada):
    for doc_id, ms in zip("abx", (1_000, 3_000, 2_000), strict=True):
        judge(http, ada, doc_id, relevance="1", active_ms=ms)
    judge(http, ada, "y", state="later", active_ms=9_000)
    assert recent_times(ada) == [1_000, 3_000, 2_000]
    script = script_of(http.get(page_of(ada)).content.decode())
    assert script["pace"] == [1_000, 3_000, 2_000]
    ada.user.pace_on = False
    ada.user.save()
    assert script_of(http.get(page_of(ada)).content.decode())["pace"] is None
    assert Judgement.objects.count() == 4


@pytest.mark.parametrize(("chosen", "key"), [({}, "y"), ({"undo": "y"}, "z"), ({"redo": "b"}, "b")])
def test_key_of_redo_leaves_keys_that_were_chosen_before(chosen, key):
    keys = keymap.keys_for(chosen)
    assert keys["redo"] == key
    assert len(set(keys.values())) == len(keys)
