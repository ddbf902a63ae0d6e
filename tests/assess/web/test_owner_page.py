"""The page behind the one-time link: it creates a superuser and signs in."""

import pytest
from django.test import Client
from django.urls import reverse

from assess.models import OwnerLink, User
from assess.people.owner_link import create_link

pytestmark = pytest.mark.django_db
FORM = "/account/owner/"
FIELDS = {"username": "rita", "password1": "right and long", "password2": "right and long"}


@pytest.fixture
def link():
    return reverse("account:owner_link", args=[create_link()])


def test_link_leads_to_a_form_without_the_token_in_its_address(client, link):
    opened = client.get(link)
    assert (opened.status_code, opened.url) == (302, FORM)
    assert opened["Referrer-Policy"] == "no-referrer"
    assert "no-store" in opened["Cache-Control"]
    page = client.get(FORM)
    assert page.status_code == 200
    assert "no-store" in page["Cache-Control"]
    text = page.content.decode()
    assert all(f'name="{name}"' in text for name in FIELDS)
    assert not User.objects.exists()
    assert OwnerLink.objects.get().used_at is None


def test_form_creates_a_superuser_and_signs_in(client, link):
    client.get(link)
    created = client.post(FORM, FIELDS)
    assert (created.status_code, created.url) == (302, "/collections/new/")
    user = User.objects.get(username="rita")
    assert user.is_superuser
    assert user.is_staff
    assert user.check_password("right and long")
    page = client.get(created.url)
    assert page.status_code == 200
    assert "Your account is created." in page.content.decode()


def test_used_link_is_refused_in_this_and_in_another_browser(client, link):
    client.get(link)
    client.post(FORM, FIELDS)
    for browser in (client, Client()):
        refused = browser.get(link)
        assert refused.status_code == 404
        assert "This link has already been used." in refused.content.decode()
    assert client.post(FORM, FIELDS | {"username": "eve"}).status_code == 404
    assert User.objects.count() == 1


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"password2": "another one"}, "The two password fields didn’t match."),
        ({"password1": "short", "password2": "short"}, "This password is too short."),
        ({"password1": "password123", "password2": "password123"}, "This password is too common."),
        ({"username": ""}, "This field is required."),
        ({"username": "a b"}, "Enter a valid username."),
        ({"username": "taken"}, "A user with that username already exists."),
    ],
)
def test_invalid_entry_is_explained_and_the_link_stays_valid(client, link, changes, sentence):
    User.objects.create_user("taken")
    client.get(link)
    refused = client.post(FORM, FIELDS | changes)
    assert refused.status_code == 400
    assert sentence in refused.content.decode()
    assert OwnerLink.objects.get().used_at is None
    assert not User.objects.filter(is_superuser=True).exists()


@pytest.mark.parametrize("url", [FORM, "/account/owner/nonsense/"])
def test_without_a_valid_link_there_is_no_form(client, link, url):
    refused = client.get(url)
    assert refused.status_code == 404
    assert "This link is not valid." in refused.content.decode()
    assert "no-store" in refused["Cache-Control"]


def test_form_needs_its_csrf_token(link):
    strict = Client(enforce_csrf_checks=True)
    strict.get(link)
    assert strict.post(FORM, FIELDS).status_code == 403
    assert not User.objects.exists()


def test_wrong_methods_are_refused(client, link):
    assert client.post(link).status_code == 405
    client.get(link)
    assert client.delete(FORM).status_code == 405
