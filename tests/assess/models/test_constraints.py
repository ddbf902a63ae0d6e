"""Database constraints refuse invalid judgements, whichever code writes them."""

import uuid

import pytest
from django.db import IntegrityError, transaction
from django.db.models import ProtectedError
from django.utils import timezone

from assess.models import Judgement, JudgementEvent, JudgementKind, Member, Role, Task
from assess.pools.building.build import build_pool
from assess.transfer.judgements import import_judgements
from assess.transfer.runs import import_runs
from pooling.ids import MAX_ID_BYTES
from tests.factories import SMALL_RUNS, run_text, small_collection

pytestmark = pytest.mark.database


@pytest.fixture
def ada(collection):
    """A judge with one judgement: grade 1 on topic 1, document a, on a scale of 0 and 1."""
    import_judgements(collection, b"1 0 a 1\n", assessor="ada")
    return Member.objects.get(name="ada")


@pytest.fixture
def stranger(ada):
    """A judge of another collection, whose scale goes up to 3."""
    other = small_collection(SMALL_RUNS, slug="other", grades=("0=No", "1=Some", "3=Best"))
    return Member.objects.create(collection=other, role=Role.ASSESSOR, name="stranger")


def task(collection, doc_id: str = "b") -> Task:
    return Task.objects.get(topic__collection=collection, topic__query_id="1", document__doc_id=doc_id)


def judgement(member: Member, **fields) -> Judgement:
    defaults = {
        "task": task(member.collection),
        "member": member,
        "state": "judged",
        "relevance": 1,
        "judged_at": timezone.now(),
    }
    return Judgement(**(defaults | fields))


def event(of: Judgement, **fields) -> JudgementEvent:
    defaults = {
        "judgement": of,
        "member": of.member,
        "state": "judged",
        "relevance": 1,
        "source": "page",
        "version": 2,  # after the event of the import
        "at": timezone.now(),
    }
    return JudgementEvent(**(defaults | fields))


def assert_refused(name: str, write) -> None:
    """Assert that the constraint of that name refuses, and that nothing changes."""
    before = list(Judgement.objects.order_by("pk").values()), JudgementEvent.objects.count()
    with pytest.raises(IntegrityError, match=name), transaction.atomic():
        write()
    assert (list(Judgement.objects.order_by("pk").values()), JudgementEvent.objects.count()) == before


def test_valid_judgements_are_saved(ada):
    judgement(ada).save()
    judgement(ada, repeat=1, relevance=0).save()
    judgement(ada, task=task(ada.collection, "d"), state="cannot_judge", relevance=None, reason="broken").save()
    judgement(ada, task=task(ada.collection, "e"), state="later", relevance=None).save()
    assert Judgement.objects.count() == 5


@pytest.mark.parametrize("relevance", [2, 9, 32_000])
def test_grade_off_the_scale_is_refused(ada, relevance):
    assert_refused("judgement_on_scale", judgement(ada, relevance=relevance).save)
    assert_refused("judgement_on_scale", lambda: Judgement.objects.bulk_create([judgement(ada, relevance=relevance)]))


def test_negative_grade_is_refused(ada):
    assert_refused("relevance|judgement_on_scale", judgement(ada, relevance=-1).save)


def test_change_to_a_grade_off_the_scale_is_refused(ada):
    assert_refused("judgement_on_scale", lambda: Judgement.objects.update(relevance=2))


def test_scale_of_another_collection_does_not_count(ada, stranger):
    judgement(stranger, relevance=3).save()
    assert_refused("judgement_on_scale", judgement(ada, relevance=3).save)


def test_judge_of_another_collection_is_refused(ada, stranger):
    assert_refused("judgement_on_scale", judgement(stranger, task=task(ada.collection)).save)
    no_grade = {"state": "later", "relevance": None}
    assert_refused("judgement_on_scale", judgement(stranger, task=task(ada.collection), **no_grade).save)


def test_change_to_a_judge_or_task_of_another_collection_is_refused(ada, stranger):
    assert_refused("judgement_on_scale", lambda: Judgement.objects.update(member=stranger))
    assert_refused("judgement_on_scale", lambda: Judgement.objects.update(task=task(stranger.collection)))


def test_second_judgement_of_the_same_task_is_refused(ada):
    twice = judgement(ada, task=task(ada.collection, "a"))
    assert_refused("judgement_once|member_id", twice.save)


def test_unknown_kind_of_judgement_is_refused(ada):
    assert_refused("judgement_kind_known", judgement(ada, repeat=7).save)


def test_second_decision_on_a_task_is_refused(ada, collection):
    bob = Member.objects.create(collection=collection, role=Role.ASSESSOR, name="bob")
    judgement(ada, repeat=JudgementKind.DECISION).save()
    undone = judgement(bob, repeat=JudgementKind.DECISION, state="undone", relevance=None)
    undone.save()
    undone.state, undone.relevance = "judged", 1
    assert_refused("decided_once|assess_judgement.task_id", undone.save)


INCOMPLETE = [
    {"state": "judged", "relevance": None},
    {"state": "judged", "relevance": 1, "reason": "broken"},
    {"state": "cannot_judge", "relevance": None, "reason": ""},
    {"state": "cannot_judge", "relevance": None, "reason": "dull"},
    {"state": "cannot_judge", "relevance": 1, "reason": "broken"},
    {"state": "later", "relevance": 0},
    {"state": "undone", "relevance": None, "reason": "other"},
    {"state": "sure", "relevance": None},
    {"state": "", "relevance": None},
]


@pytest.mark.parametrize("fields", INCOMPLETE, ids=str)
def test_incomplete_judgement_is_refused(ada, fields):
    assert_refused("judgement_is_complete", judgement(ada, **fields).save)
    assert_refused("judgement_is_complete", lambda: Judgement.objects.update(**fields))


@pytest.mark.parametrize("fields", INCOMPLETE, ids=str)
def test_incomplete_event_is_refused(ada, fields):
    assert_refused("event_is_complete", event(Judgement.objects.get(), **fields).save)


def test_same_client_id_twice_is_refused(ada):
    client_id = uuid.uuid4()
    event(Judgement.objects.get(), client_id=client_id, version=2).save()
    assert_refused("client_id", event(Judgement.objects.get(), client_id=client_id, relevance=0, version=3).save)
    assert_refused("event_version_once|judgement_id", event(Judgement.objects.get(), version=2).save)


def test_two_people_may_use_the_same_client_id(ada, stranger):
    theirs, client_id = judgement(stranger), uuid.uuid4()
    theirs.save()
    event(Judgement.objects.get(member=ada), client_id=client_id, version=2).save()
    event(theirs, client_id=client_id, version=2).save()
    assert JudgementEvent.objects.filter(client_id=client_id).count() == 2


def test_judges_and_judged_tasks_cannot_be_deleted(ada):
    for row in (ada, task(ada.collection, "a")):
        with pytest.raises(ProtectedError):
            row.delete()


def test_longest_ids_of_files_are_saved(collection, tmp_path):
    longest = "ä" * (MAX_ID_BYTES // 2)
    path = tmp_path / "longest.run"
    path.write_text(run_text(longest, {"1": [longest, "b"]}), encoding="utf-8")
    import_runs(collection, [path])
    build_pool(collection, depth=1)
    assert collection.runs.filter(system=longest).exists()
    assert collection.documents.filter(doc_id=longest).exists()
