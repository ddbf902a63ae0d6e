"""Pools are built and tasks assigned while somebody else does the same between the plan and the transaction."""

import pytest

from assess.models import Assignment, Document, Provenance, Task
from assess.pools import assign as assigning
from assess.pools.building import build
from tests.factories import SMALL_RUNS, small_collection

pytestmark = pytest.mark.database


def act_after_first(monkeypatch, module, name, action):
    """Let `action` happen after the first call of a function of the module."""
    original = getattr(module, name)

    def call_and_act(*words):
        result = original(*words)
        monkeypatch.setattr(module, name, original)
        action()
        return result

    monkeypatch.setattr(module, name, call_and_act)


@pytest.mark.slow
def test_pool_that_was_built_at_the_same_time_is_kept(db, monkeypatch):
    collection = small_collection(SMALL_RUNS)
    act_after_first(monkeypatch, build, "plan_pool", lambda: build.build_pool(collection, depth=3))
    result = build.build_pool(collection, depth=4)
    assert result.pooled == Task.objects.count() == Provenance.objects.count()
    assert Document.objects.count() == collection.documents.count()
    assert sum(collection.pool_buildings.values_list("tasks_added", flat=True)) == result.pooled


def test_tasks_that_were_assigned_at_the_same_time_are_not_assigned_again(db, monkeypatch, add_assessors):
    collection = small_collection(SMALL_RUNS)
    add_assessors(collection, "ada", "bob")
    act_after_first(monkeypatch, assigning, "_plan", lambda: assigning.assign(collection, 1))
    result = assigning.assign(collection, 1)
    assert result.added == 0
    assert Assignment.objects.count() == Task.objects.count()
