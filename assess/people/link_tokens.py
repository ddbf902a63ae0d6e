"""Tokens of links that open or change an account. Only their hashes are stored."""

import secrets
from hashlib import sha256

TOKEN_BYTES = 16  # 128 random bits, so the hash needs neither a salt nor a slow function


def new_token() -> str:
    """Return a random token of 22 characters, which may stand in an address."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def token_hash(token: str) -> str:
    """Return the hash of a token, or of any other text that somebody sends as one."""
    return sha256(token.encode(errors="replace")).hexdigest()
