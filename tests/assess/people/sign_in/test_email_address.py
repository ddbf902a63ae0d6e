"""Each email address belongs to one account."""

import pytest
from django.db import IntegrityError, transaction

from assess.errors import Refused
from assess.models import Action, AuditEvent, User
from assess.people.sign_in.email_address import change_email
from tests.assess.command_output import output_of, refusal

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada():
    return User.objects.create_user("ada", "ada@example.org")


@pytest.fixture
def bob():
    return User.objects.create_user("bob")


def test_address_is_stored_in_lower_case_and_recorded(ada, bob):
    change_email(bob, " Bob@Example.ORG ", ada)
    bob.refresh_from_db()
    assert bob.email == "bob@example.org"
    event = AuditEvent.objects.get()
    assert (event.action, event.actor, event.person) == (Action.EMAIL_CHANGED, ada, bob)
    assert "example" not in str(AuditEvent.objects.values())


def test_address_of_another_account_is_refused(ada, bob):
    with pytest.raises(Refused, match="Another account"):
        change_email(bob, "ADA@example.org", bob)
    change_email(ada, "ADA@example.org", ada)


@pytest.mark.parametrize("address", ["bob", "bob@", "a" * 250 + "@example.org", "bob@example.org\n.com"])
def test_invalid_address_is_refused(bob, address):
    with pytest.raises(Refused):
        change_email(bob, address, bob)


def test_table_refuses_a_second_account_with_an_address(ada):
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.create_user("eve", "Ada@example.org")
    User.objects.create_user("carl")
    User.objects.create_user("dora")


def test_address_can_be_removed_by_command(ada):
    assert output_of("set_email", "ada", "new@example.org") == ["ada has the email address new@example.org."]
    assert output_of("set_email", "ada", "") == ["ada has none."]
    assert "is not an email address" in refusal("set_email", "ada", "x")
