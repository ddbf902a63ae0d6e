"""Signing in over HTTP, as the script of an open page does it for its user."""

import pytest
from django.test import Client
from django.urls import reverse

JSON = {"accept": "application/json"}
URL = "/account/sign-in/"


@pytest.fixture
def ada(django_user_model, db):
    return django_user_model.objects.create_user("ada", password="right and long")


def test_script_reads_the_current_user_and_signs_in_with_the_token(ada):
    client = Client(enforce_csrf_checks=True)
    who = client.get(URL, headers=JSON).json()
    assert who["user"] is None
    signed_in = client.post(
        URL, {"username": "ada", "password": "right and long"}, headers=JSON | {"x-csrftoken": who["csrf"]}
    )
    assert (signed_in.status_code, signed_in.json()) == (200, {"ok": True})
    again = client.get(URL, headers=JSON)
    assert again.json()["user"] == ada.pk
    assert "no-store" in again["Cache-Control"]


def test_wrong_password_has_the_same_message_for_script_and_page(client, ada):
    fields = {"username": "ada", "password": "wrong"}
    refused = client.post(URL, fields, headers=JSON)
    assert refused.status_code == 400
    assert "Wrong name or password." in refused.json()["error"]
    page = client.post(URL, fields)
    assert refused.json()["error"] in page.content.decode()
    assert client.get(URL, headers=JSON).json()["user"] is None


def test_sign_in_requires_a_csrf_token(ada):
    strict = Client(enforce_csrf_checks=True)
    refused = strict.post(URL, {"username": "ada", "password": "right and long"}, headers=JSON)
    assert refused.status_code == 403
    assert strict.get(URL, headers=JSON).json()["user"] is None


def test_script_is_throttled_like_the_page(client, ada):
    for n in range(10):
        assert client.post(URL, {"username": "ada", "password": f"wrong {n}"}, headers=JSON).status_code == 400
    right = {"username": "ada", "password": "right and long"}
    refused = client.post(URL, right, headers=JSON)
    assert (refused.status_code, refused["Retry-After"]) == (429, "900")
    sentence = "Too many wrong passwords were entered for this name from your network. Try again in 15 minutes."
    assert refused.json() == {"error": sentence}
    page = client.post(URL, right)
    assert page.status_code == 429
    assert sentence in page.content.decode()


def test_signing_in_ends_the_session_of_another_user(client, ada, django_user_model):
    zoe = django_user_model.objects.create_user("zoe", password="another, longer")
    client.force_login(zoe, backend="assess.people.backend.AccountBackend")
    assert client.get(URL, headers=JSON).json()["user"] == zoe.pk
    client.post(URL, {"username": "ada", "password": "right and long"}, headers=JSON)
    assert client.get(URL, headers=JSON).json()["user"] == ada.pk


def test_browser_gets_the_page(client, db):
    assert (
        "<h1>Sign in</h1>"
        in client.get(reverse("account:sign_in"), headers={"accept": "text/html,*/*"}).content.decode()
    )


def test_sign_in_page_offers_to_join_a_class(client):
    page = client.get("/", follow=True).content.decode()
    assert '<button class="main">Sign in</button>' in page
    assert '<button class="main">Join an exercise</button>' in page
    assert f'action="{reverse("join:code")}"' in page
