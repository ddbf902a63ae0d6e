"""The OpenID Connect provider of the site, from environment variables.

ASSAY_OIDC_URL        the issuer, such as https://login.example.org/realms/lab
ASSAY_OIDC_CLIENT_ID  the client that the provider has registered for this site
ASSAY_OIDC_SECRET     its secret
ASSAY_OIDC_NAME       what the sign-in page calls the provider (default: the host name of the issuer)
ASSAY_OIDC_SIGNUP     1: people of the provider may create accounts without an invitation
ASSAY_OIDC_DOMAINS    the domains of their email addresses, comma-separated; required for ASSAY_OIDC_SIGNUP
"""

import os
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from assess.lib.environment import flag, words

PREFIX = "ASSAY_OIDC_"
PROVIDER_ID = "openid"
REQUIRED = ("URL", "CLIENT_ID", "SECRET")


@dataclass(frozen=True)
class OpenIdProvider:
    """A provider. `domains` are those whose people may create accounts without an invitation."""

    url: str
    client_id: str
    secret: str
    name: str
    domains: frozenset[str]

    @property
    def origin(self) -> str:
        """The scheme, host and port, to which the sign-in page sends its form."""
        parts = urlsplit(self.url)
        return f"{parts.scheme}://{parts.netloc}"


def openid_provider() -> OpenIdProvider | None:
    """Return the provider named by the environment, or None if there is none."""
    values = {name: os.environ.get(PREFIX + name, "").strip() for name in (*REQUIRED, "NAME")}
    if not any(values[name] for name in REQUIRED):
        return None
    if missing := [PREFIX + name for name in REQUIRED if not values[name]]:
        raise ImproperlyConfigured(f"{' and '.join(missing)} must be set too, since another {PREFIX}* variable is.")
    parts = urlsplit(values["URL"])
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username or parts.query:
        raise ImproperlyConfigured(f"{PREFIX}URL must be an address like https://login.example.org, not that.")
    return OpenIdProvider(
        values["URL"].rstrip("/"), values["CLIENT_ID"], values["SECRET"], values["NAME"] or parts.hostname, _domains()
    )


def openid_apps(provider: OpenIdProvider | None) -> dict[str, Any]:
    """Return the settings of django-allauth for the provider."""
    if not provider:
        return {"APPS": []}
    app = {
        "provider_id": PROVIDER_ID,
        "name": provider.name,
        "client_id": provider.client_id,
        "secret": provider.secret,
    }
    return {"APPS": [app | {"settings": {"server_url": provider.url}}], "OAUTH_PKCE_ENABLED": True}


def _domains() -> frozenset[str]:
    domains = frozenset(word.lower().removeprefix("@") for word in words(f"{PREFIX}DOMAINS"))
    if not flag(f"{PREFIX}SIGNUP"):
        return frozenset()
    if not domains:
        raise ImproperlyConfigured(
            f"{PREFIX}SIGNUP is set. Name the allowed domains of email addresses: {PREFIX}DOMAINS."
        )
    return domains
