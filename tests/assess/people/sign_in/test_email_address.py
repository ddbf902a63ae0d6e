"""Each email address belongs to one account; those of older versions are reported before the migration."""

import importlib

import pytest
from django.apps import apps
from django.core.management import CommandError
from django.db import IntegrityError, connection, transaction

from assess.errors import Refused
from assess.models import Action, AuditEvent, User
from assess.people.sign_in.email_address import change_email, duplicate_emails
from tests.assess.command_output import output_of, refusal

migration = importlib.import_module("assess.migrations.0026_accounts")

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada():
    return User.objects.create_user("ada", "ada@example.org")


@pytest.fixture
def bob():
    return User.objects.create_user("bob")


@pytest.fixture
def without_constraint(ada):
    """Two accounts with the same address, as older versions allowed."""
    constraint = next(each for each in User._meta.constraints if each.name == "user_email_once")
    with connection.schema_editor() as editor:
        editor.execute(constraint.remove_sql(User, editor))
    User.objects.create_user("bob", "ADA@example.org")


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


@pytest.mark.django_db(transaction=True)
def test_duplicates_are_reported_before_the_migration(without_constraint):
    assert list(duplicate_emails()) == [("ada@example.org", ["ada", "bob"])]
    with pytest.raises(CommandError, match=r"ada and bob have the same email address ada@example.org. .*set_email"):
        migration.check_emails(apps, None)
    output_of("set_email", "bob", "bob@example.org")
    assert list(duplicate_emails()) == []
    migration.check_emails(apps, None)
    constraint = next(each for each in User._meta.constraints if each.name == "user_email_once")
    with connection.schema_editor() as editor:
        editor.execute(constraint.create_sql(User, editor))
