"""The mail server of the site, from ASSAY_EMAIL_URL.

smtp://USER:PASSWORD@HOST:PORT      port 25 by default; `?tls=1` asks the server for TLS (STARTTLS), port 587 by default
smtps://USER:PASSWORD@HOST:PORT     TLS from the first byte; port 465 by default

User and password may be left out. In both, special characters are written as % and two hexadecimal digits.
"""

import os
from dataclasses import dataclass
from urllib.parse import SplitResult, parse_qs, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured
from django.core.validators import validate_email
from django.forms import ValidationError

URL, FROM = "ASSAY_EMAIL_URL", "ASSAY_EMAIL_FROM"
PORTS = {("smtp", False): 25, ("smtp", True): 587, ("smtps", False): 465}


@dataclass(frozen=True)
class MailServer:
    """The server that sends email, and the address that emails come from."""

    host: str
    port: int
    user: str
    password: str
    starttls: bool
    ssl: bool
    sender: str


def mail_server() -> MailServer | None:
    """Return the server named by the environment, or None if there is none."""
    url, sender = os.environ.get(URL, "").strip(), os.environ.get(FROM, "").strip()
    if not url and not sender:
        return None
    if not url or not sender:
        raise ImproperlyConfigured(f"{URL} and {FROM} belong together. Set both or neither.")
    try:
        validate_email(sender)
    except ValidationError:
        raise ImproperlyConfigured(f"{FROM} must be an address like assay@example.org, not {sender!r}.") from None
    return _parse(url, sender)


def _parse(url: str, sender: str) -> MailServer:
    """Return the server of a URL. The message does not repeat the URL, which contains a password."""
    try:
        parts = urlsplit(url)
        starttls = _starttls(parts)
        port = parts.port or PORTS[parts.scheme, starttls]
        if not parts.hostname or parts.path not in ("", "/"):
            raise ValueError
    except (KeyError, ValueError):
        raise ImproperlyConfigured(
            f"{URL} is not a URL like smtp://user:password@host:587/?tls=1 or smtps://user:password@host. "
            "In the password, write each special character as % and two hexadecimal digits."
        ) from None
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    return MailServer(parts.hostname, port, user, password, starttls, parts.scheme == "smtps", sender)


def _starttls(parts: SplitResult) -> bool:
    """Whether the query asks for TLS. Nothing else may be in it."""
    options = parse_qs(parts.query, keep_blank_values=True, strict_parsing=True) if parts.query else {}
    values = options.pop("tls", ["0"])
    if options or values not in (["0"], ["1"]):
        raise ValueError
    return values == ["1"]
