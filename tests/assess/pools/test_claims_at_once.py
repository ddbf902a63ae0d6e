"""Many claim and judge at once, each with a connection of their own."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest
from django.db import connections

from assess.models import Assignment, Collection
from assess.pools.claims import open_to_claims
from assess.pools.slots import NotNeeded
from tests.assess.claiming import (
    check,
    judge_all,
    open_pool,
    pass_time,
    say,
    taken,
    upcoming,
)


def _at_once(deeds) -> list:
    """Do these in as many threads, each with a connection of its own."""

    def do(deed):
        try:
            return deed()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(deeds)) as pool:
        return [future.result() for future in [pool.submit(do, deed) for deed in deeds]]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("k", [1, 3])
def test_eight_who_claim_and_judge_at_once_never_exceed_k(add_assessors, k):
    collection = open_pool(k, sizes=(24,))
    people = add_assessors(collection, *(f"p{n}" for n in range(8)))
    done = _at_once([lambda member=member: judge_all(member, limit=3) for member in people])
    check(collection, k)
    assert taken() == [k] * 24
    assert sum(map(len, done)) == 24 * k
    assert all(len(set(each)) == len(each) for each in done)


@pytest.mark.django_db(transaction=True)
def test_eight_who_claim_at_once_go_wide_before_deep(add_assessors):
    collection = open_pool(3, sizes=(24,))
    people = add_assessors(collection, *(f"p{n}" for n in range(8)))
    _at_once([lambda member=member: upcoming(member, limit=3) for member in people])
    check(collection, 3)
    assert taken() == [1] * 24


@pytest.mark.django_db(transaction=True)
def test_two_pages_of_one_assessor_claim_nothing_twice(add_assessors):
    collection = open_pool(2, sizes=(10,))
    (ada,) = add_assessors(collection, "ada")
    _at_once([lambda: upcoming(ada, limit=4) for _ in range(6)])
    assert Assignment.objects.filter(member=ada).count() == 4
    check(collection, 2)


@pytest.mark.django_db(transaction=True)
def test_lapsing_judging_and_claiming_at_once_leave_every_place_counted(add_assessors):
    collection = open_pool(2, sizes=(12,))
    people = add_assessors(collection, *(f"p{n}" for n in range(8)))
    tasks = {member.pk: upcoming(member, limit=3) for member in people}
    pass_time(31)

    def go_on(member):
        for number, task in enumerate(tasks[member.pk]):
            with suppress(NotNeeded):
                say(member, task, "later" if number == 1 else "judged")
            upcoming(member, limit=3)
        while True:
            with suppress(NotNeeded):  # what is put off holds no place: somebody else may be quicker
                return judge_all(member, limit=3)

    _at_once([lambda member=member: go_on(member) for member in people])
    check(collection, 2)
    assert taken() == [2] * 12


@pytest.mark.django_db(transaction=True)
def test_changing_k_while_people_judge_leaves_every_place_counted(add_assessors):
    collection = open_pool(1, sizes=(16,))
    people = add_assessors(collection, *(f"p{n}" for n in range(4)))

    def change():
        for k in (2, 3, 2, 3):
            open_to_claims(Collection.objects.get(pk=collection.pk), k)

    _at_once([change, *(lambda member=member: judge_all(member, limit=3) for member in people)])
    for member in people:
        judge_all(member)
    check(collection, 3)
    assert taken() == [3] * 16
