"""Roles change only as long as nobody judges who could see the systems, and an owner stays."""

import threading

import pytest
from django.db import connection

from assess.errors import Refused
from assess.models import Assignment, AuditEvent, Member, Role, TopicFeedback
from assess.people.accounts import deactivate_account
from assess.people.roles import change_role
from assess.pools.assign import assign
from assess.pools.claims import claim
from pooling.words import with_article
from tests.assess.claiming import judge, open_pool, topic_of, upcoming
from tests.assess.exercise_factories import join_all, make_instructor, pasted_exercise

pytestmark = [pytest.mark.django_db, pytest.mark.database]
READING_ROLES = [Role.OWNER, Role.RESEARCHER, Role.INSTRUCTOR]


@pytest.fixture
def olga(collection, join):
    return join(collection, "olga", Role.OWNER)


def role_of(member: Member) -> str:
    return Member.objects.get(pk=member.pk).role


@pytest.mark.parametrize("old", READING_ROLES)
@pytest.mark.parametrize("new", READING_ROLES)
def test_roles_that_see_the_runs_are_exchangeable(collection, olga, join, old, new):
    member = join(collection, "rita", old)
    if old == new:
        with pytest.raises(Refused, match=f"{member} is {new} already"):
            change_role(collection, member.name, new)
        return
    change_role(collection, member.name, new, olga.user)
    assert (role_of(member), member.name) == (new, f"{old}-{2 if old == Role.OWNER else 1}")
    event = AuditEvent.objects.order_by("pk").last()
    assert (event.action, event.actor, event.person) == ("role_changed", olga.user, member.user)
    assert event.details == {"from": old, "to": new}


def test_assessor_without_work_gets_any_role(collection, olga, join):
    ada = join(collection, "ada")
    change_role(collection, ada.name, Role.RESEARCHER)
    assert role_of(ada) == Role.RESEARCHER


def give_tasks(ada):
    assign(ada.collection, judges=1)


def give_judgement(ada):
    give_tasks(ada)
    judge(ada, upcoming(ada)[0])
    Assignment.objects.filter(member=ada, state="").delete()


def give_feedback(ada):
    TopicFeedback.objects.create(member=ada, topic=ada.collection.topics.first(), difficulty=3)


@pytest.mark.parametrize("work", [give_tasks, give_judgement, give_feedback])
def test_assessor_with_work_keeps_the_role(collection, olga, join, work):
    ada = join(collection, "ada")
    work(ada)
    with pytest.raises(Refused, match=f"^{ada} has judgements or assigned tasks, and nobody both judges"):
        change_role(collection, ada.name, Role.RESEARCHER)
    assert role_of(ada) == Role.ASSESSOR


@pytest.mark.parametrize("role", READING_ROLES)
def test_whoever_could_see_the_runs_does_not_become_an_assessor(collection, olga, join, role):
    member = join(collection, "rita", role)
    told = f"could see the runs of small as {with_article(role)}, and assessors must not know them"
    with pytest.raises(Refused, match=told):
        change_role(collection, member.name, Role.ASSESSOR)
    collection.runs.all().delete()
    change_role(collection, member.name, Role.ASSESSOR)
    assert role_of(member) == Role.ASSESSOR


def test_last_owner_who_can_sign_in_stays_owner(collection, olga, join):
    otto = join(collection, "otto", Role.OWNER)
    deactivate_account(otto.user)
    with pytest.raises(Refused, match=f"{olga.name} is the last owner of small who can sign in"):
        change_role(collection, olga.name, Role.RESEARCHER)
    assert role_of(olga) == Role.OWNER


def test_unknown_roles_and_members_are_refused(collection, olga):
    with pytest.raises(Refused, match=r"There is no role 'boss'\. The roles are owner, researcher"):
        change_role(collection, olga.name, "boss")
    with pytest.raises(Refused, match="small has no member 'x'"):
        change_role(collection, "x", Role.OWNER)


def test_roles_of_an_exercise_do_not_change():
    exercise = pasted_exercise(make_instructor())
    (seat,) = join_all(exercise, "Ann")
    with pytest.raises(Refused, match="is a class exercise"):
        change_role(exercise.collection, seat.member.name, Role.OWNER)


def test_claim_of_a_request_that_began_before_claims_nothing(db, add_assessors, join):
    collection = open_pool(1)
    (ada,) = add_assessors(collection, "ada")
    change_role(collection, ada.name, Role.RESEARCHER)
    assert ada.role == Role.ASSESSOR  # as the request read it
    assert claim(ada, topic_of(ada), limit=3) == 0
    assert not Assignment.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_two_owners_who_step_down_at_once_leave_one(collection, join):
    owners = [join(collection, name, Role.OWNER) for name in ("olga", "otto")]
    barrier, refused = threading.Barrier(2), []

    def step_down(owner):
        barrier.wait()
        try:
            change_role(collection, owner.name, Role.RESEARCHER)
        except Refused as refusal:
            refused.append(str(refusal))
        finally:
            connection.close()

    threads = [threading.Thread(target=step_down, args=(owner,)) for owner in owners]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(map(role_of, owners)) == [Role.OWNER, Role.RESEARCHER]
    assert len(refused) == 1
