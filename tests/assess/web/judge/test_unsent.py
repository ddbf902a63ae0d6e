"""Claims of a page that has judged documents which the server does not know yet."""

import pytest
from django.urls import reverse

from assess.models import Assignment
from tests.assess.claiming import open_pool, topic_of, upcoming


@pytest.fixture
def ada(db, join):
    return join(open_pool(1, sizes=(100,)), "ada")


def fetch(client, member, besides: list[str], **query):
    address = reverse("judge:next", args=[member.collection.slug, topic_of(member).pk])
    return client.get(address, {"besides": besides, **query})


def test_as_many_more_are_claimed_as_the_page_has_judged(signed_in, ada):
    """Of 16 documents on the page, 10 are judged and wait to be sent."""
    client, on_page = signed_in(ada), upcoming(ada, limit=16)
    assert fetch(client, ada, on_page).json()["cards"] == []
    new = [card["task"] for card in fetch(client, ada, on_page, unsent=10).json()["cards"]]
    assert len(set(new) - set(on_page)) == 10
    assert Assignment.objects.filter(member=ada, holds_place=True).count() == 26


def test_a_page_cannot_claim_without_limit(signed_in, ada):
    client = signed_in(ada)
    assert len(fetch(client, ada, [], unsent=60).json()["cards"]) == 16
    assert Assignment.objects.filter(member=ada).count() == 76
    for wrong in ("61", "-1", "1.5", "٣", "9" * 50, ""):
        answer = fetch(client, ada, [], unsent=wrong)
        assert (answer.status_code, "unsent must be a whole number between 0 and 60" in answer.json()["error"]) == (
            400,
            True,
        )
    assert Assignment.objects.filter(member=ada).count() == 76


def test_only_the_topic_of_the_unsent_judgements_gets_more_claims(signed_in, join):
    collection = open_pool(1, sizes=(20, 100), continuous=True)
    ada = join(collection, "ada")
    fetch(signed_in(ada), ada, [], unsent=20)
    counts = [Assignment.objects.filter(topic__query_id=query_id).count() for query_id in ("1", "2")]
    assert counts == [20, 0]
    besides = upcoming(ada, limit=20)
    cards = fetch(signed_in(ada), ada, besides, unsent=20).json()["cards"]
    assert {card["topic"]["query_id"] for card in cards} == {"2"}
    assert Assignment.objects.filter(topic__query_id="2").count() == 16
