"""A removed person loses access at once; their judgements stay, and their open work is returned."""

import threading
import uuid

import pytest
from django.db import connection
from django.urls import reverse

from assess.errors import Refused
from assess.judging.judgement_input import JudgementInput
from assess.judging.ledger import ledger_problems
from assess.judging.record import record_judgement
from assess.models import Assignment, AuditEvent, Judgement, JudgementEvent, Member, Role, Task, TopicFeedback, User
from assess.people.accounts import deactivate_account
from assess.people.removal import remove_member
from assess.pools.assign import assign
from assess.pools.claims import claim
from assess.transfer.judgements import import_judgements
from tests.assess.claiming import check, fresh, judge, judge_all, open_pool, topic_of, upcoming
from tests.assess.exercise_factories import join_all, make_instructor, pasted_exercise

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture
def assigned(collection, add_assessors):
    """Ada and Bob have two topics; Ada has judged one document, postponed one and undone one."""
    ada, bob = add_assessors(collection, "ada", "bob")
    assign(collection, judges=2)
    first, second, third, *_ = upcoming(ada)
    judge(ada, first)
    judge(ada, second, "later")
    judge(ada, third)
    judge(ada, third, "undone")
    return ada, bob, first


def test_judgements_stay_under_the_pseudonym_and_open_work_is_returned(collection, assigned):
    ada, bob, first = assigned
    olga = add_owner(collection)
    total, of_bob = ada.assignments.count(), bob.assignments.count()
    events = list(JudgementEvent.objects.order_by("pk").values())
    user, name = ada.user, ada.name
    removal = remove_member(collection, name, olga)
    assert (removal.returned, removal.judgements) == (total - 1, 3)
    kept = Member.objects.get(pk=ada.pk)
    assert (kept.name, kept.user, kept.role, kept.is_person) == (name, None, Role.ASSESSOR, True)
    assert [str(each.public_id) for each in kept.assignments.all()] == [first]
    assert list(JudgementEvent.objects.order_by("pk").values()) == events
    assert bob.assignments.count() == of_bob
    assert list(ledger_problems()) == []
    event = AuditEvent.objects.order_by("pk").last()
    assert (event.action, event.actor, event.person, event.collection_slug) == (
        "member_removed",
        olga,
        user,
        collection.slug,
    )
    assert event.details == {"role": "assessor", "returned": total - 1, "judgements": 3}
    assert name not in str(event.details)


def add_owner(collection, name: str = "olga") -> User:
    user = User.objects.create_user(name)
    Member.objects.create(collection=collection, user=user, role=Role.OWNER, name=f"owner {name}")
    return user


def test_returned_tasks_can_be_assigned_again(collection, assigned, join):
    ada, _, _ = assigned
    remove_member(collection, ada.name)
    cyd = join(collection, "cyd")
    assign(collection, judges=2)
    assert cyd.assignments.count() == Task.objects.count()


def test_removed_person_gets_404_at_once_and_keeps_the_account(collection, assigned, signed_in):
    ada, _, first = assigned
    http, user = signed_in(ada), ada.user
    page = reverse("judge:topics", args=[collection.slug])
    assert http.get(page).status_code == 200
    remove_member(collection, ada.name)
    assert http.get(page).status_code == 404
    record = reverse("judge:record", args=[collection.slug, first])
    answer = http.post(record, {"client_id": uuid.uuid4(), "relevance": 1, "member": ada.pk})
    assert answer.status_code == 404
    assert http.get("/").status_code == 200
    assert User.objects.get(pk=user.pk).is_active


def test_claims_are_available_to_others_again(db, add_assessors):
    collection = open_pool(1)
    ada, bob = add_assessors(collection, "ada", "bob")
    tasks = upcoming(ada, limit=12)
    judge(ada, tasks[0])
    removal = remove_member(collection, ada.name)
    assert removal.returned == 11
    assert Task.objects.filter(taken=1).count() == 1
    check(collection, 1)
    assert len(judge_all(bob)) == 19
    assert list(ledger_problems()) == []


def test_hidden_repeats_are_returned_too(collection, join):
    ada = join(collection, "ada")
    assign(collection, repeats=1)
    judge(ada, upcoming(ada)[0])
    remove_member(collection, ada.name)
    assert list(ada.assignments.values_list("repeat", "state")) == [(0, "judged")]


@pytest.mark.parametrize("role", [Role.RESEARCHER, Role.INSTRUCTOR, Role.ASSESSOR])
def test_member_without_judgements_is_deleted(collection, join, role):
    member = join(collection, "ada", role)
    assign(collection) if role == Role.ASSESSOR else None
    remove_member(collection, member.name)
    assert not Member.objects.filter(pk=member.pk).exists()
    assert not Assignment.objects.exists()
    assert User.objects.filter(username="ada").exists()
    again = join(collection, "ada", role)
    assert again.removed_at is None


def test_feedback_on_a_topic_is_kept(collection, join):
    ada = join(collection, "ada")
    TopicFeedback.objects.create(member=ada, topic=collection.topics.first(), difficulty=3)
    remove_member(collection, ada.name)
    assert TopicFeedback.objects.get().member.removed_at is not None


def test_removed_person_can_be_added_again_under_another_pseudonym(collection, assigned, join):
    ada, _, _ = assigned
    remove_member(collection, ada.name)
    again = join(collection, "ada")
    assert again.name != ada.name


def test_last_owner_cannot_be_removed(collection, join):
    olga, otto = join(collection, "olga", Role.OWNER), join(collection, "otto", Role.OWNER)
    remove_member(collection, otto.name)
    with pytest.raises(Refused, match=rf"{olga.name} is the last owner of small who can sign in\."):
        remove_member(collection, olga.name)
    assert list(collection.members.filter(role=Role.OWNER)) == [olga]


def test_owner_who_cannot_sign_in_does_not_count(collection, join):
    olga, otto = join(collection, "olga", Role.OWNER), join(collection, "otto", Role.OWNER)
    deactivate_account(otto.user)
    with pytest.raises(Refused, match="last owner"):
        remove_member(collection, olga.name)
    remove_member(collection, otto.name)


def test_unknown_imported_and_removed_members_are_refused(collection, assigned):
    ada, bob, _ = assigned
    import_judgements(collection, b"assessor,query_id,doc_id,relevance\nmodel,1,a,1\n")
    remove_member(collection, ada.name)
    for name, words in (
        ("nobody", rf"small has no member 'nobody'\. Its people are {bob.name}\."),
        ("model", "model is an imported judge, so nobody can sign in as model"),
        (ada.name, f"{ada.name} was removed already"),
    ):
        with pytest.raises(Refused, match=words):
            remove_member(collection, name)


def test_student_is_not_removed_but_erased():
    exercise = pasted_exercise(make_instructor())
    (seat,) = join_all(exercise, "Ann")
    with pytest.raises(Refused, match="is a class exercise"):
        remove_member(exercise.collection, seat.member.name)


def test_file_of_a_judge_with_the_name_of_a_removed_person_is_refused(collection, assigned):
    ada, _, _ = assigned
    remove_member(collection, ada.name)
    with pytest.raises(Refused, match=f"{ada.name} is a person in small"):
        import_judgements(collection, f"assessor,query_id,doc_id,relevance\n{ada.name},1,a,1\n".encode())


# ---- requests that are under way


def test_judgement_after_the_removal_is_refused_also_for_a_judged_document(collection, assigned):
    """The request read the member before the removal. Its assignment still exists."""
    ada, _, first = assigned
    as_read = fresh(ada)
    remove_member(collection, ada.name)
    before = list(JudgementEvent.objects.order_by("pk").values())
    for task in (first, str(uuid.uuid4())):
        with pytest.raises(Assignment.DoesNotExist):
            record_judgement(as_read, uuid.UUID(task), JudgementInput("judged", 0), uuid.uuid4())
    assert list(JudgementEvent.objects.order_by("pk").values()) == before


def test_claim_after_the_removal_claims_nothing(db, add_assessors):
    collection = open_pool(1)
    ada, bob = add_assessors(collection, "ada", "bob")
    judge(bob, upcoming(bob)[0])
    for member in (ada, bob):  # ada's row is deleted, bob's stays
        as_read = fresh(member)
        remove_member(collection, member.name)
        assert claim(as_read, topic_of(bob), 5) == 0
    assert Task.objects.filter(taken=1).count() == 1


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_members_are_removed_while_they_judge_and_claim():
    """Each judgement is either recorded before, or refused. Slots and ledger match afterwards."""
    collection = open_pool(2, sizes=(40,))
    members = [
        Member.objects.create(
            collection=collection, user=User.objects.create_user(name), role=Role.ASSESSOR, name=f"judge {name}"
        )
        for name in "abcdef"
    ]
    acknowledged, unexpected, started = [], [], threading.Barrier(len(members) + 1)

    def work(member: Member) -> None:
        as_read = fresh(member)
        try:
            started.wait()
            while tasks := upcoming_as(as_read):
                for task in tasks:
                    event = record_judgement(as_read, uuid.UUID(task), JudgementInput("judged", 1), uuid.uuid4())
                    acknowledged.append(event.pk)
        except (Assignment.DoesNotExist, Refused):
            pass
        except BaseException as error:
            unexpected.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=work, args=(member,)) for member in members]
    for thread in threads:
        thread.start()
    started.wait()
    for member in members:
        remove_member(collection, member.name)
    for thread in threads:
        thread.join()
    assert unexpected == []
    assert sorted(acknowledged) == sorted(JudgementEvent.objects.values_list("pk", flat=True))
    assert not Member.objects.filter(user__isnull=False).exists()
    assert not Assignment.objects.exclude(state="judged").exists()
    assert Judgement.objects.count() == Assignment.objects.count() == sum(Task.objects.values_list("taken", flat=True))
    assert list(ledger_problems()) == []


def upcoming_as(member: Member) -> list[str]:
    """Return the next tasks as a request sees them that has read the member before."""
    from assess.judging import worklist

    return [card.task for card in worklist.upcoming(member, topic_of(member), limit=3)]
