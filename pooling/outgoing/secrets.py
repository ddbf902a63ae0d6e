"""Secrets of requests: they travel in a header only, and are removed from every text that a server sends back."""

import json
from urllib.parse import parse_qsl

from pooling.errors import shown

HEADER = "Authorization"
HIDDEN = "[secret]"
SHORTEST = 8  # characters of a secret that is looked for; a shorter one also occurs in ordinary words
_WORDS = ("key", "token", "secret", "password", "passwd", "signature", "credential", "auth", "authorization")


def check_header(header: str, secret: str) -> None:
    """Raise ValueError unless a header can carry a secret. It cannot contain line ends, which would add headers.

    Examples
    --------
    >>> check_header("Authorization", "Bearer abc")
    """
    if not header.isascii() or not header.replace("-", "").isalnum() or header.lower() in ("host", "content-length"):
        raise ValueError(f"The header {shown(header)} must be a name of letters, digits and hyphens, not Host.")
    if not (secret.isascii() and (not secret or secret.isprintable())):
        raise ValueError("The secret must have printable ASCII characters.")


def refuse_secret_parameters(query: str) -> None:
    """Raise ValueError if a parameter of an address looks like a secret, since addresses are shown and kept.

    Examples
    --------
    >>> refuse_secret_parameters("api-version=1&api_key=abc")
    Traceback (most recent call last):
    ValueError: The parameter 'api_key' of the address looks like a secret. Use the header.
    """
    for name, _value in parse_qsl(query, keep_blank_values=True):
        if name.lower().endswith(_WORDS):
            raise ValueError(f"The parameter {shown(name)} of the address looks like a secret. Use the header.")


def without_secret(body: bytes, secret: str) -> bytes:
    """Return an answer in which the words of a secret are replaced, also as JSON escapes them.

    Examples
    --------
    >>> without_secret(b'{"error": "wrong key sk-12345678"}', "Bearer sk-12345678")
    b'{"error": "wrong key [secret]"}'
    """
    for word in sorted({secret, *secret.split()}, key=len, reverse=True):
        if len(word) >= SHORTEST:
            escaped = json.dumps(word)[1:-1]
            for form in (word, escaped, escaped.replace("/", "\\/")):
                body = body.replace(form.encode(), HIDDEN.encode())
    return body
