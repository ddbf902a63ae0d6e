"""Undoing assignments: what nobody has begun is deleted; judgements, pilots and claims stay."""

import threading
import uuid

import pytest
from django.db import connection, transaction
from django.urls import reverse

from assess.collections.archive import archive_collection
from assess.errors import Refused
from assess.judging.judgement_input import JudgementInput
from assess.judging.record import record_judgement
from assess.judging.worklist import topics_with_progress, upcoming
from assess.models import Assignment, Judgement, Role
from assess.pools import unassign as unassigning
from assess.pools.assign import assign
from assess.pools.claims import open_to_claims
from assess.pools.unassign import not_begun, unassign
from assess.work.pilot import create_pilot
from tests.assess.command_output import output_of

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture
def assigned(collection, join):
    ada, bob = join(collection, "ada"), join(collection, "bob")
    assign(collection, judges=2)
    return ada, bob


def judge_one(member) -> None:
    topic, _ = topics_with_progress(member)[0]
    card = upcoming(member, topic, limit=1)[0]
    record_judgement(member, uuid.UUID(card.task), JudgementInput("judged", 1), uuid.uuid4(), actor=member.user)


def test_assignments_that_nobody_has_begun_are_deleted(collection, assigned):
    judge_one(assigned[0])
    assert unassign(collection) == 13
    assert Assignment.objects.get().state == "judged"
    assert Judgement.objects.count() == 1
    assert unassign(collection) == 0


def test_hidden_repeat_of_a_judgement_stays(collection, join):
    ada = join(collection, "ada")
    assign(collection, judges=1, repeats=1.0)
    judge_one(ada)
    unassign(collection)
    assert sorted(Assignment.objects.values_list("repeat", flat=True)) == [0, 1]


def test_pilot_stays(collection, join):
    for name in ("ada", "bob"):
        join(collection, name)
    create_pilot(collection, 2)
    assert not not_begun(collection).exists()
    assign(collection, judges=1)
    assert unassign(collection) == 5
    assert Assignment.objects.count() == 4


def test_same_assignments_come_back(collection, assigned):
    def pairs():
        return set(Assignment.objects.values_list("task", "member", "position"))

    before = pairs()
    assert unassign(collection) == 14
    assign(collection, judges=2)
    assert pairs() == before


def test_interrupted_deletion_is_completed_by_the_next_one(collection, assigned, monkeypatch):
    monkeypatch.setattr(unassigning, "SHORT_BATCH", 4)
    batches = iter([None, None, KeyboardInterrupt])

    def pause():
        if stop := next(batches, None):
            raise stop

    monkeypatch.setattr(unassigning, "let_others_write", pause)
    with pytest.raises(KeyboardInterrupt):
        unassign(collection)
    assert Assignment.objects.count() == 2
    assert unassign(collection) == 2


def test_command(collection, assigned):
    assert output_of("unassign", "--collection", "small") == ["Deleted 14 assignments that nobody had begun."]


def test_claims_and_archived_collections_are_refused(collection, assigned):
    archive_collection(collection)
    with pytest.raises(Refused, match="is archived"):
        unassign(collection)
    collection.refresh_from_db()
    assert Assignment.objects.count() == 14


def test_open_claims_are_refused(collection, join):
    join(collection, "ada")
    open_to_claims(collection, 1)
    with pytest.raises(Refused, match="is open to claims"):
        unassign(collection)


def test_page_offers_it_only_if_there_is_something_to_undo(collection, assigned, join, signed_in):
    owner = signed_in(join(collection, "olga", Role.OWNER))
    page = reverse("research:assign", args=["small"])
    assert "14 assignments have not been begun." in owner.get(page).content.decode()
    assert owner.post(reverse("research:unassign", args=["small"])).url == page
    shown = owner.get(page).content.decode()
    assert "Deleted 14 assignments that nobody had begun." in shown
    assert "Undo assigning" not in shown


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif("connection.vendor == 'sqlite'", reason="on SQLite, a writing transaction locks the whole database")
def test_judgement_that_is_being_recorded_stays(collection, assigned):
    ada, _ = assigned
    judging, judged = threading.Event(), threading.Event()

    def judge_slowly():
        with transaction.atomic():
            judge_one(ada)
            judging.set()
            judged.wait(timeout=2)
        connection.close()

    thread = threading.Thread(target=judge_slowly)
    thread.start()
    judging.wait(timeout=10)
    threading.Timer(0.3, judged.set).start()
    unassign(collection)
    thread.join()
    assert Judgement.objects.count() == 1
    assert Assignment.objects.get().state == "judged"
