"""Pages of a large collection need no more queries than those of a small one.

The soak test has 100,000 tasks and 300,000 judgements."""

import uuid

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from assess.models import Collection, Judgement, Member
from benchmarks import judging_data

MOST = 24  # queries of any page


def queries_by_page(client, collection: Collection) -> dict[str, int]:
    """Return the number of queries of each of an assessor's pages, on its second visit."""
    member = collection.members.order_by("pk").first()
    client.force_login(member.user, backend="assess.people.backend.AccountBackend")
    return {name: count() for name, count in query_counters(client, member).items()}


def query_counters(client, member: Member):
    """Return, for each page, a function that requests it and returns its number of queries."""
    slug, topic = member.collection.slug, member.collection.topics.order_by("pk")[1]

    def get(name, **arguments):
        def count():
            url = reverse(f"judge:{name}", kwargs={"slug": slug} | arguments)
            assert client.get(url).status_code == 200
            with CaptureQueriesContext(connection) as queries:
                assert client.get(url).status_code == 200
            return len(queries)

        return count

    def judge(task, **fields):
        fields = {"client_id": uuid.uuid4(), "member": member.pk, "guidelines_version": 1} | fields
        url = reverse("judge:record", args=[slug, task])
        assert client.post(url, fields, headers={"accept": "application/json"}).status_code == 200

    def record():
        cards = client.get(reverse("judge:next", args=[slug, topic.pk])).json()["cards"]
        judge(cards[0]["task"], state="later")  # a postponed task needs one query more
        with CaptureQueriesContext(connection) as queries:
            judge(cards[1]["task"], relevance=1)
        return len(queries)

    return {
        "my topics": get("topics"),
        "judging page": get("topic", topic_id=topic.pk),
        "next": get("next", topic_id=topic.pk),
        "record": record,
        "own judgements": get("judgements"),
    }


@pytest.mark.slow
@pytest.mark.parametrize("open_to_claims", [True, pytest.param(False, marks=pytest.mark.soak)])
@pytest.mark.parametrize("tasks", [20_000, pytest.param(judging_data.TASKS, marks=pytest.mark.soak)])
def test_pages_need_no_more_queries_in_a_large_collection(client, db, open_to_claims, tasks):
    small = judging_data.make("small", tasks=2_000, topics=5, open_to_claims=open_to_claims)
    large = judging_data.make("large", tasks=tasks, open_to_claims=open_to_claims)
    assert Judgement.objects.filter(task__topic__collection=large).count() == 3 * tasks
    queries = queries_by_page(client, large)
    assert queries == queries_by_page(client, small)
    assert max(queries.values()) <= MOST, queries
