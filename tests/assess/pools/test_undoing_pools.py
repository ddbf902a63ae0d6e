"""The last pool building is undone completely, or not at all."""

import pytest
from django.db import IntegrityError, transaction

from assess.errors import Conflict, Refused
from assess.models import AuditEvent, PoolBuilding, PoolChange, Task
from assess.pools.assign import assign
from assess.pools.building.build import build_pool
from assess.pools.building.undo import undo_pool
from assess.pools.claims import open_to_claims
from assess.pools.slots import slot_problems
from assess.transfer.judgements import import_judgements
from assess.transfer.runs import import_runs
from tests.assess.claiming import judge, upcoming
from tests.assess.command_output import output_of, refusal, tables
from tests.factories import SMALL_RUNS, small_collection, write_runs

NEW = {"delta": {"1": ["d", "new"], "2": ["x"]}}


def without_log(rows: dict) -> dict:
    """The tables without the audit log."""
    return {name: content for name, content in rows.items() if name != "AuditEvent"}


def test_undo_brings_back_every_row(collection, tmp_path):
    import_runs(collection, write_runs(tmp_path, NEW))
    before = tables()
    build_pool(collection, depth=3)
    assert tables()["Provenance"] != before["Provenance"]
    result = undo_pool(collection)
    assert without_log(tables()) == without_log(before)
    # New at depth 3: c, f and delta's document "new".
    assert (result.description, result.tasks, result.assignments, result.pooled) == (
        "depth: the first 3 of each run",
        3,
        0,
        7,
    )


def test_buildings_are_undone_one_after_the_other(db, tmp_path):
    collection = small_collection(SMALL_RUNS, depth=1)
    before = tables()
    build_pool(collection, depth=2)
    build_pool(collection, "rrf", size=5)
    undo_pool(collection)
    undo_pool(collection)
    assert without_log(tables()) == without_log(before)
    undo_pool(collection)
    assert not Task.objects.exists()
    assert not PoolBuilding.objects.exists()


def test_pool_can_be_built_again_after_an_undo(collection):
    first = build_pool(collection, depth=3)
    undo_pool(collection)
    assert build_pool(collection, depth=3) == first


def test_assignments_of_removed_tasks_disappear(collection, add_assessors):
    add_assessors(collection, "ada", "bob")
    assign(collection, 2)
    before = tables()
    build_pool(collection, depth=3)
    assign(collection, 2)
    assert undo_pool(collection).assignments == 4  # of two tasks to two assessors
    assert without_log(tables()) == without_log(before)


@pytest.mark.parametrize("state", ["judged", "later", "cannot_judge"])
def test_answered_task_prevents_the_undo(collection, add_assessors, state):
    (ada,) = add_assessors(collection, "ada")
    open_to_claims(collection, 1)
    judge(ada, upcoming(ada)[0], state)
    assert refusal("undo_pool", "--collection", "small") == (
        "1 task that it added has a judgement, “cannot judge” or “later”. Judgements are never deleted, so this pool "
        "building cannot be undone."
    )


def test_judgements_of_earlier_buildings_do_not_prevent_the_undo(collection, add_assessors):
    (ada,) = add_assessors(collection, "ada")
    open_to_claims(collection, 1)
    judge(ada, upcoming(ada)[0])
    before = tables()
    build_pool(collection, depth=3)
    undo_pool(collection)
    assert without_log(tables()) == without_log(before)


def test_document_that_was_judged_before_it_was_pooled_keeps_its_task(collection, tmp_path):
    import_judgements(collection, b"1 0 late 1\n", assessor="ada")
    import_runs(collection, write_runs(tmp_path, {"delta": {"1": ["late"]}}))
    open_to_claims(collection, 2)
    before = tables()
    build_pool(collection, depth=2)
    undo_pool(collection)
    assert without_log(tables()) == without_log(before)
    assert list(slot_problems(collection)) == []


def test_imported_judgement_of_a_new_task_prevents_the_undo(collection):
    build_pool(collection, depth=3)
    import_judgements(collection, b"1 0 c 1\n", assessor="ada")
    with pytest.raises(Refused, match=r"^1 task that it added has a judgement"):
        undo_pool(collection)


def test_later_judgement_of_an_older_task_prevents_the_undo(collection, tmp_path):
    import_judgements(collection, b"1 0 late 1\n", assessor="ada")
    import_runs(collection, write_runs(tmp_path, {"delta": {"1": ["late"]}}))
    build_pool(collection, depth=2)
    import_judgements(collection, b"1 0 late 1\n", assessor="bob")
    with pytest.raises(Refused, match=r"^1 task that it added has a judgement"):
        undo_pool(collection)


def test_slots_are_counted_after_an_undo(collection, add_assessors):
    (ada,) = add_assessors(collection, "ada")
    open_to_claims(collection, 2)
    build_pool(collection, depth=3)
    upcoming(ada)
    undo_pool(collection)
    assert list(slot_problems(collection)) == []
    assert Task.objects.count() == 7


def test_nothing_to_undo_is_refused(collection):
    undo_pool(collection)
    assert refusal("undo_pool", "--collection", "small") == "small has no pool building that could be undone."


def test_building_without_recorded_changes_is_refused(collection):
    PoolBuilding.objects.update(tasks_changed=None)
    with pytest.raises(Refused, match="an exercise or an earlier version of Assay made it"):
        undo_pool(collection)


def test_only_the_building_that_the_user_saw_is_undone(collection):
    seen = collection.pool_buildings.get().pk
    build_pool(collection, depth=3)
    with pytest.raises(Conflict, match="Another pool was built or undone in the meantime"):
        undo_pool(collection, building_id=seen)
    assert collection.pool_buildings.count() == 2


def test_undo_is_in_the_audit_log(collection, django_user_model):
    olga = django_user_model.objects.create_user("olga")
    undo_pool(collection, olga)
    event = AuditEvent.objects.get(action="pool_undone")
    assert (event.actor, event.collection, event.subject) == (olga, collection, "depth: the first 2 of each run")
    assert event.details == {"tasks": 7, "assignments": 0}


def test_command_says_what_it_removed(collection):
    build_pool(collection, depth=3)
    assert output_of("undo_pool", "--collection", "small") == [
        "Undid depth: the first 3 of each run.",
        "Removed 2 tasks and 0 assignments. The pool has 7 tasks.",
    ]


def test_other_collections_are_not_changed(collection):
    other = small_collection(SMALL_RUNS, slug="other")
    undo_pool(collection)
    assert Task.objects.filter(topic__collection=other).count() == 7
    assert other.pool_buildings.count() == 1


@pytest.mark.parametrize(
    "values",
    [
        {"systems_before": ["alpha"], "best_rank_before": None},
        {"systems_before": None, "best_rank_before": 1},
        {"is_new": True, "systems_before": ["alpha"], "best_rank_before": 1},
    ],
)
def test_change_that_cannot_be_undone_is_not_stored(collection, values):
    changes = PoolChange.objects.filter(pk=PoolChange.objects.first().pk)
    with pytest.raises(IntegrityError), transaction.atomic():
        changes.update(**{"is_new": False} | values)


def test_building_has_one_change_for_each_task(collection):
    change = PoolChange.objects.first()
    with pytest.raises(IntegrityError), transaction.atomic():
        PoolChange.objects.create(building=change.building, task=change.task, is_new=True)
