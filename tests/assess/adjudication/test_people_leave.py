"""Adjudicators leave or are erased: what they did not decide, others can decide."""

import pytest

from assess.adjudication.adjudicate import create_adjudication
from assess.adjudication.choose import by_distance
from assess.judging.ledger import ledger_problems
from assess.models import AdjudicatedTask, Judgement, JudgementKind, Member, Role, User
from assess.people import erasure
from assess.people.person_erasure import Grades, erase_person
from assess.people.removal import remove_member, replace_member
from tests.assess.adjudication.conftest import decide, task_of

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture
def adjudication(disputed, people):
    """Three documents, all to be decided by cleo, who decided one."""
    adjudication = create_adjudication(disputed, by_distance(disputed, 1), ["cleo"], "distance 1")
    decide(people["cleo"], task_of(disputed, "1", "b"), 1)
    return adjudication


def remove(collection, user: User) -> None:
    remove_member(collection, "cleo")


def replace(collection, user: User) -> None:
    replace_member(collection, "cleo", "dan")


def erase_with_grades(collection, user: User) -> None:
    erase_person(user, Grades.DELETE)


def erase_name(collection, user: User) -> None:
    erase_person(user, Grades.KEEP)


def erase_member(collection, user: User) -> None:
    erasure.erase([collection.members.get(user=user)], "left the study")


@pytest.mark.in_ci
@pytest.mark.parametrize(
    ("leave", "kept"),
    [(remove, 1), (replace, 1), (erase_name, 1), (erase_with_grades, 0), (erase_member, 0)],
)
def test_others_can_decide_what_an_adjudicator_left(disputed, people, adjudication, leave, kept):
    leave(disputed, people["cleo"].user)
    assert Judgement.objects.filter(repeat=JudgementKind.DECISION).count() == kept
    assert AdjudicatedTask.objects.count() == kept
    left = by_distance(disputed, 1)
    again = create_adjudication(disputed, left, ["dan"], "distance 1")
    assert len(left) == 3 - kept
    decide(people["dan"], again.tasks.first().task, 0)
    assert list(ledger_problems()) == []


def test_adjudicators_who_decided_nothing_leave(disputed):
    user = User.objects.create_user("eve")
    Member.objects.create(collection=disputed, user=user, role=Role.ASSESSOR, name="eve")
    create_adjudication(disputed, by_distance(disputed, 1), ["eve"], "distance 1")
    remove_member(disputed, "eve")
    assert not disputed.members.filter(name="eve").exists()
    assert len(by_distance(disputed, 1)) == 3
