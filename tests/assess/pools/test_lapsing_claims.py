"""Claims that lapse: the task returns to the pool, and judgements made in time are kept."""

import pytest

from assess.judging import worklist
from assess.judging.worklist import topics_with_progress
from assess.models import Assignment, Judgement, JudgementEvent
from assess.pools import claims
from assess.pools.slots import NotNeeded
from assess.pools.tasks import LAPSED
from tests.assess.claiming import (
    check,
    fresh,
    judge,
    judge_all,
    open_pool,
    pass_time,
    progress,
    taken,
    upcoming,
)


def test_lapsed_claim_goes_to_another_assessor(db, add_assessors):
    collection = open_pool(1, sizes=(5,), claim_minutes=30)
    ada, bob = add_assessors(collection, "ada", "bob")
    upcoming(ada)
    pass_time(29)
    assert upcoming(bob) == []
    pass_time(2)
    assert len(upcoming(bob)) == 5
    assert upcoming(ada) == []
    assert (progress(ada).total, progress(bob).total) == (0, 5)
    check(collection, 1)


def test_active_assessor_keeps_the_claims(db, add_assessors):
    collection = open_pool(1, sizes=(5,), claim_minutes=30)
    ada, bob = add_assessors(collection, "ada", "bob")
    for _ in range(4):
        tasks = upcoming(ada)
        pass_time(20)
    assert upcoming(ada) == tasks
    assert upcoming(bob) == []


def test_free_lapsed_claim_returns_with_the_same_public_id(db, add_assessors):
    collection = open_pool(2, sizes=(5,))
    ada, bob = add_assessors(collection, "ada", "bob")
    before = upcoming(ada)
    pass_time(31)
    upcoming(bob)
    assert Assignment.objects.filter(member=ada, state=LAPSED).count() == 5
    assert sorted(upcoming(ada)) == sorted(before)
    assert taken() == [2] * 5
    check(collection, 2)


def test_judgement_of_a_lapsed_claim_counts_if_a_slot_is_free(db, add_assessors):
    collection = open_pool(2, sizes=(5,))
    ada, bob = add_assessors(collection, "ada", "bob")
    tasks = upcoming(ada)
    pass_time(31)
    upcoming(bob)
    judge(ada, tasks[0])
    assert Assignment.objects.get(public_id=tasks[0]).holds_place
    assert progress(ada).judged == 1
    check(collection, 2)


def test_judgement_of_a_lapsed_claim_is_refused_if_others_judged(db, add_assessors):
    collection = open_pool(1, sizes=(3,))
    ada, bob = add_assessors(collection, "ada", "bob")
    tasks = upcoming(ada)
    pass_time(31)
    judge_all(bob)
    with pytest.raises(NotNeeded, match="This document already has all the judgements it needs"):
        judge(ada, tasks[0])
    assert not Judgement.objects.filter(member=ada).exists()
    assert not JudgementEvent.objects.filter(member=ada).exists()
    assert Assignment.objects.get(public_id=tasks[0]).state == LAPSED
    check(collection, 1)


def test_card_of_a_lapsed_claim_has_no_judgement(db, add_assessors):
    collection = open_pool(1, sizes=(3,))
    ada, ben = add_assessors(collection, "ada", "ben")
    first = upcoming(ada)[0]
    pass_time(31)
    upcoming(ben)
    assert Assignment.objects.get(public_id=first).state == LAPSED
    card = worklist.card(fresh(ada), first)
    assert (card.state, card.version) == ("", 0)


def test_lapsed_claim_that_nobody_took_can_be_judged(db, add_assessors):
    collection = open_pool(1, sizes=(3,))
    (ada,) = add_assessors(collection, "ada")
    tasks = upcoming(ada)
    pass_time(31)
    judge(ada, tasks[0])
    check(collection, 1)
    assert taken().count(1) == 3


def test_judgements_never_lapse(db, add_assessors):
    collection = open_pool(1, sizes=(3,))
    ada, bob = add_assessors(collection, "ada", "bob")
    judge_all(ada)
    pass_time(10_000)
    assert claims.release_lapsed(collection) == 0
    assert upcoming(bob) == []


def test_claims_of_a_deactivated_assessor_lapse_too(db, add_assessors):
    collection = open_pool(1, sizes=(3,))
    ada, bob = add_assessors(collection, "ada", "bob")
    judge(ada, upcoming(ada)[0])
    ada.user.is_active = False
    ada.user.save()
    pass_time(31)
    assert len(judge_all(bob)) == 2
    check(collection, 1)


def test_each_request_releases_a_limited_number_of_claims(db, add_assessors, monkeypatch):
    monkeypatch.setattr(claims, "MOST_RETURNED_AT_ONCE", 4)
    collection = open_pool(1, sizes=(10,))
    ada, bob = add_assessors(collection, "ada", "bob")
    upcoming(ada)
    pass_time(31)
    assert [len(upcoming(bob)) for _ in range(3)] == [4, 8, 10]
    check(collection, 1)


def test_topics_page_releases_lapsed_claims(db, add_assessors):
    collection = open_pool(1, sizes=(3,))
    ada, bob = add_assessors(collection, "ada", "bob")
    upcoming(ada)
    pass_time(31)
    assert [part.to_claim for _, part in topics_with_progress(fresh(bob))] == [3]
