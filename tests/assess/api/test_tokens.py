"""Tokens: what is stored, what ends them, and their page."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from assess.errors import Refused
from assess.models import ApiToken, AuditEvent, Role, Scope, User
from assess.people.tokens import (
    MOST_TOKENS,
    InvalidToken,
    create_token,
    ended_tokens,
    revoke_token,
    token_of,
    valid_tokens,
)
from assess.purge import purge
from tests.assess.api.conftest import ApiClient
from tests.html import compact

pytestmark = [pytest.mark.django_db, pytest.mark.database]
TOKENS = "/account/tokens/"


@pytest.fixture
def ada(db) -> User:
    return User.objects.create_user("ada")


def test_a_token_is_stored_hashed(ada):
    token, text = create_token(ada, "laptop", Scope.READ)
    assert text.startswith("assay_")
    assert len(text) > 40
    assert text not in str(ApiToken.objects.values().get())
    assert token_of(text) == token
    assert AuditEvent.objects.get(action="token_created").details["token"] == token.pk


def test_the_time_of_the_last_use_is_exact_to_ten_minutes(ada):
    _, text = create_token(ada, "laptop", Scope.READ)
    token_of(text)
    first = ApiToken.objects.get().last_used_at
    token_of(text)
    assert ApiToken.objects.get().last_used_at == first
    ApiToken.objects.update(last_used_at=first - timedelta(minutes=11))
    token_of(text)
    assert ApiToken.objects.get().last_used_at >= first


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"revoked_at": timezone.now()}, "was revoked on"),
        ({"expires_at": timezone.now() - timedelta(seconds=1)}, "expired on"),
    ],
)
def test_an_ended_token_says_why(ada, change, reason):
    _, text = create_token(ada, "laptop", Scope.READ)
    ApiToken.objects.update(**change)
    with pytest.raises(InvalidToken, match=reason):
        token_of(text)
    assert not valid_tokens().exists()


def test_a_deactivated_account_has_no_tokens(ada):
    _, text = create_token(ada, "laptop", Scope.READ)
    User.objects.update(is_active=False)
    with pytest.raises(InvalidToken, match="deactivated"):
        token_of(text)


@pytest.mark.parametrize("text", ["", "assay_", "x" * 10_000, "\ud800", "assay_é"])
def test_an_invented_token_is_refused(ada, text):
    with pytest.raises(InvalidToken, match="does not exist"):
        token_of(text)


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"name": " "}, "1 to 80 printable characters"),
        ({"name": "a\x00"}, "1 to 80 printable characters"),
        ({"name": "x" * 81}, "1 to 80 printable characters"),
        ({"scope": "root"}, "The scope must be one of read, judge, manage, not 'root'"),
        ({"days": 0}, "valid for 1 to 366 days, not 0"),
        ({"days": 367}, "valid for 1 to 366 days, not 367"),
        ({"collections": []}, "Choose at least one collection"),
    ],
)
def test_invalid_tokens_are_refused(ada, values, sentence):
    with pytest.raises(Refused, match=sentence):
        create_token(ada, **({"name": "laptop", "scope": Scope.READ} | values))
    assert not ApiToken.objects.exists()


def test_a_user_has_few_tokens(ada):
    for number in range(MOST_TOKENS):
        create_token(ada, f"{number}", Scope.READ)
    with pytest.raises(Refused, match="50 tokens"):
        create_token(ada, "one more", Scope.READ)
    revoke_token(ada, ApiToken.objects.first().pk)
    create_token(ada, "one more", Scope.READ)


def test_only_its_user_revokes_a_token(ada):
    token, text = create_token(ada, "laptop", Scope.READ)
    with pytest.raises(Refused, match="no such token"):
        revoke_token(User.objects.create_user("eve"), token.pk)
    assert token_of(text)
    revoke_token(ada, token.pk)
    with pytest.raises(Refused, match="revoked already"):
        revoke_token(ada, token.pk)


def test_ended_tokens_are_purged_after_a_month(ada):
    create_token(ada, "laptop", Scope.READ)
    old = timezone.now() - timedelta(days=31)
    assert not ended_tokens().exists()
    ApiToken.objects.update(expires_at=old)
    assert "Ended API tokens: 1 deleted." in [outcome.sentence for outcome in purge()]


def test_a_limited_token_of_a_deleted_collection_is_for_none(people, collection):
    _, text = create_token(people[Role.OWNER].user, "limited", Scope.READ, collections=[collection])
    api = ApiClient(text)
    assert api.get("/collections/small").status_code == 200
    ApiToken.objects.get().collections.clear()
    assert api.get("/collections/small").status_code == 404
    assert api.get("/collections").json()["results"] == []


def test_the_page_shows_a_token_once_and_revokes_it(client, people, collection):
    client.force_login(people[Role.OWNER].user, backend="assess.people.backend.AccountBackend")
    assert "You have no token yet." in client.get(TOKENS).content.decode()
    values = {"name": "laptop", "scope": "manage", "days": "7", "collections": ["small"]}
    page = compact(client.post(TOKENS, values).content.decode())
    text = re.search(r"assay_[\w-]{40,}", page)[0]
    assert token_of(text).is_limited
    assert text not in client.get(TOKENS).content.decode()
    assert "For Small." in compact(client.get(TOKENS).content.decode())
    response = client.post(reverse("account:revoke_token"), {"token": ApiToken.objects.get().pk}, follow=True)
    assert "The token is revoked." in response.content.decode()
    with pytest.raises(InvalidToken):
        token_of(text)


@pytest.mark.parametrize(
    "values", [{"name": "", "scope": "read", "days": "7"}, {"name": "x", "scope": "no", "days": "7"}]
)
def test_the_page_refuses_what_is_invalid(client, people, values):
    client.force_login(people[Role.OWNER].user, backend="assess.people.backend.AccountBackend")
    assert client.post(TOKENS, values).status_code == 400
    assert client.post(reverse("account:revoke_token"), {"token": "1e9"}).status_code == 400
    assert not ApiToken.objects.exists()


def test_nobody_chooses_a_foreign_collection(client, people, collection):
    outsider = User.objects.create_user("eve")
    client.force_login(outsider, backend="assess.people.backend.AccountBackend")
    values = {"name": "x", "scope": "read", "days": "7", "collections": ["small"]}
    assert client.post(TOKENS, values).status_code == 400
