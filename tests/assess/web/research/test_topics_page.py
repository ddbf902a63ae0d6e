"""The page of the topics: their sets, and the form that changes them."""

import csv
import io
import re

import pytest

from assess.collections.archive import archive_collection
from assess.collections.topic_sets import set_topics, sets_by_topic
from assess.models import Role, Topic
from tests.html import compact

URL = "/c/small/topics/"


@pytest.fixture
def owner(collection, join, signed_in):
    return signed_in(join(collection, "olga", Role.OWNER))


def text(response) -> str:
    return compact(response.content.decode())


def sets_on(page: str) -> dict[str, str]:
    cells = r'<th scope="row" data-value="(\w+)">.*?</th>\s*<td dir="auto">.*?</td>\s*<td>(.*?)</td>'
    return dict(re.findall(cells, page, re.S))


def test_pasted_and_checked_topics_change_their_set(owner, collection):
    assert sets_on(text(owner.get(URL))) == {"1": "–", "2": "–"}
    page = text(owner.post(f"{URL}set/", {"name": "test", "query_ids": " 2\r\n", "topic": "1"}, follow=True))
    assert "2 topics now belong to the test set." in page
    assert sets_on(page) == {"1": "test", "2": "test"}
    page = text(owner.post(f"{URL}set/", {"name": "development", "query_ids": "1"}, follow=True))
    assert "1 topic now belongs to the development set." in page
    page = text(owner.post(f"{URL}set/", {"name": "none", "query_ids": "1"}, follow=True))
    assert "1 topic now belongs to no set." in page
    page = text(owner.post(f"{URL}set/", {"name": "test", "query_ids": "1 2"}, follow=True))
    assert "1 topic now belongs to the test set. 1 did already." in page
    assert sets_by_topic(collection) == {"1": "test", "2": "test"}


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"name": "test", "query_ids": "1 nine"}, "There is no topic &#x27;nine&#x27; in small; nothing was changed."),
        ({"name": "test"}, "Choose at least one topic."),
        ({"name": "all", "query_ids": "1"}, "Set: Select a valid choice."),
    ],
)
def test_refusals_keep_what_was_typed(owner, collection, values, sentence):
    response = owner.post(f"{URL}set/", values | {"topic": ["2"]} if "query_ids" in values else values)
    assert response.status_code == 400
    page = text(response)
    assert sentence in page
    assert values.get("query_ids", "") in page
    assert page.count("checked") == ("query_ids" in values)
    assert sets_by_topic(collection) == {}


def test_topics_are_a_file(owner, collection):
    Topic.objects.filter(query_id="1").update(title="=1+1")
    set_topics(collection, ["2"], "test")
    response = owner.get("/c/small/topics.csv")
    rows = list(csv.reader(io.StringIO(response.content.decode())))
    assert rows == [["query_id", "title", "set"], ["1", "'=1+1", ""], ["2", "second need", "test"]]


def test_only_some_topics_are_listed(owner, collection):
    collection.topics.bulk_create([Topic(collection=collection, query_id=f"q{n}", title="tea") for n in range(40)])
    page = text(owner.get(URL))
    assert "25 of 42 rows" in page
    assert len(sets_on(page)) == 25
    assert len(sets_on(text(owner.get(URL, {"rows-topics": "all"})))) == 42


def test_archived_collection_has_no_form(owner, collection):
    form = f'action="{URL}set/"'
    assert form in text(owner.get(URL))
    archive_collection(collection)
    assert form not in text(owner.get(URL))
    assert owner.post(f"{URL}set/", {"name": "test", "query_ids": "1"}).status_code == 400


def test_page_needs_as_many_queries_with_more_topics(
    owner, collection, django_assert_max_num_queries, django_assert_num_queries
):
    owner.get(URL)
    with django_assert_max_num_queries(6) as few:
        owner.get(URL)
    Topic.objects.bulk_create(Topic(collection=collection, query_id=f"q{number}") for number in range(50))
    set_topics(collection, ["1", "q7"], "test")
    with django_assert_num_queries(len(few)):
        owner.get(URL)


def test_overview_leads_to_the_topics(owner, collection):
    assert f'href="{URL}">2 topics</a>' in text(owner.get("/c/small/"))
