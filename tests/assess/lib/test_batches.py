"""Rows that are inserted without models are stored like rows of models."""

import sqlite3
from contextlib import suppress
from datetime import UTC, datetime

import pytest
from django.db import IntegrityError, connection, transaction

from assess.lib.batches import (
    ATTEMPTS,
    BATCH,
    column_values,
    insert_rows,
    reserve_keys,
    save_planned,
    temporary_tables,
)
from assess.models import Judgement, Member, Role, Task, Topic
from tests.factories import SMALL_RUNS, small_collection

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def test_values_are_stored_as_a_model_stores_them():
    collection = small_collection(SMALL_RUNS)
    member = Member.objects.create(collection=collection, role=Role.ASSESSOR, name="ada")
    one, other = Task.objects.order_by("pk")[:2]
    values = {"member": member.pk, "state": "judged", "relevance": 1, "passages": [[0, 4]], "highlights": True}
    values |= {"judged_at": datetime(2026, 1, 2, 3, 4, 5, 6, tzinfo=UTC), "repeat": 0, "version": 1, "reason": ""}
    values |= {"comment": "é", "confidence": None, "guidelines_version": 2, "active_ms": 3, "away_ms": 4, "input": ""}
    stored = column_values(Judgement, values | {"task": one.pk})
    insert_rows(Judgement, list(stored), [list(stored.values())])
    Judgement.objects.create(**{**values, "member": member, "task": other})
    first, second = Judgement.objects.order_by("task").values()
    different = {name for name in first if first[name] != second[name]}
    assert different == {"id", "task_id"}


def test_more_rows_than_a_batch():
    collection = small_collection(SMALL_RUNS)
    before = collection.topics.count()
    shared = column_values(Topic, {"collection": collection.pk, "description": "", "narrative": "", "title": "a need"})
    insert_rows(Topic, ["query_id", *shared], ([f"new-{number}", *shared.values()] for number in range(BATCH + 1)))
    assert collection.topics.count() == before + BATCH + 1


def test_rows_that_violate_a_constraint_are_an_integrity_error():
    collection = small_collection(SMALL_RUNS)
    stored = column_values(Topic, {"collection": collection.pk, "query_id": "1", "title": "a need"})
    stored |= column_values(Topic, {"description": "", "narrative": ""})
    with pytest.raises(IntegrityError), transaction.atomic():
        insert_rows(Topic, list(stored), [list(stored.values())])


def test_reserved_keys_are_used_once():
    collection = small_collection(SMALL_RUNS)
    first, second = reserve_keys(Member, 3), reserve_keys(Member, 2)
    saved = Member.objects.create(collection=collection, role=Role.ASSESSOR, name="ada")
    Member.objects.create(pk=first[1], collection=collection, role=Role.ASSESSOR, name="bob")
    assert sorted({*first, *second, saved.pk}) == [*first, *second, saved.pk]
    assert list(reserve_keys(Member, 0)) == []


def test_keys_are_reserved_in_an_empty_table():
    keys = reserve_keys(Judgement, 2)
    assert len(set(keys)) == 2
    assert reserve_keys(Judgement, 1)[0] > keys[-1]


def test_temporary_table_is_rolled_back_with_its_block(transactional_db):
    with suppress(KeyboardInterrupt), temporary_tables(), connection.cursor() as cursor:
        cursor.execute("CREATE TEMPORARY TABLE staged (number integer)")
        raise KeyboardInterrupt
    with temporary_tables(), connection.cursor() as cursor:
        cursor.execute("CREATE TEMPORARY TABLE staged (number integer)")
        cursor.execute("INSERT INTO staged VALUES (1)")
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM staged")
        assert cursor.fetchone()[0] == 1
        cursor.execute("DROP TABLE staged")


def test_writing_to_temporary_tables_locks_no_database(transactional_db):
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL has no lock of a database")
    other = sqlite3.connect(connection.settings_dict["NAME"], timeout=0)
    with temporary_tables(), connection.cursor() as cursor:
        cursor.execute("CREATE TEMPORARY TABLE staged (number integer)")
        cursor.execute("INSERT INTO staged VALUES (1)")
        other.execute("BEGIN IMMEDIATE")
        other.rollback()
    other.close()


class CountedPlan:
    """A plan that is current from the attempt with this number on."""

    made = 0

    def __init__(self, current_from: int):
        CountedPlan.made += 1
        self.current_from, self.made_in_transaction = current_from, len(connection.savepoint_ids)

    def is_current(self) -> bool:
        return self.made >= self.current_from


@pytest.mark.parametrize(("current_from", "plans"), [(1, 1), (2, 2), (ATTEMPTS, ATTEMPTS), (99, ATTEMPTS + 1)])
def test_plan_is_made_again_until_it_is_current_and_at_last_under_the_lock(monkeypatch, current_from, plans):
    monkeypatch.setattr(CountedPlan, "made", 0)
    locks = []
    outside = len(connection.savepoint_ids)
    saved = save_planned(lambda: CountedPlan(current_from), lambda: locks.append(1), lambda plan: plan)
    assert (CountedPlan.made, len(locks)) == (plans, plans)
    assert (saved.made_in_transaction > outside) == (plans > ATTEMPTS)
