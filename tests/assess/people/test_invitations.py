"""Invitations: who may make them, who may use them, and how often."""

import threading
from datetime import timedelta

import pytest
from django.contrib.auth.hashers import make_password
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from assess.collections.archive import archive_collection
from assess.collections.members import AlreadyMember
from assess.errors import Refused
from assess.models import ROLES_OF_PEOPLE, AuditEvent, Collection, Invitation, Member, Role, User
from assess.people.accounts import deactivate_account
from assess.people.invitations import (
    accept,
    accept_with_new_account,
    create,
    is_valid,
    open_invitation,
    revoke,
)
from assess.people.removal import remove_member
from pooling.words import with_article
from tests.assess.exercise_factories import join_all, make_instructor, pasted_exercise

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture
def owner(collection, join):
    return join(collection, "olga", Role.OWNER)


@pytest.fixture
def ada(db):
    return User.objects.create_user("ada", password="right and long")


def new_user(name: str) -> User:
    return User.objects.create_user(name, password="right and long")


def unsaved(name: str) -> User:
    return User(username=name, password=make_password("right and long"))


def state() -> dict:
    invitation = Invitation.objects.get()
    return {"uses": invitation.uses, "members": Member.objects.count()}


# ---- making


def test_token_has_128_bits_and_is_stored_hashed(collection, owner):
    token = create(collection, owner, Role.ASSESSOR)
    assert len(token) == 22  # 16 bytes in base64 without padding
    invitation = Invitation.objects.get()
    assert len(invitation.token_hash) == 64
    assert token not in invitation.token_hash
    assert (invitation.max_uses, invitation.uses, invitation.created_by) == (1, 0, owner.user)
    assert timedelta(days=13, hours=23) < invitation.expires_at - timezone.now() <= timedelta(days=14)


def test_archived_collection_invites_nobody(collection, owner):
    archive_collection(collection)
    with pytest.raises(Refused, match="small is archived and cannot be changed"):
        create(collection, owner, Role.ASSESSOR)
    assert not Invitation.objects.exists()


def test_creation_is_recorded_without_the_note(collection, owner):
    create(collection, owner, Role.RESEARCHER, uses=3, days=5, note="for Rita")
    event = AuditEvent.objects.order_by("pk").last()
    assert (event.action, event.actor, event.collection) == ("invitation_created", owner.user, collection)
    assert event.details == {"role": "researcher", "uses": 3, "days": 5}


@pytest.mark.parametrize(
    ("creator", "roles"),
    [
        (Role.OWNER, set(ROLES_OF_PEOPLE)),
        (Role.RESEARCHER, {Role.ASSESSOR}),
        (Role.INSTRUCTOR, set()),
        (Role.ASSESSOR, set()),
    ],
)
def test_role_decides_whom_a_member_may_invite(collection, join, creator, roles):
    member = join(collection, "maker", creator)
    for role in ROLES_OF_PEOPLE:
        if role in roles:
            assert open_invitation(create(collection, member, role)).role == role
        else:
            with pytest.raises(Refused, match=f"You cannot invite people as '{role}': your role allows"):
                create(collection, member, role)
    assert Invitation.objects.count() == len(roles)


def test_command_may_invite_with_every_role(collection):
    assert all(is_valid(create(collection, None, role)) for role in ROLES_OF_PEOPLE)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"uses": 0}, "An invitation can be used 1 to 500 times, not 0."),
        ({"uses": 501}, "An invitation can be used 1 to 500 times, not 501."),
        ({"days": 0}, "An invitation can be valid for 1 to 90 days, not 0."),
        ({"days": 91}, "An invitation can be valid for 1 to 90 days, not 91."),
        ({"note": "x" * 255}, "is not a valid note for a invitation"),
        ({"pseudonym": " a"}, "is not a valid member name"),
        ({"pseudonym": "owner-1"}, "already has a member named 'owner-1'"),
        ({"pseudonym": "a", "uses": 2}, "Only an invitation for one person can have a pseudonym."),
    ],
)
def test_invalid_invitation_is_refused(collection, owner, options, sentence):
    with pytest.raises(Refused, match=sentence):
        create(collection, owner, Role.ASSESSOR, **options)
    assert not Invitation.objects.exists()


def test_nobody_is_invited_to_a_class_exercise():
    exercise = pasted_exercise(make_instructor())
    with pytest.raises(Refused, match="is a class exercise"):
        create(exercise.collection, None, Role.ASSESSOR)


@pytest.mark.parametrize("wrong", [{"uses": 2}, {"role": "boss"}, {"pseudonym": "a", "max_uses": 2}])
def test_database_refuses_an_impossible_invitation(collection, wrong):
    valid = {"collection": collection, "role": Role.ASSESSOR, "token_hash": "x", "expires_at": timezone.now()}
    with pytest.raises(IntegrityError), transaction.atomic():
        Invitation.objects.create(**(valid | wrong))


# ---- using


def test_accepting_gives_the_role_and_uses_the_invitation(collection, owner, ada):
    token = create(collection, owner, Role.RESEARCHER, pseudonym="Rita")
    member = accept(token, ada)
    assert (member.collection, member.user, member.role, member.name) == (collection, ada, Role.RESEARCHER, "Rita")
    event = AuditEvent.objects.order_by("pk").last()
    assert (event.action, event.actor, event.person, event.details) == (
        "member_added",
        ada,
        ada,
        {"role": "researcher"},
    )
    assert not is_valid(token)
    with pytest.raises(Refused, match=r"^This invitation has already been used\. Ask the person who invited you"):
        accept(token, new_user("bob"))
    assert state() == {"uses": 1, "members": 2}


def test_invitation_for_several_people_is_valid_until_all_used_it(collection, owner):
    token = create(collection, owner, Role.ASSESSOR, uses=2)
    assert [accept(token, new_user(name)).name for name in ("ada", "bob")] == ["assessor-1", "assessor-2"]
    with pytest.raises(Refused, match="already been used"):
        accept(token, new_user("eve"))


@pytest.mark.parametrize("role", ROLES_OF_PEOPLE)
def test_member_keeps_the_role_and_does_not_use_the_invitation(collection, owner, join, role):
    member = join(collection, "ada", role)
    token = create(collection, owner, Role.OWNER)
    before = state()
    for use in (accept, open_invitation):
        with pytest.raises(AlreadyMember, match=f"You are already a member of Small as {with_article(role)}\\."):
            use(token, member.user)
    member.refresh_from_db()
    assert member.role == role
    assert state() == before
    assert is_valid(token)


def test_second_acceptance_says_that_they_are_a_member(collection, owner, ada):
    token = create(collection, owner, Role.ASSESSOR)
    accept(token, ada)
    with pytest.raises(AlreadyMember):
        accept(token, ada)


def test_expired_invitation_is_refused(collection, owner, ada):
    token = create(collection, owner, Role.ASSESSOR)
    Invitation.objects.update(expires_at=timezone.now())
    with pytest.raises(Refused, match="This invitation has expired"):
        accept(token, ada)
    assert state() == {"uses": 0, "members": 1}


def test_revoked_invitation_is_refused_and_members_stay(collection, owner, ada):
    token = create(collection, owner, Role.ASSESSOR, uses=5)
    member = accept(token, ada)
    revoke(owner, Invitation.objects.get().pk)
    with pytest.raises(Refused, match="This invitation was revoked"):
        accept(token, new_user("bob"))
    assert Member.objects.filter(pk=member.pk, user=ada).exists()
    event = AuditEvent.objects.order_by("pk").last()
    assert (event.action, event.actor, event.details) == (
        "invitation_revoked",
        owner.user,
        {"role": "assessor", "uses": 1},
    )
    with pytest.raises(Refused, match="already revoked"):
        revoke(owner, Invitation.objects.get().pk)


def test_researcher_revokes_invitations_of_assessors_only(collection, owner, join):
    researcher = join(collection, "rita", Role.RESEARCHER)
    create(collection, owner, Role.OWNER)
    of_owner = Invitation.objects.get()
    with pytest.raises(Refused, match="has no invitation"):
        revoke(researcher, of_owner.pk)
    create(collection, owner, Role.ASSESSOR)
    assert revoke(researcher, Invitation.objects.exclude(pk=of_owner.pk).get().pk).revoked_at


def test_invitation_of_another_collection_cannot_be_revoked(collection, owner):
    other = Collection.objects.create(slug="other", name="Other")
    create(other, None, Role.ASSESSOR)
    with pytest.raises(Refused, match="has no invitation"):
        revoke(owner, Invitation.objects.get().pk)


def deactivate(maker: Member) -> None:
    deactivate_account(maker.user)


def remove(maker: Member) -> None:
    remove_member(maker.collection, maker.name)


def demote(maker: Member) -> None:
    Member.objects.filter(pk=maker.pk).update(role=Role.RESEARCHER)


@pytest.mark.parametrize("change", [deactivate, remove, demote])
def test_invitation_ends_when_its_maker_may_no_longer_invite(collection, owner, join, ada, change):
    maker = join(collection, "second", Role.OWNER)
    token = create(collection, maker, Role.OWNER)
    change(maker)
    with pytest.raises(Refused, match="the person who made it may no longer invite people"):
        accept(token, ada)
    assert not ada.memberships.exists()


def test_invitation_of_an_erased_maker_is_deleted(collection, owner, ada):
    token = create(collection, owner, Role.OWNER)
    Member.objects.filter(pk=owner.pk).delete()
    owner.user.delete()
    with pytest.raises(Refused, match="not valid"):
        accept(token, ada)


@pytest.mark.parametrize("token", ["", "x", "ä" * 22, "\udcff", "9" * 5000])
def test_unknown_token_is_refused(collection, owner, ada, token):
    create(collection, owner, Role.ASSESSOR)
    assert not is_valid(token)
    with pytest.raises(
        Refused, match=r"^This invitation is not valid\. Ask the person who invited you for another one\.$"
    ):
        accept(token, ada)


def test_deactivated_account_and_seat_cannot_accept(collection, owner, ada):
    token = create(collection, owner, Role.ASSESSOR)
    deactivate_account(ada)
    (seat,) = join_all(pasted_exercise(make_instructor()), "Annabella")
    for user in (ada, seat.member.user):
        with pytest.raises(Refused, match="This account cannot accept invitations"):
            accept(token, user)
    assert is_valid(token)


def test_pseudonym_that_was_taken_meanwhile_is_replaced(collection, owner, ada):
    token = create(collection, owner, Role.ASSESSOR, pseudonym="Zoe")
    Member.objects.create(collection=collection, role=Role.ASSESSOR, name="Zoe")
    assert accept(token, ada).name == "assessor-1"


def test_new_account_and_membership_are_created_together(collection, owner):
    token = create(collection, owner, Role.ASSESSOR)
    member = accept_with_new_account(token, unsaved("ada"))
    assert member.user.username == "ada"
    with pytest.raises(Refused, match="already been used"):
        accept_with_new_account(token, unsaved("bob"))
    assert not User.objects.filter(username="bob").exists()


def test_failed_membership_creates_no_account(collection, owner, monkeypatch):
    token = create(collection, owner, Role.ASSESSOR)
    monkeypatch.setattr("assess.people.invitations.create_member", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        accept_with_new_account(token, unsaved("ada"))
    assert not User.objects.filter(username="ada").exists()
    assert is_valid(token)


# ---- races


def at_once(*calls) -> list:
    """Run calls in threads that start together. Returns what each returned or raised."""
    results, barrier = [], threading.Barrier(len(calls))

    def run(call):
        barrier.wait()
        try:
            results.append(call())
        except Exception as error:
            results.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(call,)) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


@pytest.mark.django_db(transaction=True)
def test_last_use_goes_to_one_of_those_who_accept_at_once(collection, join):
    token = create(collection, join(collection, "olga", Role.OWNER), Role.ASSESSOR, uses=3)
    users = [new_user(f"user{n}") for n in range(8)]
    results = at_once(*(lambda user=user: accept(token, user) for user in users))
    members = [each for each in results if isinstance(each, Member)]
    assert sorted(member.name for member in members) == ["assessor-1", "assessor-2", "assessor-3"]
    assert {str(each) for each in results if not isinstance(each, Member)} == {
        "This invitation has already been used. Ask the person who invited you for another one."
    }
    assert Invitation.objects.get().uses == 3


@pytest.mark.in_ci
@pytest.mark.django_db(transaction=True)
def test_pseudonyms_differ_when_two_invitations_are_accepted_at_once(collection, join):
    owner = join(collection, "olga", Role.OWNER)
    tokens = [create(collection, owner, Role.ASSESSOR) for _ in range(6)]
    users = [new_user(f"user{n}") for n in range(6)]
    pairs = zip(tokens, users, strict=True)
    results = at_once(*(lambda token=token, user=user: accept(token, user) for token, user in pairs))
    assert sorted(member.name for member in results) == [f"assessor-{n}" for n in range(1, 7)]


@pytest.mark.django_db(transaction=True)
def test_one_person_in_two_browsers_becomes_a_member_once(collection, join):
    owner, ada = join(collection, "olga", Role.OWNER), new_user("ada")
    tokens = [create(collection, owner, role) for role in (Role.ASSESSOR, Role.RESEARCHER)]
    results = at_once(*(lambda token=token: accept(token, ada) for token in tokens))
    assert sorted(type(each).__name__ for each in results) == ["AlreadyMember", "Member"]
    assert sum(Invitation.objects.values_list("uses", flat=True)) == 1
