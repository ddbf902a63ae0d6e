"""A forgotten password is reset by mail where the site has a mail server. The tests use a real server."""

import re

import pytest
from django.core.management import call_command
from django.test import Client

from assess.models import Action, AuditEvent, Job, User
from tests.assess.mail_server import mail_server

pytestmark = pytest.mark.django_db(transaction=True)

ASK, SENT = "/account/reset/", "/account/reset/sent/"
OLD, NEW = "right and long", "another, longer"
TWICE = {"password1": NEW, "password2": NEW}


@pytest.fixture
def mailbox(settings):
    with mail_server(settings) as mailbox:
        yield mailbox


@pytest.fixture
def ada():
    return User.objects.create_user("ada", "ada@example.org", OLD)


def browser_of(name: str, password: str) -> Client:
    client = Client()
    client.post("/account/sign-in/", {"username": name, "password": password})
    return client


def is_signed_in(client: Client) -> bool:
    return client.get("/").status_code == 200


def ask(address: str) -> None:
    assert Client().post(ASK, {"email": address}).url == SENT
    call_command("worker", once=True, verbosity=0)


def link_in(mailbox) -> str:
    (received,) = mailbox.mails
    return re.search(r"http://testserver(\S+)", received.get_content()).group(1)


def test_mail_has_a_link_that_sets_a_password_and_ends_sessions(mailbox, ada):
    elsewhere, client = browser_of("ada", OLD), Client()
    ask("ADA@example.org")
    assert mailbox.mails[0]["To"] == "ada@example.org"
    assert mailbox.mails[0]["Subject"] == "Reset your password"
    assert "your account on testserver." in mailbox.mails[0].get_content()
    form = client.get(link_in(mailbox)).url
    assert form.endswith("-set-password/")
    assert client.get(form).status_code == 200
    assert client.post(form, TWICE).url == "/account/reset/done/"
    assert client.get("/account/reset/done/").status_code == 200
    assert not is_signed_in(elsewhere)
    assert is_signed_in(browser_of("ada", NEW))
    assert AuditEvent.objects.get(action=Action.PASSWORD_RESET).person == ada


def test_link_works_once(mailbox, ada):
    ask("ada@example.org")
    link = link_in(mailbox)
    client = Client()
    client.post(client.get(link).url, TWICE)
    assert "This link cannot be used" in Client().get(link).content.decode()


def test_unknown_and_deactivated_accounts_get_no_mail_and_the_same_page(mailbox, ada):
    User.objects.filter(pk=ada.pk).update(is_active=False)
    ask("ada@example.org")
    ask("nobody@example.org")
    assert mailbox.mails == []


def test_address_is_that_of_the_account_and_not_a_name(mailbox, ada):
    User.objects.create_user("carl@example.org", password=OLD)
    ask("carl@example.org")
    assert mailbox.mails == []


def test_account_gets_at_most_ten_mails_in_a_short_time(mailbox, ada):
    for number in range(12):
        Client(REMOTE_ADDR=f"192.0.2.{number}").post(ASK, {"email": "ada@example.org"})
    assert Job.objects.count() == 10


def test_pages_do_not_exist_without_a_mail_server(db):
    client = Client()
    for path in (ASK, SENT, "/account/reset/1-x-y/", "/account/reset/done/"):
        assert client.get(path).status_code == 404
        assert client.post(path).status_code == 404
    assert "administrator" in client.get("/account/sign-in/").content.decode()


@pytest.mark.parametrize("value", ["%00", "9" * 100, "%FF", "x-y-z", "zzzzzzzzzzzzz-1"])
def test_invalid_links_never_fail(mailbox, value):
    client = Client(raise_request_exception=False)
    for path in (f"/account/reset/{value}/", f"/account/reset/1-{value}/"):
        assert client.get(path).status_code < 500
    assert client.post(ASK, {"email": f"a\0{value}"}).status_code < 500
