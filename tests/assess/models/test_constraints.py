"""The database itself refuses what no judgement can be, whoever writes to it."""

import uuid

import pytest
from django.db import IntegrityError, transaction
from django.db.models import ProtectedError
from django.utils import timezone

from assess.models import Judgement, JudgementEvent, Member, Role, Task
from assess.pools.build import build_pool
from assess.transfer.imports import import_runs
from assess.transfer.judgement_import import import_judgements
from pooling.ids import MAX_ID_BYTES
from tests.factories import SMALL_RUNS, run_text, small_collection


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
    said = {
        "task": task(member.collection),
        "member": member,
        "state": "judged",
        "relevance": 1,
        "judged_at": timezone.now(),
    }
    return Judgement(**(said | fields))


def event(of: Judgement, **fields) -> JudgementEvent:
    said = {
        "judgement": of,
        "member": of.member,
        "state": "judged",
        "relevance": 1,
        "source": "page",
        "version": 2,  # behind the import's
        "at": timezone.now(),
    }
    return JudgementEvent(**(said | fields))


def refused(name: str, write) -> None:
    """The database refuses by the constraint of that name, and keeps what it had."""
    before = list(Judgement.objects.order_by("pk").values()), JudgementEvent.objects.count()
    with pytest.raises(IntegrityError, match=name), transaction.atomic():
        write()
    assert (list(Judgement.objects.order_by("pk").values()), JudgementEvent.objects.count()) == before


def test_what_fits_is_written(ada):
    judgement(ada).save()
    judgement(ada, repeat=1, relevance=0).save()
    judgement(ada, task=task(ada.collection, "d"), state="cannot_judge", relevance=None, reason="broken").save()
    judgement(ada, task=task(ada.collection, "e"), state="later", relevance=None).save()
    assert Judgement.objects.count() == 5


@pytest.mark.parametrize("relevance", [2, 9, 32_000])
def test_a_grade_off_the_scale(ada, relevance):
    refused("judgement_on_scale", judgement(ada, relevance=relevance).save)
    refused("judgement_on_scale", lambda: Judgement.objects.bulk_create([judgement(ada, relevance=relevance)]))


def test_a_grade_below_zero(ada):
    refused("relevance|judgement_on_scale", judgement(ada, relevance=-1).save)


def test_a_change_to_a_grade_off_the_scale(ada):
    refused("judgement_on_scale", lambda: Judgement.objects.update(relevance=2))


def test_the_scale_of_another_collection_does_not_count(ada, stranger):
    judgement(stranger, relevance=3).save()
    refused("judgement_on_scale", judgement(ada, relevance=3).save)


def test_a_judge_of_another_collection(ada, stranger):
    refused("judgement_on_scale", judgement(stranger, task=task(ada.collection)).save)
    no_grade = {"state": "later", "relevance": None}
    refused("judgement_on_scale", judgement(stranger, task=task(ada.collection), **no_grade).save)


def test_a_change_to_a_judge_or_a_task_of_another_collection(ada, stranger):
    refused("judgement_on_scale", lambda: Judgement.objects.update(member=stranger))
    refused("judgement_on_scale", lambda: Judgement.objects.update(task=task(stranger.collection)))


def test_a_second_judgement_of_the_same_task_assessor_and_repeat(ada):
    twice = judgement(ada, task=task(ada.collection, "a"))
    refused("judgement_once|member_id", twice.save)


def test_a_repeat_beyond_the_hidden_one(ada):
    refused("judgement_repeat_0_or_1", judgement(ada, repeat=2).save)


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
def test_a_judgement_that_is_not_complete(ada, fields):
    refused("judgement_is_complete", judgement(ada, **fields).save)
    refused("judgement_is_complete", lambda: Judgement.objects.update(**fields))


@pytest.mark.parametrize("fields", INCOMPLETE, ids=str)
def test_a_line_of_the_ledger_that_is_not_complete(ada, fields):
    refused("event_is_complete", event(Judgement.objects.get(), **fields).save)


def test_the_same_client_id_twice(ada):
    client_id = uuid.uuid4()
    event(Judgement.objects.get(), client_id=client_id, version=2).save()
    refused("client_id", event(Judgement.objects.get(), client_id=client_id, relevance=0, version=3).save)
    refused("event_version_once|judgement_id", event(Judgement.objects.get(), version=2).save)


def test_the_same_client_id_of_two_people_is_no_harm(ada, stranger):
    theirs, client_id = judgement(stranger), uuid.uuid4()
    theirs.save()
    event(Judgement.objects.get(member=ada), client_id=client_id, version=2).save()
    event(theirs, client_id=client_id, version=2).save()
    assert JudgementEvent.objects.filter(client_id=client_id).count() == 2


def test_who_judged_and_what_was_judged_cannot_be_deleted(ada):
    for row in (ada, task(ada.collection, "a")):
        with pytest.raises(ProtectedError):
            row.delete()


def test_the_longest_ids_that_files_may_hold_fit(collection, tmp_path):
    longest = "ä" * (MAX_ID_BYTES // 2)
    path = tmp_path / "longest.run"
    path.write_text(run_text(longest, {"1": [longest, "b"]}), encoding="utf-8")
    import_runs(collection, [path])
    build_pool(collection, 1)
    assert collection.runs.filter(system=longest).exists()
    assert collection.documents.filter(doc_id=longest).exists()
