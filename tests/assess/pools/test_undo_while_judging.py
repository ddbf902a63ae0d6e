"""A pool is undone while assessors claim and judge: the undo is refused, or their judgements are."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest
from django.db import connection, connections, transaction

from assess.errors import Conflict, Refused
from assess.judging import record
from assess.models import Assignment, Judgement, JudgementEvent, Task
from assess.pools.assign import assign
from assess.pools.building import undo
from assess.pools.building.build import build_pool
from assess.pools.building.undo import undo_pool
from assess.pools.slots import slot_problems
from tests.assess.claiming import judge, open_pool, upcoming
from tests.factories import SMALL_RUNS, small_collection

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]
needs_row_locks = pytest.mark.skipif(
    connection.vendor != "postgresql", reason="on SQLite, a writing transaction locks the whole database"
)


def in_thread(executor, call):
    """Start the call in a thread, which closes its connection at the end."""

    def run():
        try:
            return call()
        except (Refused, Assignment.DoesNotExist) as refusal:
            return refusal
        finally:
            connections.close_all()

    return executor.submit(run)


def judged_tasks() -> set[int]:
    return set(Judgement.objects.values_list("task", flat=True))


@pytest.mark.in_ci
@pytest.mark.parametrize("attempt", range(5))
def test_undo_and_judgements_at_the_same_time(add_assessors, attempt):
    collection = open_pool(2, sizes=(12,))
    people = add_assessors(collection, "ada", "bob", "cleo")
    tasks = {member.pk: upcoming(member, limit=4) for member in people}

    def work(member):
        saved = []
        for number, task in enumerate(tasks[member.pk]):
            saved.append(judge(member, task).pk)
            with suppress(Refused):
                upcoming(member, limit=5 + number)
        return saved

    with ThreadPoolExecutor(4) as executor:
        judging = [in_thread(executor, lambda member=member: work(member)) for member in people]
        undoing = in_thread(executor, lambda: undo_pool(collection))
        results = [each.result() for each in judging]
    was_undone = not isinstance(undoing.result(), Refused)
    if was_undone:
        assert not Task.objects.exists()
        assert not JudgementEvent.objects.exists()
        assert all(isinstance(result, Assignment.DoesNotExist) for result in results)
    else:
        assert Task.objects.count() == 12
        acknowledged = {pk for result in results for pk in result}
        assert set(JudgementEvent.objects.values_list("pk", flat=True)) == acknowledged
        assert list(slot_problems(collection)) == []


@needs_row_locks
def test_judgement_waits_for_the_undo_and_is_refused(add_assessors, monkeypatch):
    collection = small_collection(SMALL_RUNS)
    (ada,) = add_assessors(collection, "ada")
    assign(collection, 1)
    task = upcoming(ada)[0]
    original = undo._check_nothing_judged
    with ThreadPoolExecutor(1) as executor:
        judging = []

        def check_while_somebody_judges(*words):
            original(*words)
            judging.append(in_thread(executor, lambda: judge(ada, task)))

        monkeypatch.setattr(undo, "_check_nothing_judged", check_while_somebody_judges)
        undo_pool(collection)
        assert isinstance(judging[0].result(), Assignment.DoesNotExist)
    assert not Judgement.objects.exists()


@needs_row_locks
def test_undo_waits_for_a_judgement_and_is_refused(add_assessors, monkeypatch):
    collection = small_collection(SMALL_RUNS)
    (ada,) = add_assessors(collection, "ada")
    assign(collection, 1)
    task = upcoming(ada)[0]
    original = record._write
    with ThreadPoolExecutor(1) as executor:
        undoing = []

        def write_while_somebody_undoes(*words, **named):
            undoing.append(in_thread(executor, lambda: undo_pool(collection)))
            return original(*words, **named)

        monkeypatch.setattr(record, "_write", write_while_somebody_undoes)
        judge(ada, task)
        assert "1 task that it added has a judgement" in str(undoing[0].result())
    assert len(judged_tasks()) == 1
    assert Task.objects.count() == 7


@needs_row_locks
def test_undo_is_refused_if_a_task_is_claimed_while_it_takes_its_locks(add_assessors):
    collection = open_pool(1, sizes=(4,))
    (ada,) = add_assessors(collection, "ada")
    claims = []

    def claim_before_tasks_are_locked(execute, sql, *rest):
        if not claims and 'FROM "assess_task"' in sql and "FOR UPDATE" in sql:
            claims.append(in_thread(executor, lambda: upcoming(ada)).result())
        return execute(sql, *rest)

    with (
        ThreadPoolExecutor(1) as executor,
        connection.execute_wrapper(claim_before_tasks_are_locked),
        pytest.raises(Conflict, match="An assessor got tasks of this pool at the same time"),
    ):
        undo_pool(collection)
    assert Assignment.objects.count() == len(claims[0]) == 4


@pytest.mark.in_ci
def test_pool_that_is_rebuilt_at_the_same_time_is_complete(monkeypatch):
    """The undo comes between the plan of the next building and its transaction, so the building plans again."""
    from assess.pools.building import build

    collection = small_collection(SMALL_RUNS)
    original = build.plan_pool

    def plan_and_undo(*words):
        plan = original(*words)
        monkeypatch.setattr(build, "plan_pool", original)
        undo_pool(collection)
        return plan

    monkeypatch.setattr(build, "plan_pool", plan_and_undo)
    assert build_pool(collection, depth=3).added == 9
    with transaction.atomic():
        undo_pool(collection)
    assert not Task.objects.exists()
