"""Several assessors claim and judge concurrently, each with a database connection of their own."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest
from django.db import connections

from assess.models import Assignment, Collection
from assess.pools.claims import open_to_claims
from assess.pools.slots import NotNeeded
from tests.assess.claiming import (
    check,
    judge,
    judge_all,
    open_pool,
    pass_time,
    taken,
    upcoming,
)

pytestmark = pytest.mark.database(slow=True)


def _run_concurrently(calls) -> list:
    """Run each call in its own thread with its own connection; return the results."""

    def run(call):
        try:
            return call()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(calls)) as pool:
        return [future.result() for future in [pool.submit(run, call) for call in calls]]


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("k", [1, 3])
def test_eight_concurrent_assessors_never_exceed_k(add_assessors, k):
    collection = open_pool(k, sizes=(24,))
    people = add_assessors(collection, *(f"p{n}" for n in range(8)))
    done = _run_concurrently([lambda member=member: judge_all(member, limit=3) for member in people])
    check(collection, k)
    assert taken() == [k] * 24
    assert sum(map(len, done)) == 24 * k
    assert all(len(set(each)) == len(each) for each in done)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_eight_concurrent_claims_fill_all_tasks_evenly(add_assessors):
    collection = open_pool(3, sizes=(24,))
    people = add_assessors(collection, *(f"p{n}" for n in range(8)))
    _run_concurrently([lambda member=member: upcoming(member, limit=3) for member in people])
    check(collection, 3)
    assert taken() == [1] * 24


@pytest.mark.django_db(transaction=True)
def test_concurrent_pages_of_one_assessor_claim_nothing_twice(add_assessors):
    collection = open_pool(2, sizes=(10,))
    (ada,) = add_assessors(collection, "ada")
    _run_concurrently([lambda: upcoming(ada, limit=4) for _ in range(6)])
    assert Assignment.objects.filter(member=ada).count() == 4
    check(collection, 2)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_concurrent_lapsing_judging_and_claiming_keep_slots_counted(add_assessors):
    collection = open_pool(2, sizes=(12,))
    people = add_assessors(collection, *(f"p{n}" for n in range(8)))
    tasks = {member.pk: upcoming(member, limit=3) for member in people}
    pass_time(31)

    def go_on(member):
        for number, task in enumerate(tasks[member.pk]):
            with suppress(NotNeeded):
                judge(member, task, "later" if number == 1 else "judged")
            upcoming(member, limit=3)
        while True:
            with suppress(NotNeeded):  # a postponed task holds no slot: another assessor may be quicker
                return judge_all(member, limit=3)

    _run_concurrently([lambda member=member: go_on(member) for member in people])
    check(collection, 2)
    assert taken() == [2] * 12


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_changing_k_while_people_judge_keeps_slots_counted(add_assessors):
    collection = open_pool(1, sizes=(16,))
    people = add_assessors(collection, *(f"p{n}" for n in range(4)))

    def change():
        for k in (2, 3, 2, 3):
            open_to_claims(Collection.objects.get(pk=collection.pk), k)

    _run_concurrently([change, *(lambda member=member: judge_all(member, limit=3) for member in people)])
    for member in people:
        judge_all(member)
    check(collection, 3)
    assert taken() == [3] * 16
