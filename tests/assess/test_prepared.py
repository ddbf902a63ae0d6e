"""The prepared statements return what querysets return, whatever the values are."""

import uuid
from datetime import timedelta

import pytest
from django.db import transaction
from django.db.transaction import TransactionManagementError
from django.utils import timezone

from assess import prepared
from assess.models import Assignment, Document, Exercise, Judgement, JudgementEvent, Member, Session, Task, User
from tests.assess.claiming import fresh, judge, open_pool, upcoming
from tests.factories import set_content

pytestmark = pytest.mark.database

HOSTILE = ["x'; DROP TABLE assess_member; --%s\\", "", "%", "ada' OR '1'='1", "\N{SNOWMAN}"]


@pytest.fixture
def ada(join):
    return join(open_pool(2), "ada")


def columns(instance) -> dict:
    return {field.attname: getattr(instance, field.attname) for field in instance._meta.concrete_fields}


def today():
    return timezone.localdate()


def test_user(ada):
    user = prepared.user(ada.user_id)
    assert columns(user) == columns(User.objects.get(pk=ada.user_id))
    assert user._state.adding is False
    assert prepared.user(0) is None


def test_session(db):
    Session.objects.create(session_key="key", session_data="data", expire_date=timezone.now())
    assert columns(prepared.session("key")) == columns(Session.objects.get())
    assert prepared.session("another") is None


@pytest.mark.parametrize("value", HOSTILE)
def test_text_is_never_read_as_sql(ada, value):
    assert prepared.session(value) is None
    assert prepared.member(ada.user_id, value, today()) is None
    assert Member.objects.filter(pk=ada.pk).exists()


def test_member_has_its_collection(ada):
    member, is_expired = prepared.member(ada.user_id, "open", today())
    assert columns(member) == columns(ada)
    assert columns(member.collection) == columns(fresh(ada).collection)
    assert (member._state.adding, member._state.db) == (False, "default")
    assert is_expired is False


@pytest.mark.slow
def test_outsider_is_no_member(ada, join):
    bob = join(open_pool(2, slug="another"), "bob")
    assert prepared.member(bob.user_id, "open", today()) is None


@pytest.mark.parametrize(("days", "expected"), [(-1, True), (0, True), (1, False)])
def test_member_of_an_exercise_past_its_last_day_is_expired(ada, days, expected):
    Exercise.objects.create(
        collection=ada.collection, instructor=ada.user, title="x", erase_on=today() + timedelta(days=days)
    )
    assert prepared.member(ada.user_id, "open", today())[1] is expected


def test_assignment_has_its_task(ada):
    public_id = uuid.UUID(upcoming(ada)[0])
    with transaction.atomic():
        assignment = prepared.locked_assignment(ada, public_id)
    expected = Assignment.objects.get(public_id=public_id)
    assert columns(assignment) == columns(expected)
    assert columns(assignment.task) == columns(Task.objects.get(pk=expected.task_id))


def test_assignment_of_somebody_else_is_not_returned(ada, join):
    bob = join(ada.collection, "bob")
    public_id = uuid.UUID(upcoming(ada)[0])
    with transaction.atomic():
        assert prepared.locked_assignment(bob, public_id) is None
        assert prepared.locked_assignment(ada, uuid.uuid4()) is None


@pytest.mark.django_db(transaction=True)
def test_assignment_is_locked_only_inside_a_transaction(join):
    ada = join(open_pool(2), "ada")
    with pytest.raises(TransactionManagementError):
        prepared.locked_assignment(ada, uuid.uuid4())


def test_judgement(ada):
    task = upcoming(ada)[0]
    assignment = Assignment.objects.get(public_id=task)
    assert prepared.judgement_and_head(assignment) == (None, (0, None))
    judge(ada, task)
    judgement, head = prepared.judgement_and_head(assignment)
    assert columns(judgement) == columns(Judgement.objects.get())
    assert head == JudgementEvent.objects.values_list("position", "hash").get()


def test_assignment_has_the_beginning_of_the_text_that_tells_an_empty_one(ada):
    set_content(Document.objects.all(), text="x" * 2 * prepared.BEGINNING)
    public_id = uuid.UUID(upcoming(ada)[0])
    with transaction.atomic():
        assert len(prepared.locked_assignment(ada, public_id).beginning) == prepared.BEGINNING
