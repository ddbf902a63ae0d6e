"""Accounts can be deactivated and reactivated, and all sessions of a user ended with one query."""

import pytest
from django.test import Client

from assess.errors import Refused
from assess.models import AuditEvent, Session, User
from assess.people.accounts import deactivate_account, end_sessions, find_user, reactivate_account
from assess.pools.assign import assign

PASSWORD = "right and long"
FIELDS = {"username": "ada", "password": PASSWORD}
pytestmark = pytest.mark.django_db


@pytest.fixture
def ada(db):
    return User.objects.create_user("ada", password=PASSWORD)


def browser(fields=FIELDS) -> Client:
    client = Client()
    client.post("/account/sign-in/", fields)
    return client


def is_signed_in(client: Client) -> bool:
    return client.get("/").status_code == 200


def last() -> tuple:
    event = AuditEvent.objects.order_by("pk").last()
    return event.action, event.actor, event.person, event.details


def test_deactivated_account_is_signed_out_everywhere_and_cannot_sign_in(ada):
    root = User.objects.create_superuser("root")
    browsers = [browser(), browser()]
    assert all(map(is_signed_in, browsers))
    assert deactivate_account(ada, root) == 2
    assert not any(map(is_signed_in, [*browsers, browser()]))
    assert not Session.objects.filter(user=ada).exists()
    assert ("account_deactivated", root, ada, {"sessions": 2}) in [
        (event.action, event.actor, event.person, event.details) for event in AuditEvent.objects.all()
    ]


@pytest.mark.slow
def test_reactivated_account_signs_in_with_the_same_password(ada):
    deactivate_account(ada)
    reactivate_account(ada)
    assert last() == ("account_reactivated", None, ada, {})
    assert is_signed_in(browser())


def test_memberships_stay_but_no_task_is_assigned(collection, join):
    ada, bob = join(collection, "ada"), join(collection, "bob")
    deactivate_account(ada.user)
    assign(collection, judges=1)
    assert not ada.assignments.exists()
    assert bob.assignments.exists()
    reactivate_account(ada.user)
    assert assign(collection, judges=2).added > 0


def test_ended_sessions_are_those_of_the_user_and_a_new_one_is_possible(ada):
    User.objects.create_user("bob", password=PASSWORD)
    mine, theirs = browser(), browser(FIELDS | {"username": "bob"})
    assert end_sessions(ada) == 1
    assert last() == ("sessions_ended", None, ada, {"sessions": 1})
    assert (is_signed_in(mine), is_signed_in(theirs), is_signed_in(browser())) == (False, True, True)


def test_sessions_end_with_one_query_however_many_there_are(ada, django_assert_num_queries):
    browser()
    with django_assert_num_queries(4):  # two of them are the savepoint, one the audit log
        end_sessions(ada)
    for _ in range(5):
        browser()
    with django_assert_num_queries(4):
        assert end_sessions(ada) == 5


@pytest.mark.parametrize("name", ["", "Ada", "nobody", "x'; --"])
def test_unknown_user_is_refused(ada, name):
    with pytest.raises(Refused, match=r"There is no user .* Names are case-sensitive\."):
        find_user(name)


def test_wrong_state_is_refused_and_changes_nothing(ada):
    with pytest.raises(Refused, match="The account ada is not deactivated"):
        reactivate_account(ada)
    deactivate_account(ada)
    with pytest.raises(Refused, match="The account ada is already deactivated"):
        deactivate_account(ada)
    assert AuditEvent.objects.count() == 1


def test_deleted_account_is_refused(ada):
    User.objects.filter(pk=ada.pk).delete()
    for change in (deactivate_account, reactivate_account):
        with pytest.raises(Refused, match="The account ada has been erased"):
            change(ada)
