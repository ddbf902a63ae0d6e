"""Limits of a request's body, headers against caches, and files that only their owner reads."""

import subprocess
import sys
import uuid
from pathlib import Path

import pytest
from django.conf import settings as site
from django.test import Client
from django.urls import get_resolver, reverse

from assess.models import AttemptCount, Role
from assess.web.account.sign_in.view import WRONG
from assess.web.site.middleware import max_body_bytes
from tests.assess.web.test_access import (  # noqa: F401 - some are fixtures
    ADDRESSES,
    address,
    assert_private,
    built,
    members,
    send,
    shared_site,
    walk,
)

pytestmark = pytest.mark.site

PROJECT = Path(__file__).resolve().parents[3]
FORM = "application/x-www-form-urlencoded"


class Unread:
    """A body that must not be read."""

    def read(self, *_):
        raise AssertionError("The body was read.")

    readline = read


def post(client, url, **environment):
    return client.generic("POST", url, content_type=FORM, **environment | {"wsgi.input": Unread()})


def test_long_body_is_refused_before_it_is_read(client):
    response = post(client, reverse("account:sign_in"), CONTENT_LENGTH="1000001")
    assert response.status_code == 413
    assert "this page accepts 1,000,000 bytes at most" in response.content.decode()


@pytest.mark.parametrize("length", ["300000000", "9" * 30, "9" * 5_000])
def test_any_longer_body_is_refused(client, length):
    assert post(client, reverse("teach:new"), CONTENT_LENGTH=length).status_code == 413
    assert post(client, "/no/such/page/", CONTENT_LENGTH=length).status_code == 413


def test_script_gets_the_refusal_as_json(client):
    response = post(client, "/", CONTENT_LENGTH="1000001", HTTP_ACCEPT="application/json")
    assert response.status_code == 413
    assert "1,000,000 bytes" in response.json()["error"]


def test_body_of_unknown_length_is_refused(client):
    response = post(client, "/", CONTENT_LENGTH="", HTTP_TRANSFER_ENCODING="chunked")
    assert response.status_code == 411
    assert "does not state the length" in response.content.decode()


@pytest.mark.parametrize("length", ["-1", "1_0", "+5", "x", "²", " 1"])
def test_invalid_length_is_a_bad_request(client, length):
    assert post(client, "/", CONTENT_LENGTH=length).status_code == 400


def test_body_within_the_limit_is_read(db, client):
    body = f"username=ada&password={'x' * (site.MAX_BODY_BYTES - 22)}"
    assert len(body) == site.MAX_BODY_BYTES
    assert client.post(reverse("account:sign_in"), body, content_type=FORM).status_code == 200


def test_name_that_no_account_can_have_is_wrong_and_not_stored(db, client):
    response = client.post(reverse("account:sign_in"), {"username": "x" * 300, "password": "x"})
    assert response.status_code == 200
    assert WRONG in response.content.decode()
    assert not AttemptCount.objects.exists()


def test_pasted_documents_may_be_longer(client, join, collection, signed_in):
    browser = signed_in(join(collection, "prof", Role.INSTRUCTOR))
    body = f"title=Drinks&pasted_topics=tea&pasted_documents={'x+y+' * 700_000}"
    response = browser.post(reverse("teach:new") + "?source=", body, content_type=FORM)
    assert response.status_code == 400  # by the form, which names the field
    assert "Documents: Ensure this value has at most 2000000 characters" in response.content.decode()


def test_limits_name_existing_views():
    names = {name for name, _ in walk(get_resolver())}
    assert set(site.MAX_BODY_BYTES_BY_VIEW) <= names
    assert max_body_bytes(reverse("teach:new")) == 5_000_000
    chunk = reverse("research:upload_chunk", args=["small", uuid.uuid4()])
    assert max_body_bytes(chunk) == 8_000_000 == site.LARGEST_BODY_BYTES
    assert max_body_bytes(reverse("account:sign_in")) == site.MAX_BODY_BYTES


OF_EACH_USER = [entry for entry in ADDRESSES if not {"slug", "code"} & set(entry[1])]


@pytest.mark.parametrize(("name", "parameters"), OF_EACH_USER)
def test_no_page_of_a_user_is_stored(client, members, address, name, parameters):  # noqa: F811
    """The tests of access check the pages of collections and exercises in the same way."""
    people, _ = members
    send(client, name, address(name, parameters), people[Role.OWNER].user)


def test_no_error_is_stored(client, monkeypatch, settings):
    assert_private(client.get("/no/such/page/"))
    assert_private(client.get("/static/no-such-file.css"))
    assert_private(client.get("/", headers={"host": "evil.example"}))
    assert_private(post(client, "/", CONTENT_LENGTH="1000001"))
    monkeypatch.setattr("assess.web.join.views.code_page", lambda _: 1 / 0)
    failed = Client(raise_request_exception=False).get(reverse("join:code"))
    assert failed.status_code == 500
    assert_private(failed)
    settings.SECURE_SSL_REDIRECT = True
    redirect = Client().get("/")
    assert redirect.status_code == 301
    assert_private(redirect)


def test_static_files_may_be_stored(client):
    response = client.get("/static/assess/assay.css")
    assert response.status_code == 200
    assert "no-store" not in response["Cache-Control"]
    assert "max-age" in response["Cache-Control"]


def test_gunicorn_reads_its_settings():
    words = ["-m", "gunicorn", "--print-config", "assess.wsgi"]
    environment = {"DJANGO_SETTINGS_MODULE": "tests.settings", "PYTHONPATH": str(PROJECT)}
    done = subprocess.run([sys.executable, *words], cwd=PROJECT, env=environment, capture_output=True, text=True)
    values = {name: value.strip() for name, _, value in (line.partition("=") for line in done.stdout.splitlines())}
    values = {name.strip(): value for name, value in values.items()}
    assert int(values["umask"]) == 0o077, done.stderr
    assert (values["workers"], values["threads"], values["keepalive"]) == ("2", "4", "60")
