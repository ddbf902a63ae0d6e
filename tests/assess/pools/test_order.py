"""The order of the documents: individual or the same for all assessors, and equal on every database."""

import pytest

from assess.judging import worklist
from assess.models import Order, Task
from assess.pools.assign import assign
from assess.pools.building.build import build_pool
from assess.pools.claims import open_to_claims
from assess.transfer.runs import import_runs
from tests.assess.claiming import fresh, judge, judge_all, open_pool, topic_of, upcoming
from tests.factories import small_collection, write_runs

# Byte order differs from alphabetical order: digits, then upper case, then lower case, then characters beyond ASCII.
DOC_IDS = ["a", "B", "10", "9", "é", "Z", "z", "ä", "-", "中", "b", "\U0001f600", "\uffe0"]
BY_BYTES = sorted(DOC_IDS, key=str.encode)


def many_alphabets(order: str, slug: str = "alphabets"):
    collection = small_collection({"only": {"1": DOC_IDS}}, slug=slug, depth=len(DOC_IDS))
    collection.order, collection.seed = order, 11
    collection.save()
    return collection


def test_byte_order_differs_from_alphabetical_order():
    assert BY_BYTES == ["-", "10", "9", "B", "Z", "a", "b", "z", "ä", "é", "中", "\uffe0", "\U0001f600"]


@pytest.mark.parametrize("limit", [1, 5, 20])
def test_fixed_order_follows_the_bytes_for_all_assessors(db, add_assessors, limit):
    collection = many_alphabets(Order.FIXED)
    people = add_assessors(collection, "ada", "bob")
    assign(collection, 2)
    assert [judge_all(member, limit) for member in people] == [BY_BYTES, BY_BYTES]


@pytest.mark.slow
def test_fixed_order_holds_for_claims(db, add_assessors):
    collection = many_alphabets(Order.FIXED)
    open_to_claims(collection, 2)
    people = add_assessors(collection, "ada", "bob")
    assert [judge_all(member, 1) for member in people] == [BY_BYTES, BY_BYTES]


@pytest.mark.slow
def test_shuffled_order_differs_between_assessors_and_from_the_run(db, add_assessors):
    collection = many_alphabets(Order.SHUFFLED)
    people = add_assessors(collection, "ada", "bob")
    assign(collection, 2)
    orders = [judge_all(member) for member in people]
    assert sorted(orders[0]) == sorted(orders[1]) == sorted(DOC_IDS)
    assert len({tuple(order) for order in (*orders, DOC_IDS, BY_BYTES)}) == 4


@pytest.mark.parametrize("order", [Order.SHUFFLED, Order.FIXED])
@pytest.mark.parametrize("is_open", [False, True])
def test_undone_comes_first_and_postponed_last_in_every_order(db, add_assessors, order, is_open):
    collection = many_alphabets(order)
    (ada,) = add_assessors(collection, "ada")
    if is_open:
        open_to_claims(collection, 1)
    else:
        assign(collection, 1)
    tasks = upcoming(ada, limit=20)
    judge(ada, tasks[1], "later")
    judge(ada, tasks[0], "later")
    judge(ada, tasks[4])
    judge(ada, tasks[4], "undone")
    assert upcoming(ada, limit=20) == [tasks[4], *tasks[2:4], *tasks[5:], tasks[1], tasks[0]]


def test_new_tasks_do_not_change_existing_orders(db, add_assessors, tmp_path):
    collection = many_alphabets(Order.SHUFFLED)
    (ada,) = add_assessors(collection, "ada")
    assign(collection, 1)
    before = upcoming(ada, limit=50)
    more = [*DOC_IDS, *(f"new{n}" for n in range(10))]
    import_runs(collection, write_runs(tmp_path, {"other": {"1": more}}))
    build_pool(collection, depth=len(more))
    assign(collection, 1)
    after = upcoming(ada, limit=50)
    assert [task for task in after if task in before] == before
    assert len(after) == len(before) + 10


def test_loaded_tasks_are_left_out_and_the_others_keep_their_order(db, add_assessors):
    collection = open_pool(1, sizes=(20,))
    (ada,) = add_assessors(collection, "ada")
    tasks = upcoming(ada, limit=12)
    cards = worklist.upcoming(fresh(ada), topic_of(ada), besides=(tasks[0], tasks[3]), limit=12)
    assert [card.task for card in cards] == [tasks[1], tasks[2], *tasks[4:]]
    assert Task.objects.filter(taken=1).count() == 12
