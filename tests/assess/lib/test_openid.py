"""The OpenID Connect provider from the environment."""

import pytest
from django.core.exceptions import ImproperlyConfigured

from assess.lib.openid import openid_apps, openid_provider

VALUES = {"URL": "https://login.example.org/realms/lab/", "CLIENT_ID": "assay", "SECRET": "secret"}


@pytest.fixture
def environment(monkeypatch):
    def environment(**values: str) -> None:
        for name, value in values.items():
            monkeypatch.setenv(f"ASSAY_OIDC_{name}", value)

    return environment


def test_no_provider():
    assert openid_provider() is None
    assert openid_apps(None) == {"APPS": []}


def test_provider(environment):
    environment(**VALUES)
    provider = openid_provider()
    assert (provider.url, provider.name) == ("https://login.example.org/realms/lab", "login.example.org")
    assert provider.origin == "https://login.example.org"
    assert provider.domains == frozenset()


def test_domains(environment):
    environment(**VALUES, NAME="the lab", SIGNUP="1", DOMAINS="Example.org, @lab.example.com")
    assert openid_provider().domains == {"example.org", "lab.example.com"}


def test_domains_without_signup_allow_nobody(environment):
    environment(**VALUES, DOMAINS="example.org")
    assert openid_provider().domains == frozenset()


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"URL": VALUES["URL"]}, "ASSAY_OIDC_CLIENT_ID and ASSAY_OIDC_SECRET must be set too"),
        (VALUES | {"URL": "login.example.org"}, "ASSAY_OIDC_URL must be an address"),
        (VALUES | {"URL": "https://user:pw@login.example.org"}, "ASSAY_OIDC_URL must be an address"),
        (VALUES | {"SIGNUP": "1"}, "ASSAY_OIDC_DOMAINS"),
        (VALUES | {"SIGNUP": "perhaps"}, "ASSAY_OIDC_SIGNUP must be 1 or 0"),
    ],
)
def test_invalid_values_are_refused(environment, values, reason):
    environment(**values)
    with pytest.raises(ImproperlyConfigured, match=reason):
        openid_provider()
