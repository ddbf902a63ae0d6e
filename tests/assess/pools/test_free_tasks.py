"""Which free tasks a claim locks, and in which order."""

from threading import Thread

import pytest
from django.db import connection, transaction

from assess.models import Task
from assess.pools.free_tasks import FreeTasks
from tests.assess.claiming import judge, open_pool, topic_of, upcoming

pytestmark = pytest.mark.database


def locked(member, keys: list[int], limit: int) -> list[int]:
    with transaction.atomic():
        free = FreeTasks(member, topic_of(member), [])
        return [task.pk for task in free.lock_these(keys, limit, ("-pk",))]


def test_tasks_with_these_keys_come_first_in_the_order_of_the_keys(db, add_assessors):
    (ada,) = add_assessors(open_pool(1, sizes=(6,)), "ada")
    first, *_, fifth, last = Task.objects.order_by("pk").values_list("pk", flat=True)

    assert locked(ada, [fifth, first], 1) == [fifth]
    assert locked(ada, [fifth, first], 2) == [fifth, first]
    assert locked(ada, [fifth, first], 3) == [fifth, first, last]
    assert locked(ada, [], 1) == [last]


def test_tasks_that_are_not_free_are_left_out(db, add_assessors):
    ada, bob = add_assessors(open_pool(1, sizes=(3,)), "ada", "bob")
    (public_id,) = upcoming(bob, limit=1)
    judge(bob, public_id)
    taken = Task.objects.get(taken=1).pk
    others = list(Task.objects.exclude(pk=taken).order_by("-pk").values_list("pk", flat=True))

    assert locked(ada, [taken, others[1]], 3) == [others[1], others[0]]


@pytest.mark.skipif(connection.vendor == "sqlite", reason="SQLite has no locks of rows")
@pytest.mark.django_db(transaction=True)
def test_tasks_that_another_claim_has_locked_are_skipped(add_assessors):
    (bob,) = add_assessors(open_pool(1, sizes=(3,)), "bob")
    first, second, third = Task.objects.order_by("pk").values_list("pk", flat=True)
    found = []

    def claim_at_the_same_time():
        found.extend(locked(bob, [first, second], 3))
        connection.close()

    with transaction.atomic():
        Task.objects.select_for_update().get(pk=first)
        other = Thread(target=claim_at_the_same_time)
        other.start()
        other.join(timeout=20)
    assert found == [second, third]
