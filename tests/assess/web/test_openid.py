"""Signing in through an OpenID Connect provider, which is a process of its own."""

from urllib.parse import parse_qs, urlsplit

import pytest
from allauth.socialaccount.models import SocialAccount
from django.test import Client

from assess.lib.openid import OpenIdProvider, openid_apps
from assess.models import Action, AuditEvent, User
from assess.people import invitations
from tests.assess.openid_server import CLIENT, SECRET, running_provider

pytestmark = pytest.mark.django_db

SIGN_IN, LOGIN, CONNECTIONS = "/account/sign-in/", "/account/openid/login/", "/account/openid/"
PASSWORD = "right and long"
ADA = {"sub": "17", "email": "ada@example.org", "email_verified": True, "preferred_username": "ada"}


@pytest.fixture(scope="module")
def process():
    with running_provider() as provider:
        yield provider


def configure(settings, url: str, domains=()) -> None:
    settings.OPENID_PROVIDER = OpenIdProvider(url, CLIENT, SECRET, "the lab", frozenset(domains))
    settings.SOCIALACCOUNT_PROVIDERS = {"openid_connect": openid_apps(settings.OPENID_PROVIDER)}


@pytest.fixture
def provider(process, settings):
    configure(settings, process.url)
    process.become(**ADA)
    return process


@pytest.fixture
def ada(db):
    return User.objects.create_user("ada", "ada@example.org", PASSWORD)


@pytest.fixture
def invited(monkeypatch):
    """An invitation that this browser has opened. Returns the users that accepted it."""
    accepted = []
    monkeypatch.setattr(invitations, "is_valid", lambda token: token == "valid")
    monkeypatch.setattr(invitations, "accept", lambda token, user: accepted.append((token, user)))
    return accepted


def browser_with(invitation: str) -> Client:
    client = Client()
    session = client.session
    session["invitation"] = invitation
    session.save()
    client.cookies["sessionid"] = session.session_key
    return client


def through(provider, client, path: str = LOGIN, **fields):
    """Send the form, follow the redirects to the provider and back, and return the last response."""
    leaving = client.post(path, fields)
    assert leaving.status_code == 302, leaving.content.decode()
    back = urlsplit(provider.continue_from(leaving.url))
    return client.get(f"{back.path}?{back.query}")


def connected(client, provider) -> None:
    """Sign in with the password, confirm it, and connect the provider."""
    client.post(SIGN_IN, {"username": "ada", "password": PASSWORD})
    client.post(f"/account/confirm/?next={CONNECTIONS}", {"password": PASSWORD})
    through(provider, client, f"{LOGIN}?process=connect")


def is_signed_in(client: Client) -> bool:
    return client.get("/").status_code == 200


def test_sign_in_page_names_the_provider_and_allows_its_origin_only_there(provider):
    page = Client().get(SIGN_IN)
    assert "Sign in with the lab" in page.content.decode()
    assert f"form-action 'self' {provider.url}" in page["Content-Security-Policy"]
    assert provider.url not in Client().get("/join/")["Content-Security-Policy"]


def test_sign_in_page_says_who_needs_no_invitation(process, settings, db):
    configure(settings, process.url, domains=("example.org",))
    assert "People with an address of example.org get an account" in Client().get(SIGN_IN).content.decode()


def test_address_of_the_provider_has_a_state_and_a_challenge(provider):
    query = parse_qs(urlsplit(Client().post(LOGIN).url).query)
    assert query["client_id"] == [CLIENT]
    assert query["code_challenge_method"] == ["S256"]
    assert len(query["state"][0]) >= 16


def test_nobody_creates_an_account_without_an_invitation(provider):
    client = Client()
    refused = through(provider, client)
    assert "You need an invitation" in refused.content.decode()
    assert not is_signed_in(client)
    assert not User.objects.exists()


def test_invited_person_creates_an_account(provider, invited):
    client = browser_with("valid")
    assert through(provider, client, next="/teach/").url == "/teach/"
    assert is_signed_in(client)
    user = User.objects.get()
    assert (user.username, user.email, user.has_usable_password()) == ("ada", "ada@example.org", False)
    assert invited == [("valid", user)]
    assert AuditEvent.objects.get(action=Action.SIGNED_IN).actor == user
    again = Client()
    assert through(provider, again).url == "/"
    assert is_signed_in(again)
    assert User.objects.count() == 1


def test_invalid_invitation_is_none(provider, invited):
    assert "You need an invitation" in through(provider, browser_with("expired")).content.decode()
    assert not User.objects.exists()


def test_refused_invitation_creates_no_account(provider, invited, monkeypatch):
    def refuse(_token, _user):
        raise RuntimeError

    monkeypatch.setattr(invitations, "accept", refuse)
    with pytest.raises(RuntimeError):
        through(provider, browser_with("valid"))
    assert not User.objects.exists()


@pytest.mark.parametrize(
    ("domains", "claims", "is_allowed"),
    [
        (["example.org"], {}, True),
        (["example.com"], {}, False),
        (["example.org"], {"email_verified": False}, False),
        (["example.org"], {"email": "ada@evil-example.org"}, False),
        ([], {}, False),
    ],
)
def test_verified_address_of_an_allowed_domain_needs_no_invitation(provider, settings, domains, claims, is_allowed):
    configure(settings, provider.url, domains)
    provider.become(**ADA | claims)
    client = Client()
    through(provider, client)
    assert is_signed_in(client) is is_allowed
    assert User.objects.exists() is is_allowed


def test_accounts_are_never_connected_by_address(provider, ada, settings):
    configure(settings, provider.url, ["example.org"])
    client = Client()
    refused = through(provider, client)
    assert refused.status_code == 403
    assert "An account with this email address exists already." in refused.content.decode()
    assert not is_signed_in(client)
    assert not SocialAccount.objects.exists()


def test_signed_in_person_connects_and_disconnects(provider, ada):
    client = Client()
    connected(client, provider)
    assert SocialAccount.objects.get().user == ada
    other = Client()
    through(provider, other)
    assert is_signed_in(other)
    page = client.get(CONNECTIONS).content.decode()
    assert "Connected since" in page
    client.post(CONNECTIONS, {"account": SocialAccount.objects.get().pk})
    assert not SocialAccount.objects.exists()
    events = AuditEvent.objects.filter(action__startswith="openid").order_by("pk")
    assert [(event.action, event.actor) for event in events] == [
        ("openid_connected", ada),
        ("openid_disconnected", ada),
    ]


def test_connecting_asks_for_the_password_first(provider, ada):
    client = Client()
    client.post(SIGN_IN, {"username": "ada", "password": PASSWORD})
    assert through(provider, client, f"{LOGIN}?process=connect").url.startswith("/account/confirm/")
    assert not SocialAccount.objects.exists()


def test_account_of_the_provider_belongs_to_one_person(provider, ada):
    connected(Client(), provider)
    User.objects.create_user("zoe", password=PASSWORD)
    client = Client()
    client.post(SIGN_IN, {"username": "zoe", "password": PASSWORD})
    client.post(f"/account/confirm/?next={CONNECTIONS}", {"password": PASSWORD})
    through(provider, client, f"{LOGIN}?process=connect")
    assert SocialAccount.objects.get().user == ada
    assert "Another person has connected that account already." in client.get(CONNECTIONS).content.decode()


def test_deactivated_person_is_not_signed_in(provider, ada):
    connected(Client(), provider)
    User.objects.update(is_active=False)
    client = Client()
    assert through(provider, client).url == "/account/inactive/"
    assert client.get("/account/inactive/").status_code == 200
    assert not is_signed_in(client)


def test_person_who_refuses_at_the_provider_is_not_signed_in(provider, ada):
    provider.become(refuses=True)
    client = Client()
    assert through(provider, client).url == "/account/openid/cancelled/"
    assert "did not confirm" in client.get("/account/openid/cancelled/").content.decode()


@pytest.mark.parametrize("query", ["", "?code=x", "?code=x&state=made-up", "?state=%FF", "?error=access_denied"])
def test_invalid_callbacks_never_fail_and_sign_nobody_in(provider, ada, query):
    client = Client(raise_request_exception=False)
    assert client.get(f"/account/openid/callback/{query}").status_code in (200, 302, 400, 401, 403)
    assert not is_signed_in(client)


def test_response_for_another_browser_is_refused(provider, ada):
    leaving = Client().post(LOGIN)
    back = urlsplit(provider.continue_from(leaving.url))
    victim = Client()
    victim.get(f"{back.path}?{back.query}")
    assert not is_signed_in(victim)


def test_unreachable_provider_is_one_sentence(settings, db):
    configure(settings, "http://127.0.0.1:1")
    page = Client().post(LOGIN)
    assert page.status_code in (401, 502)
    assert "You are not signed in" in page.content.decode()


def test_pages_do_not_exist_without_a_provider(ada):
    client = Client()
    client.post(SIGN_IN, {"username": "ada", "password": PASSWORD})
    for path in (LOGIN, CONNECTIONS, "/account/openid/callback/", "/account/openid/cancelled/"):
        assert client.get(path).status_code == 404
    assert "the lab" not in Client().get(SIGN_IN).content.decode()


def test_connections_require_signing_in(provider, db):
    assert Client().get(CONNECTIONS).url.startswith(SIGN_IN)
    assert Client().get("/account/signed-in/").url.startswith(SIGN_IN)
