"""The pages behind an invitation: opening changes nothing, accepting is a POST, and no log contains the token."""

import logging

import pytest
from django.db import IntegrityError
from django.test import Client
from django.urls import reverse

from assess.models import Invitation, Member, Role, Session, User
from assess.people.invitations import create, revoke
from tests.assess.command_output import tables
from tests.assess.exercise_factories import join_all, make_instructor, pasted_exercise
from tests.assess.web.test_hostile_requests import INVALID, NUL, post

pytestmark = pytest.mark.django_db
CURRENT, ACCEPT, ACCOUNT, SIGN_IN = (
    "/invitation/",
    "/invitation/accept/",
    "/invitation/account/",
    "/invitation/sign-in/",
)
PASSWORD = "right and long"
FIELDS = {"username": "ada", "email": "", "password1": PASSWORD, "password2": PASSWORD}


@pytest.fixture
def owner(collection, join):
    return join(collection, "olga", Role.OWNER)


@pytest.fixture
def token(collection, owner):
    return create(collection, owner, Role.ASSESSOR, pseudonym="Zoe")


@pytest.fixture
def ada(client):
    user = User.objects.create_user("ada", password=PASSWORD)
    client.force_login(user, backend="assess.people.backend.AccountBackend")
    return user


def link(token: str) -> str:
    return reverse("invitation:open", args=[token])


def html(response) -> str:
    return " ".join(response.content.decode().split())


# ---- opening


@pytest.mark.parametrize("method", ["get", "head"])
def test_opening_changes_nothing(client, token, method):
    before = tables()
    for _ in range(3):
        assert getattr(client, method)(link(token)).status_code == 200
    assert tables() == before
    assert "sessionid" not in client.cookies


def test_page_says_who_invites_to_what_and_as_which_role(client, token):
    page = client.get(link(token))
    text = html(page)
    assert "<h1>You are invited to Small</h1>" in text
    assert "olga invites you as <strong>an assessor</strong>" in text
    assert all(f'name="{name}"' in text for name in (*FIELDS, "token"))
    assert page["Referrer-Policy"] == "same-origin"
    assert "no-store" in page["Cache-Control"]


def test_page_for_a_signed_in_user_has_one_button(client, token, ada):
    text = html(client.get(link(token)))
    assert "You are signed in as <strong>ada</strong>" in text
    assert f'action="{ACCEPT}"' in text
    assert "password" not in text


def test_assessor_learns_nothing_about_runs(client, token, collection, ada):
    assert not any(run.system in html(client.get(link(token))) for run in collection.runs.all())


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"uses": 1}, "This invitation has already been used."),
        ({"expires_at": "2020-01-01T00:00Z"}, "This invitation has expired."),
        ({"revoked_at": "2020-01-01T00:00Z"}, "This invitation was revoked."),
        ({"token_hash": "x"}, "This invitation is not valid."),
    ],
)
def test_link_that_cannot_be_used_is_explained_and_accepts_nobody(client, token, change, sentence):
    Invitation.objects.update(**change)
    refused = client.get(link(token))
    assert refused.status_code == 404
    assert sentence in html(refused)
    assert sentence in html(client.post(ACCOUNT, FIELDS | {"token": token}))
    assert not User.objects.filter(username="ada").exists()
    user = User.objects.create_user("bob")
    client.force_login(user, backend="assess.people.backend.AccountBackend")
    answer = client.post(ACCEPT, {"token": token})
    assert (answer.status_code, sentence in html(answer)) == (404, True)
    assert not user.memberships.exists()


# ---- accepting


def test_signed_in_user_accepts_and_goes_on_to_judging(client, token, ada, collection):
    answer = client.post(ACCEPT, {"token": token})
    assert (answer.status_code, answer.url) == (302, f"/c/{collection.slug}/judge/")
    assert ada.memberships.get().name == "Zoe"
    assert "You are now a member of Small as an assessor." in html(client.get(answer.url))


def test_a_script_gets_the_address_and_leaves_the_message_to_the_page(client, token, collection):
    """A script that followed the redirect would use up the message."""
    answer = client.post(ACCOUNT, FIELDS | {"token": token}, headers={"X-Form": "script"})
    assert (answer.status_code, answer.content) == (204, b"")
    assert "Location" not in answer
    assert "You are now a member of Small as an assessor." in html(client.get(answer["X-Location"]))


@pytest.mark.parametrize(
    ("role", "address"),
    [(Role.RESEARCHER, "/c/small/"), (Role.OWNER, "/c/small/"), (Role.INSTRUCTOR, "/teach/")],
)
def test_other_roles_go_on_to_their_pages(client, collection, owner, ada, role, address):
    answer = client.post(ACCEPT, {"token": create(collection, owner, role)})
    assert answer.url == address
    assert client.get(address).status_code == 200


def test_new_account_is_signed_in_and_a_member(client, token, collection):
    answer = client.post(ACCOUNT, FIELDS | {"token": token, "email": "ada@example.org"})
    assert (answer.status_code, answer.url) == (302, f"/c/{collection.slug}/judge/")
    assert client.get(answer.url).status_code == 200
    user = User.objects.get(username="ada")
    assert (user.email, user.is_superuser, user.is_staff) == ("ada@example.org", False, False)
    assert user.check_password(PASSWORD)
    assert user.memberships.get().role == Role.ASSESSOR


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"password2": "another one"}, "The two password fields didn’t match."),
        ({"password1": "short", "password2": "short"}, "This password is too short."),
        ({"username": ""}, "This field is required."),
        ({"username": "olga"}, "A user with that username already exists."),
        ({"email": "nonsense"}, "Enter a valid email address."),
        ({"email": "Olga@Example.org"}, "Another account has this email address."),
    ],
)
def test_invalid_account_is_explained_and_the_invitation_stays_valid(client, token, owner, changes, sentence):
    User.objects.filter(pk=owner.user.pk).update(email="olga@example.org")
    refused = client.post(ACCOUNT, FIELDS | {"token": token} | changes)
    assert refused.status_code == 400
    assert sentence in html(refused)
    assert f'name="token" value="{token}"' in html(refused)
    assert Invitation.objects.get().uses == 0
    assert User.objects.count() == 1


def test_name_that_was_taken_meanwhile_is_explained(client, token, monkeypatch):
    def taken(*_):
        raise IntegrityError

    monkeypatch.setattr("assess.people.invitations.accept_with_new_account", taken)
    refused = client.post(ACCOUNT, FIELDS | {"token": token})
    assert (refused.status_code, "already taken" in html(refused)) == (400, True)


def test_name_is_normalised_as_at_the_sign_in(client, token):
    client.post(ACCOUNT, FIELDS | {"token": token, "username": "ﬁona"})
    assert User.objects.filter(username="fiona").exists()


def test_fields_for_other_columns_are_ignored(client, token):
    client.post(ACCOUNT, FIELDS | {"token": token, "is_superuser": "on", "is_staff": "on", "role": "owner"})
    user = User.objects.get(username="ada")
    assert not user.is_superuser
    assert user.memberships.get().role == Role.ASSESSOR


def test_member_keeps_the_role_and_gets_a_link_to_the_collection(client, collection, owner, join):
    rita = join(collection, "rita", Role.RESEARCHER)
    client.force_login(rita.user, backend="assess.people.backend.AccountBackend")
    token = create(collection, owner, Role.OWNER)
    opened, accepted = client.get(link(token)), client.post(ACCEPT, {"token": token})
    assert (opened.status_code, accepted.status_code) == (200, 409)
    for page in (opened, accepted):
        assert "You are already a member of Small as a researcher" in html(page)
        assert f'href="/c/{collection.slug}/"' in html(page)
    rita.refresh_from_db()
    assert rita.role == Role.RESEARCHER
    assert Invitation.objects.get().uses == 0


def test_student_of_an_exercise_cannot_accept_with_the_seat(client, token):
    (seat,) = join_all(pasted_exercise(make_instructor()), "Annabella")
    client.force_login(seat.member.user, backend="assess.people.backend.AccountBackend")
    for page in (client.get(link(token)), client.post(ACCEPT, {"token": token})):
        assert page.status_code == 404
        assert "You are signed in as a student of a class exercise" in html(page)
    assert Invitation.objects.get().uses == 0


# ---- signing in first


def test_user_signs_in_and_returns_to_the_invitation(client, token):
    ada = User.objects.create_user("ada", password=PASSWORD)
    answer = client.post(SIGN_IN, {"token": token})
    assert answer.url == "/account/sign-in/?next=%2Finvitation%2F"
    assert client.session["invitation"] == token
    assert client.post(answer.url, {"username": "ada", "password": PASSWORD, "next": CURRENT}).url == CURRENT
    assert "You are signed in as <strong>ada</strong>" in html(client.get(CURRENT))
    assert not ada.memberships.exists()
    client.post(ACCEPT, {"token": token})
    assert ada.memberships.exists()
    assert "invitation" not in client.session


def test_member_who_returns_goes_on_to_the_collection(client, token, collection):
    """Signing in with OpenID Connect may have accepted the invitation."""
    client.post(SIGN_IN, {"token": token})
    ada = User.objects.create_user("ada")
    session = dict(client.session)
    client.force_login(ada, backend="assess.people.backend.AccountBackend")
    new = client.session
    new.update({"invitation": session["invitation"]})
    new.save()
    Member.objects.create(collection=collection, user=ada, role=Role.ASSESSOR, name="ada")
    answer = client.get(CURRENT)
    assert (answer.status_code, answer.url) == (302, f"/c/{collection.slug}/judge/")


def test_accepting_after_the_session_ended_leads_to_signing_in(client, token):
    answer = client.post(ACCEPT, {"token": token})
    assert answer.url == "/account/sign-in/?next=%2Finvitation%2F"
    assert client.session["invitation"] == token
    assert Invitation.objects.get().uses == 0


def test_without_an_invitation_in_the_session_there_is_nothing_to_accept(client, token):
    refused = client.get(CURRENT)
    assert refused.status_code == 404
    assert "This invitation is not valid." in html(refused)


# ---- secrets and hostile requests


def test_no_log_contains_a_valid_token(client, token, owner, caplog):
    with caplog.at_level(logging.DEBUG):
        client.get(link(token))
        client.post(ACCOUNT, {"token": token})
        client.post(SIGN_IN, {"token": token})
        client.get(CURRENT)
        Client(enforce_csrf_checks=True).post(ACCEPT, {"token": token})
    assert "/invitation/account/" in caplog.text  # the refused form was logged
    assert token not in caplog.text
    assert token not in str(tables())


def test_forms_need_the_csrf_token(token):
    strict = Client(enforce_csrf_checks=True)
    for address in (ACCEPT, ACCOUNT, SIGN_IN):
        assert strict.post(address, FIELDS | {"token": token}).status_code == 403
    assert not User.objects.filter(username="ada").exists()


@pytest.mark.parametrize("address", [ACCEPT, ACCOUNT, SIGN_IN])
def test_forms_are_sent_by_post_only(client, token, address):
    assert client.get(address).status_code == 405


def test_links_are_opened_by_get_only(client, token):
    for address in (CURRENT, link(token)):
        assert client.post(address).status_code == 405


@pytest.mark.slow
@pytest.mark.parametrize("address", [ACCEPT, ACCOUNT, SIGN_IN])
def test_invalid_fields_never_fail(token, address):
    quiet = Client(raise_request_exception=False)
    for signed_in in (False, True):
        if signed_in:
            quiet.force_login(User.objects.create_user("eve"), backend="assess.people.backend.AccountBackend")
        for value in (NUL, *INVALID):
            for field in (*FIELDS, "token"):
                answer = post(quiet, address, FIELDS | {"token": token, field: value})
                assert answer.status_code < 500, (field, value[:20])
                assert quiet.get(CURRENT).status_code < 500


@pytest.mark.parametrize("part", ["%00", "%FF%ED%A0%80", "9" * 5000, "%0A", "..%2F"])
def test_invalid_addresses_are_not_found(part):
    quiet = Client(raise_request_exception=False)
    assert quiet.get(f"/invitation/{part}/").status_code == 404


def test_hostile_names_are_escaped(client, collection, owner):
    type(collection).objects.update(name="<script>alert(1)</script>")
    User.objects.filter(pk=owner.user.pk).update(username="<img src=x>")
    text = html(client.get(link(create(collection, owner, Role.ASSESSOR))))
    assert "<script>alert" not in text
    assert "<img" not in text


def test_revoked_link_can_still_not_be_used_from_the_session(client, token, owner):
    client.post(SIGN_IN, {"token": token})
    revoke(owner, Invitation.objects.get().pk)
    assert "This invitation was revoked." in html(client.get(CURRENT))
    assert Session.objects.exists()
