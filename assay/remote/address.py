"""The address of a site and the token for it: what is accepted, and where they come from.

The address is that of the home page, such as `https://assay.example.org`. Without TLS, everybody on the way can read
the token, so `http` is accepted for this computer only, unless the caller allows it.
"""

import os
from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit

from assay.remote.errors import SiteError
from assay.remote.saved import saved_login

MISSING_ADDRESS = (
    "Which site? Pass its address as `url`, set ASSAY_URL, or sign in with `assay remote login URL` in a terminal."
)
MISSING_LOGIN = (
    "There is no token for {url}. Make one on your account page of the site, under API tokens. Then pass it as `token`,"
    " set ASSAY_TOKEN, or run `assay remote login {url}` in a terminal."
)
NOT_AN_ADDRESS = "The address of a site begins with https:// and has no user name, query or fragment: {shown}."
PLAIN_HTTP = (
    "The token is not sent to {url}: without TLS (https), others can read it on the way. If you trust the network,"
    " pass allow_http=True (for `assay remote`: --allow-http)."
)


def resolve(url: str | None, token: str | None, allow_http: bool = False) -> tuple[str, str]:
    """The address and the token, from the arguments, the environment, or the saved login."""
    url = url or os.environ.get("ASSAY_URL") or saved_login().default
    if not url:
        raise SiteError(MISSING_ADDRESS)
    url = checked_address(url, allow_http)
    token = token or _environment_token(url) or saved_login().tokens.get(url)
    if not token:
        raise SiteError(MISSING_LOGIN.format(url=url))
    return url, checked_token(token)


def _environment_token(url: str) -> str | None:
    """The token in the environment, unless the environment names another site, which it then belongs to."""
    other = os.environ.get("ASSAY_URL", "").strip().rstrip("/")
    return os.environ.get("ASSAY_TOKEN") if other in ("", url) else None


def checked_address(url: str, allow_http: bool = False) -> str:
    """The address without a slash at its end."""
    parts = _split(url)
    if parts.scheme == "http" and not allow_http and not is_loopback(parts.hostname or ""):
        raise SiteError(PLAIN_HTTP.format(url=url))
    return url.strip().rstrip("/")


def checked_token(token: str) -> str:
    """The token without spaces around it."""
    token = token.strip()
    if not (token.isascii() and token.isprintable()) or " " in token:
        raise SiteError("The token has a character that no token has. Copy it again.")
    return token


def is_loopback(host: str) -> bool:
    """Whether a host is this computer."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _split(url: str) -> SplitResult:
    try:
        parts = urlsplit(url.strip())
        host = parts.hostname
    except ValueError:
        raise SiteError(NOT_AN_ADDRESS.format(shown="this is no address")) from None
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        raise SiteError(NOT_AN_ADDRESS.format(shown="this one has"))  # it may contain a secret
    if parts.scheme not in ("http", "https") or not host:
        raise SiteError(NOT_AN_ADDRESS.format(shown=f"not {url!r}"))
    return parts
