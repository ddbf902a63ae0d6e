"""Rows that are inserted without models are stored like rows of models."""

from datetime import UTC, datetime

import pytest

from assess.lib.batches import BATCH, column_values, insert_rows
from assess.models import Judgement, Member, Role, Task, Topic
from tests.factories import SMALL_RUNS, small_collection

pytestmark = pytest.mark.django_db


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
