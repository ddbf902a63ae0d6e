"""Encrypts secrets that the site must be able to read again, such as the password of a search engine.

The key is derived from the site's secret key, which is not in the database. So a copy of the database, and a backup,
reveals no secret. With a new secret key, the former ones in `SECRET_KEY_FALLBACKS` still decrypt.
"""

import base64

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.utils.encoding import force_bytes


class LostKey(Exception):  # noqa: N818 - not a fault of the program
    """The secret was encrypted with a key that the site no longer has."""


def encrypt(text: str, purpose: str) -> str:
    """Return a text that `decrypt` with the same purpose turns back."""
    return _cipher(purpose).encrypt(text.encode()).decode()


def decrypt(encrypted: str, purpose: str) -> str:
    """Return the text. Raises LostKey if neither the secret key nor a former one fits."""
    try:
        return _cipher(purpose).decrypt(encrypted.encode()).decode()
    except InvalidToken:
        raise LostKey from None


def _cipher(purpose: str) -> MultiFernet:
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    return MultiFernet([Fernet(base64.urlsafe_b64encode(_derived(key, purpose))) for key in keys])


def _derived(key: str | bytes, purpose: str) -> bytes:
    # The purpose separates the keys: a text encrypted for one cannot be read as that of another.
    return HKDF(algorithm=SHA256(), length=32, salt=None, info=purpose.encode()).derive(force_bytes(key))
