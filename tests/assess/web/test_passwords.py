"""Changing a password, and setting a new one with a link that only a site owner creates."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from assess.errors import Refused
from assess.models import Action, AuditEvent, ResetLink, Role, Session, User
from assess.people.sign_in.reset_links import create_reset_link, use_reset_link
from assess.people.sign_in.throttle import LIMIT
from tests.assess.command_output import output_of, refusal

pytestmark = pytest.mark.django_db

SIGN_IN, CHANGE, RESET = "/account/sign-in/", "/account/password/", "/account/reset-link/password/"
OLD, NEW = "right and long", "another, longer"
TWICE = {"new_password1": NEW, "new_password2": NEW}


@pytest.fixture
def ada():
    return User.objects.create_user("ada", "ada@example.org", OLD)


@pytest.fixture
def root():
    return User.objects.create_superuser("root", password=OLD)


def browser_of(name: str, password: str = OLD) -> Client:
    client = Client()
    client.post(SIGN_IN, {"username": name, "password": password})
    return client


def is_signed_in(client: Client) -> bool:
    return client.get("/").status_code == 200


def link_for(user: User) -> str:
    return reverse("account:reset_link", args=[create_reset_link(user)])


# ---- change


def test_changed_password_ends_other_sessions_and_is_recorded(ada):
    here, elsewhere = browser_of("ada"), browser_of("ada")
    assert here.post(CHANGE, {"old_password": OLD, **TWICE}).url == "/account/settings/"
    assert is_signed_in(here)
    assert not is_signed_in(elsewhere)
    assert is_signed_in(browser_of("ada", NEW))
    event = AuditEvent.objects.get(action=Action.PASSWORD_CHANGED)
    assert (event.actor, event.details) == (ada, {"sessions": 1})


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"old_password": "wrong", **TWICE}, "This is not your password."),
        ({"old_password": OLD, "new_password1": NEW, "new_password2": "x"}, "didn’t match"),
        ({"old_password": OLD, "new_password1": "short", "new_password2": "short"}, "too short"),
        ({"old_password": OLD, "new_password1": "ada@example", "new_password2": "ada@example"}, "too similar"),
    ],
)
def test_invalid_change_changes_nothing(ada, fields, sentence):
    client = browser_of("ada")
    response = client.post(CHANGE, fields)
    assert response.status_code == 400
    assert sentence in response.content.decode()
    assert is_signed_in(browser_of("ada"))


def test_present_password_is_throttled(ada):
    client = browser_of("ada")
    for _ in range(LIMIT):
        client.post(CHANGE, {"old_password": "wrong", **TWICE})
    refused = client.post(CHANGE, {"old_password": OLD, **TWICE})
    assert "Too many wrong passwords" in refused.content.decode()
    assert User.objects.get().check_password(OLD)


# ---- who creates a link


def test_site_owner_creates_a_link_that_is_shown_once(ada, root):
    client = browser_of("root")
    page = client.post(reverse("account:create_reset_link", args=[ada.pk]))
    assert page.status_code == 200
    assert "http://testserver/account/reset-link/" in page.content.decode()
    event = AuditEvent.objects.get(action=Action.RESET_LINK_CREATED)
    assert (event.actor, event.person) == (root, ada)


def test_owner_of_a_collection_cannot_create_a_link_for_a_site_owner(root, collection, join, signed_in):
    owner = join(collection, "olga", Role.OWNER)
    for person in (root, owner.user):
        response = signed_in(owner).post(reverse("account:create_reset_link", args=[person.pk]))
        assert response.status_code == 404
    with pytest.raises(Refused, match="Only the owners of this site"):
        create_reset_link(root, owner.user)
    assert not ResetLink.objects.exists()


def test_deactivated_account_and_seat_have_no_link(ada, root):
    User.objects.filter(pk=ada.pk).update(is_active=False)
    with pytest.raises(Refused, match="deactivated or erased"):
        create_reset_link(ada, root)
    page = browser_of("root").post(reverse("account:create_reset_link", args=[ada.pk]))
    assert page.status_code == 400
    assert "deactivated or erased" in page.content.decode()
    assert browser_of("root").post(reverse("account:create_reset_link", args=[10**9])).status_code == 404


def test_command_prints_a_link(ada):
    (line,) = output_of("reset_link", "ada", "--address", "https://assay.example/")
    assert line.startswith("https://assay.example/account/reset-link/")
    assert Client().get(line.removeprefix("https://assay.example")).url == RESET
    assert "There is no user 'x'" in refusal("reset_link", "x")


# ---- using a link


def test_token_has_128_bits_and_is_stored_hashed(ada):
    token = create_reset_link(ada)
    assert len(token) == 22  # 16 bytes in base64 without padding
    assert token not in str(ResetLink.objects.values_list())


def test_link_sets_a_password_and_ends_all_sessions(ada):
    client, elsewhere = Client(), browser_of("ada")
    opened = client.get(link_for(ada))
    assert (opened.url, opened["Referrer-Policy"]) == (RESET, "no-referrer")
    assert "For the account ada" in client.get(RESET).content.decode()
    assert client.post(RESET, TWICE).url == SIGN_IN
    assert not is_signed_in(elsewhere)
    assert not Session.objects.filter(user=ada).exists()
    assert is_signed_in(browser_of("ada", NEW))
    assert AuditEvent.objects.get(action=Action.PASSWORD_RESET).person == ada


def test_opening_a_link_changes_nothing(ada):
    link = link_for(ada)
    for _ in range(2):
        assert Client().get(link).status_code == 302
    assert ResetLink.objects.get().used_at is None


def test_link_works_once(ada):
    link, client = link_for(ada), Client()
    client.get(link)
    client.post(RESET, TWICE)
    assert "has already been used" in Client().get(link).content.decode()
    assert client.post(RESET, TWICE).status_code == 404
    with pytest.raises(Refused, match="already been used"):
        use_reset_link(link.split("/")[-2], NEW)


@pytest.mark.parametrize("change", [{"expires_at": timezone.now() - timedelta(seconds=1)}, {"token_hash": "x"}])
def test_expired_or_unknown_link_is_refused(ada, change):
    link = link_for(ada)
    ResetLink.objects.update(**change)
    response = Client().get(link)
    assert response.status_code == 404
    assert "This link" in response.content.decode()


def test_only_the_newest_link_is_valid_and_a_changed_password_ends_it(ada):
    first, second = link_for(ada), link_for(ada)
    assert Client().get(first).status_code == 404
    assert Client().get(second).status_code == 302
    browser_of("ada").post(CHANGE, {"old_password": OLD, **TWICE})
    assert Client().get(second).status_code == 404


def test_reset_unlocks_the_account(ada):
    for _ in range(LIMIT):
        browser_of("ada", "wrong")
    assert not is_signed_in(browser_of("ada"))
    use_reset_link(create_reset_link(ada), NEW)
    assert is_signed_in(browser_of("ada", NEW))


def test_form_without_a_link_is_refused(ada):
    assert Client().get(RESET).status_code == 404
    assert Client().post(RESET, TWICE).status_code == 404


def test_invalid_password_does_not_use_the_link_up(ada):
    client = Client()
    client.get(link_for(ada))
    response = client.post(RESET, {"new_password1": "short", "new_password2": "short"})
    assert response.status_code == 400
    assert "too short" in response.content.decode()
    assert client.post(RESET, TWICE).status_code == 302


# ---- names and email addresses


def test_sign_in_by_name_or_by_email_address(ada):
    for name in ("ada", "ada@example.org", "ADA@Example.org"):
        assert is_signed_in(browser_of(name))


def test_account_without_an_address_signs_in_by_name():
    User.objects.create_user("bob", password=OLD)
    User.objects.create_user("carl", password=OLD)
    assert is_signed_in(browser_of("bob"))
    assert not is_signed_in(browser_of("", OLD))


def test_erased_or_deactivated_account_cannot_sign_in(ada):
    User.objects.filter(pk=ada.pk).update(is_active=False)
    assert not is_signed_in(browser_of("ada@example.org"))
