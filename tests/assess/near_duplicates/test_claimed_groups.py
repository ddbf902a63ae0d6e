"""Near-duplicates in a pool that is open to claims: an assessor claims the documents of a group together."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connections

from assess.judging.ledger import ledger_problems
from assess.models import Assignment, Collection, Judgement, Task
from assess.pools import free_tasks
from assess.pools.assign import assign
from assess.pools.claims import claim, close_to_claims, open_to_claims
from assess.pools.slots import slot_problems
from tests.assess.claiming import check, fresh, judge, pass_time, topic_of, upcoming
from tests.assess.near_duplicates.grouped import (
    add_group,
    assignment_of,
    grouped_collection,
    judged,
    queue,
    task_of,
)

pytestmark = pytest.mark.database


def open_groups(*groups: str, k: int = 1, **rules):
    collection = grouped_collection(*groups, **rules)
    open_to_claims(collection, k)
    return collection


def claimed(member) -> str:
    rows = Assignment.objects.filter(member=member, repeat=0).order_by("position")
    return "".join(rows.values_list("task__document__doc_id", flat=True))


def claim_some(member, limit: int) -> str:
    claim(fresh(member), topic_of(member), limit)
    return claimed(member)


@pytest.mark.parametrize("rule", ["together", "once"])
def test_free_near_duplicates_are_claimed_too(db, add_assessors, rule):
    collection = open_groups("adg", "bh", rule=rule)
    ada, ben = add_assessors(collection, "ada", "ben")
    assert claim_some(ada, 2) == "abdgh"
    assert claim_some(ben, 2) == "ce"
    check(collection, 1)


def test_without_the_rule_no_more_is_claimed(db, add_assessors):
    collection = open_groups("adg", rule="apart")
    ada, *_ = add_assessors(collection, "ada")
    assert claim_some(ada, 2) == "ab"


def test_number_of_near_duplicates_that_one_claim_adds_is_limited(db, add_assessors, monkeypatch):
    monkeypatch.setattr(free_tasks, "MOST_DUPLICATES", 2)
    collection = open_groups("abcdef", rule="together")
    ada, *_ = add_assessors(collection, "ada")
    assert claim_some(ada, 1) == "abc"


def test_free_documents_of_a_group_begun_earlier_are_claimed(db, add_assessors):
    collection = open_groups(rule="together")
    ada, *_ = add_assessors(collection, "ada")
    assert claim_some(ada, 1) == "a"
    judge(ada, task_of(ada, "a"))
    add_group(collection, "ah")
    assert claim_some(ada, 1) == "abh"
    assert queue(ada)[:2] == "hb"


def test_documents_of_others_and_lapsed_claims(db, add_assessors):
    collection = open_groups("abc", rule="together")
    ada, ben = add_assessors(collection, "ada", "ben")
    assert claim_some(ada, 1) == "abc"
    pass_time(60)
    assert claim_some(ben, 1) == "abc"  # ada's claims lapsed
    judge(ben, task_of(ben, "a"))
    pass_time(60)
    assert claim_some(ada, 1) in ("bcd", "abc", "bac")  # never a again
    open_tasks = Assignment.objects.filter(member=ada, state="", holds_place=True)
    assert "a" not in open_tasks.values_list("task__document__doc_id", flat=True)
    check(collection, 1)


def test_large_group_leaves_other_documents_to_claim(db, add_assessors):
    collection = open_groups("abcde")
    ada, *_ = add_assessors(collection, "ada")
    assert claim_some(ada, 1) == "abcde"
    assert claim_some(ada, 2) == "abcdef"
    check(collection, 1)


def test_one_judgement_settles_all_claims_of_the_group(db, add_assessors):
    collection = open_groups("abc", k=2)
    ada, ben = add_assessors(collection, "ada", "ben")
    for member in (ada, ben):
        upcoming(member)
        judge(member, task_of(member, "b"))
        assert [values[0] for values in judged(member).values()] == ["judged"] * 3
    held = Assignment.objects.filter(state="judged").values_list("holds_place", "claimed_until")
    assert set(held) == {(True, None)}
    judge(ada, task_of(ada, "b"), "undone")
    assert set(Assignment.objects.filter(member=ada, state="undone").values_list("holds_place", flat=True)) == {True}
    check(collection, 2)
    assert list(ledger_problems()) == []


def test_postponed_document_with_all_its_judges_is_left_out(db, add_assessors):
    collection = open_groups("ab", k=1, rule="apart")
    ada, ben = add_assessors(collection, "ada", "ben")
    upcoming(ada, 2)
    judge(ada, task_of(ada, "a"), "later")
    claim_some(ben, 16)
    judge(ben, task_of(ben, "a"))
    type(collection).objects.update(near_duplicates="once")
    judge(ada, task_of(ada, "b"))
    assert judged(ada)["a"][0] == "later"
    assert judged(ada)["b"][0] == "judged"
    check(collection, 1)


def test_lapsed_claim_of_the_group_is_left_alone(db, add_assessors):
    collection = open_groups("abc")
    ada, ben = add_assessors(collection, "ada", "ben")
    claim_some(ada, 1)
    Assignment.objects.filter(pk=assignment_of(ada, "c").pk).update(claimed_until="2020-01-01T00:00:00Z")
    claim_some(ben, 1)
    judge(ada, task_of(ada, "a"))
    assert set(judged(ada)) == {"a", "b"}
    check(collection, 1)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("k", [1, 2])
@pytest.mark.parametrize("rule", ["together", "once"])
def test_assessors_at_once_never_exceed_k_and_never_wait_for_each_other(add_assessors, k, rule):
    collection = open_groups("aceg", "bdfh", k=k, rule=rule)
    members = add_assessors(collection, "ada", "ben", "cy")

    def work(member):
        try:
            while tasks := upcoming(member, 2):
                for task in tasks:
                    for state in ("judged", "undone", "judged"):
                        judge(member, task, state)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(members)) as pool:
        for done in [pool.submit(work, member) for member in members]:
            done.result()
    check(collection, k)
    assert Judgement.objects.filter(state="judged", repeat=0).count() == k * Task.objects.count()
    assert list(ledger_problems()) == []


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_opening_and_closing_meanwhile_never_wait_for_each_other(add_assessors):
    collection = grouped_collection("abcdefgh")
    ada, *_ = add_assessors(collection, "ada")
    assign(collection, judges=1)

    def work():
        try:
            for state in ("judged", "undone") * 8:  # the last of the group first: the others have lower keys
                judge(ada, task_of(ada, "h"), state)
        finally:
            connections.close_all()

    def open_and_close():
        try:
            for _ in range(8):
                open_to_claims(Collection.objects.get(pk=collection.pk), 1)
                close_to_claims(Collection.objects.get(pk=collection.pk))
        finally:
            connections.close_all()

    with ThreadPoolExecutor(2) as pool:
        for done in [pool.submit(work), pool.submit(open_and_close)]:
            done.result()
    assert [state for state, *_ in judged(ada).values()] == ["undone"] * 8
    assert list(slot_problems(collection)) == []
    assert list(ledger_problems()) == []
