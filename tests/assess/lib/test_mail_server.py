"""The mail server from the environment."""

import pytest
from django.core.exceptions import ImproperlyConfigured

from assess.lib.mail_server import MailServer, mail_server

FROM = "assay@example.org"


@pytest.fixture
def environment(monkeypatch):
    def environment(url: str, sender: str = FROM) -> None:
        monkeypatch.setenv("ASSAY_EMAIL_URL", url)
        monkeypatch.setenv("ASSAY_EMAIL_FROM", sender)

    return environment


@pytest.mark.parametrize(
    ("url", "server"),
    [
        ("smtp://mail.example.org", MailServer("mail.example.org", 25, "", "", False, False, FROM)),
        ("smtp://a:b@mail.example.org/?tls=1", MailServer("mail.example.org", 587, "a", "b", True, False, FROM)),
        ("smtps://a%40b:%2Fx@[::1]:4650", MailServer("::1", 4650, "a@b", "/x", False, True, FROM)),
    ],
)
def test_server(environment, url, server):
    environment(url)
    assert mail_server() == server


def test_no_server(environment):
    environment("", "")
    assert mail_server() is None


@pytest.mark.parametrize(
    "url",
    [
        "mail.example.org",
        "http://mail.example.org",
        "smtp://",
        "smtp://host:port",
        "smtp://host/?tls=yes",
        "smtp://host/?ssl=1",
        "smtps://host/?tls=1",
        "smtp://host/path",
        "smtp://user:secret@host:99999",
    ],
)
def test_invalid_url_is_refused_without_repeating_it(environment, url):
    environment(url)
    with pytest.raises(ImproperlyConfigured) as refused:
        mail_server()
    assert "is not a URL like smtp://user:password@host:587/?tls=1" in str(refused.value)
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize(("url", "sender"), [("smtp://host", ""), ("", FROM)])
def test_url_and_sender_belong_together(environment, url, sender):
    environment(url, sender)
    with pytest.raises(ImproperlyConfigured, match="Set both or neither"):
        mail_server()


def test_sender_is_an_address(environment):
    environment("smtp://host", "Assay")
    with pytest.raises(ImproperlyConfigured, match="not 'Assay'"):
        mail_server()
