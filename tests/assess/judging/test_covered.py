"""What a checkpoint covers next to the chains: what is reported, and which later changes are no difference."""

import uuid
from datetime import timedelta

import pytest
from django.utils import timezone

from assess import audit
from assess.collections.members import add_member
from assess.judging import covered
from assess.judging.chain_format import covered_digest
from assess.judging.checkpoints import checkpoint_problems, create_checkpoint
from assess.judging.feedback import save_feedback
from assess.judging.judgement_input import JudgementInput
from assess.judging.ledger import ledger_problems
from assess.judging.record import record_judgement
from assess.models import Action, AuditEvent, Checkpoint, Member, PoolBuilding, Provenance, TopicFeedback
from assess.people.audit import delete_old_events
from assess.people.erasure import erase
from assess.people.person_erasure import erase_person
from assess.people.removal import remove_member
from assess.people.roles import change_role
from assess.pools.building.build import build_pool
from assess.pools.building.undo import undo_pool
from tests.assess.judging.filled import fill

pytestmark = [pytest.mark.django_db, pytest.mark.slow, pytest.mark.database(slow=True)]


@pytest.fixture
def filled(collection, join, monkeypatch):
    """A filled collection, whose entries of the audit log the next checkpoint covers."""
    monkeypatch.setattr(covered, "SETTLED", timedelta(0))
    fill(collection, join)
    Checkpoint.objects.all().delete()
    return collection


@pytest.fixture
def checkpoint(filled):
    return create_checkpoint(filled, "test")


def problems(collection) -> list[str]:
    """Return the differences from checkpoints, without the name of the checkpoint."""
    return [problem.partition("UTC): ")[2] for problem in checkpoint_problems(collection)]


def exchange_names(first: Member, second: Member) -> None:
    for member, name in ((first, "between"), (second, first.name), (first, second.name)):
        Member.objects.filter(pk=member.pk).update(name=name)


def test_exchanged_pseudonyms_are_named(filled, checkpoint):
    ada, ben, _ = filled.members.order_by("pk")
    exchange_names(ada, ben)
    assert problems(filled) == [
        f"member {ada.pk} had another pseudonym than {ben.name!r}.",
        f"member {ben.pk} had another pseudonym than {ada.name!r}.",
    ]


def test_checkpoint_of_version_1_stays_valid_and_covers_the_chains_only(filled):
    old = create_checkpoint(filled, "test", only_chains=True)
    assert (old.covered, old.salts, covered_digest(old.covered)) == (None, None, "")
    ada, ben, _ = filled.members.order_by("pk")
    exchange_names(ada, ben)
    assert problems(filled) == []


def test_other_changes_are_named(filled, checkpoint):
    ada = filled.members.order_by("pk").first()
    Provenance.objects.filter(task__topic__collection=filled).update(best_rank=9)
    TopicFeedback.objects.filter(member=ada).update(difficulty=5)
    Member.objects.filter(pk=ada.pk).update(role="researcher")
    assert problems(filled) == [
        f"{ada.name!r} (member {ada.pk}) is researcher and was assessor, and the audit log has no entry about it.",
        "the pool buildings, or the systems and ranks of pooled documents, are not those of the checkpoint.",
        f"the answers of {ada.name!r} at the end of topics were changed.",
    ]


def test_what_a_collection_allows_is_no_difference(filled, checkpoint):
    ada, ben, cy = filled.members.order_by("pk")
    topic = filled.topics.order_by("pk").first()
    save_feedback(ada, topic, 4, "Still long.", earlier=True)
    build_pool(filled, depth=4)
    task = ada.assignments.order_by("pk").first()
    record_judgement(ada, task.public_id, JudgementInput("later"), uuid.uuid4(), actor=ada.user)
    remove_member(filled, ben.name)
    change_role(filled, add_member(filled, "dora", "researcher")[0].name, "instructor")
    audit.record(Action.COLLECTION_CHANGED, collection=filled)
    assert list(ledger_problems()) == []
    create_checkpoint(filled, "test")
    assert list(ledger_problems()) == []
    assert cy.name


def test_undone_building_is_explained_by_the_audit_log(filled, join):
    build_pool(filled, depth=4)
    checkpoint = create_checkpoint(filled, "test")
    undo_pool(filled)
    assert problems(filled) == []
    build_pool(filled, depth=4)
    assert problems(filled) == []
    last = create_checkpoint(filled, "test")
    assert checkpoint.covered["building"] != last.covered["building"]
    PoolBuilding.objects.get(pk=last.covered["building"]).delete()
    assert problems(filled) == [
        f"pool building {last.covered['building']} is missing, and the audit log has no entry about it."
    ]


def test_erased_members_leave_no_salt(filled, checkpoint):
    ada, ben, cy = filled.members.order_by("pk")
    assert checkpoint.salts.keys() == {str(ada.pk), str(ben.pk), str(cy.pk)}
    erase([ada], "requested by the person")
    erase_person(ben.user, {})
    assert problems(filled) == []
    checkpoint.refresh_from_db()
    assert checkpoint.salts.keys() == {str(cy.pk)}


def test_missing_salt_of_a_member_is_reported(filled, checkpoint):
    Checkpoint.objects.update(salts={})
    assert len(problems(filled)) == 3
    assert all("the salt of the pseudonym of" in problem for problem in problems(filled))


@pytest.mark.parametrize("salt", ["not hexadecimal", [], 7])
def test_salt_that_is_none_is_reported(filled, checkpoint, salt):
    ada = filled.members.order_by("pk").first()
    Checkpoint.objects.update(salts=checkpoint.salts | {str(ada.pk): salt})
    assert problems(filled) == [f"member {ada.pk} had another pseudonym than {ada.name!r}."]


def test_old_entries_that_were_deleted_are_no_difference(filled, settings):
    old = timezone.now() - timedelta(days=500)
    AuditEvent.objects.create(at=old, action=Action.EXPORTED, collection=filled, collection_slug=filled.slug)
    create_checkpoint(filled, "test")
    assert delete_old_events()
    assert problems(filled) == []


def test_entries_of_the_last_minutes_are_left_out(filled, monkeypatch):
    monkeypatch.undo()
    assert create_checkpoint(filled, "test").covered["audit"] == {"last": 0, "months": []}


def test_number_of_queries_does_not_grow_with_checkpoints_of_the_same_pool(filled, django_assert_max_num_queries):
    for _ in range(5):
        create_checkpoint(filled, "test")
    with django_assert_max_num_queries(90):
        assert problems(filled) == []
