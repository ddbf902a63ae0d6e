"""A large collection asks the database no more often than a small one: 100,000 tasks, 300,000 judgements."""

import uuid

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from assess.models import Collection, Judgement, Member
from benchmarks import judging_data

MOST = 24  # queries of any page


def queries_by_page(client, collection: Collection) -> dict[str, int]:
    """How often each of an assessor's pages asks the database, on the second visit of it."""
    member = collection.members.order_by("pk").first()
    client.force_login(member.user, backend="assess.people.backend.AccountBackend")
    return {name: deed() for name, deed in deeds(client, member).items()}


def deeds(client, member: Member):
    slug, topic = member.collection.slug, member.collection.topics.order_by("pk")[1]

    def get(name, **arguments):
        def deed():
            url = reverse(f"judge:{name}", kwargs={"slug": slug} | arguments)
            assert client.get(url).status_code == 200
            with CaptureQueriesContext(connection) as queries:
                assert client.get(url).status_code == 200
            return len(queries)

        return deed

    def say(task, **said):
        said = {"client_id": uuid.uuid4(), "member": member.pk, "guidelines_version": 1} | said
        url = reverse("judge:record", args=[slug, task])
        assert client.post(url, said, headers={"accept": "application/json"}).status_code == 200

    def record():
        cards = client.get(reverse("judge:next", args=[slug, topic.pk])).json()["cards"]
        say(cards[0]["task"], state="later")  # whoever has put something off is asked for more
        with CaptureQueriesContext(connection) as queries:
            say(cards[1]["task"], relevance=1)
        return len(queries)

    return {
        "my topics": get("topics"),
        "judging page": get("topic", topic_id=topic.pk),
        "next": get("next", topic_id=topic.pk),
        "record": record,
        "own judgements": get("judgements"),
    }


@pytest.mark.slow
@pytest.mark.parametrize("open_to_claims", [False, True])
def test_no_page_of_an_assessor_asks_more_often_in_a_large_collection(client, db, open_to_claims):
    small = judging_data.make("small", tasks=2_000, topics=5, open_to_claims=open_to_claims)
    large = judging_data.make("large", open_to_claims=open_to_claims)
    assert Judgement.objects.filter(task__topic__collection=large).count() == 300_000
    asked = queries_by_page(client, large)
    assert asked == queries_by_page(client, small)
    assert max(asked.values()) <= MOST, asked
