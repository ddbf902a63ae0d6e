"""An assessor is replaced by another one, who takes over the open work."""

import pytest

from assess.errors import Refused
from assess.judging.ledger import ledger_problems
from assess.models import Assignment, AuditEvent, Member, Role
from assess.people.removal import leave, replace_member
from assess.pools.assign import assign
from tests.assess.claiming import judge, open_pool, upcoming
from tests.assess.command_output import tables

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture
def ada(collection, join):
    """An assessor with all tasks, one of them judged, and an owner."""
    member = join(collection, "ada")
    join(collection, "olga", Role.OWNER)
    assign(collection, judges=1)
    judge(member, upcoming(member)[0])
    return member


def test_successor_takes_over_and_judgements_stay(collection, ada, join):
    bob, total = join(collection, "bob"), ada.assignments.count()
    removal = replace_member(collection, ada.name, bob.name, bob.user)
    assert (removal.moved, removal.returned, removal.judgements) == (total - 1, 0, 1)
    assert bob.assignments.filter(state="").count() == total - 1
    kept = Member.objects.get(pk=ada.pk)
    assert (kept.user, kept.name, kept.judgements.count()) == (None, ada.name, 1)
    event = AuditEvent.objects.order_by("pk").last()
    assert (event.action, event.actor) == ("member_removed", bob.user)
    assert event.details == {"role": "assessor", "returned": 0, "judgements": 1, "moved": total - 1}
    assert list(ledger_problems()) == []


def test_tasks_that_the_successor_has_already_are_returned(collection, join, ada):
    bob = join(collection, "bob")
    assign(collection, judges=2)
    before = bob.assignments.count()
    removal = replace_member(collection, ada.name, bob.name)
    assert (removal.moved, removal.returned) == (0, before - 1)
    assert bob.assignments.count() == before


@pytest.mark.parametrize(
    ("name", "successor", "sentence"),
    [
        ("owner-1", "assessor-1", "owner-1 is owner. Only assessors have open work"),
        ("assessor-1", "owner-1", "owner-1 cannot take over from assessor-1"),
        ("assessor-1", "assessor-1", "assessor-1 cannot take over from assessor-1"),
        ("assessor-1", "x", "small has no member 'x'"),
        ("x", "assessor-1", "small has no member 'x'"),
    ],
)
def test_impossible_replacement_changes_nothing(collection, ada, name, successor, sentence):
    before = tables()
    with pytest.raises(Refused, match=sentence):
        replace_member(collection, name, successor)
    assert tables() == before


@pytest.mark.in_ci
def test_claims_are_not_handed_over(db, add_assessors):
    collection = open_pool(1)
    ada, bob = add_assessors(collection, "ada", "bob")
    upcoming(ada)
    with pytest.raises(Refused, match="is open to claims"):
        replace_member(collection, ada.name, bob.name)
    assert Assignment.objects.filter(member=ada).exists()


def test_member_leaves(collection, ada):
    leave(ada)
    assert Member.objects.get(pk=ada.pk).user is None
    event = AuditEvent.objects.order_by("pk").last()
    assert (event.action, event.actor, event.person) == ("member_removed", ada.user, ada.user)


def test_last_owner_cannot_leave(collection, ada):
    with pytest.raises(Refused, match="owner-1 is the last owner of small"):
        leave(collection.members.get(name="owner-1"))
