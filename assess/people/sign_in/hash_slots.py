"""Limits how many passwords are checked at the same time, so that hashing leaves the server free for other pages.

A password hash takes a core for some tenths of a second. At most AT_ONCE are computed at a time in a process. A sign-in
is admitted only while fewer than ADMITTED are being checked or waiting in the process, and fewer than OF_NETWORK of
them are from its network; otherwise it is refused at once, and no thread waits for it. One place is for names that no
account has, so that invented names keep nobody out who has an account. The sign-in page tries again by itself, so that
a class behind one address signs in within seconds, one after the other.

A name that is refused here while the server is otherwise idle has probably no account. `throttle` limits how many names
can be tried so.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from threading import BoundedSemaphore, Lock, local
from typing import Any

from django.contrib.auth.hashers import PBKDF2PasswordHasher

from assess.throttle import TooManyAttempts

AT_ONCE = 2  # hashes
ADMITTED = 3  # sign-ins; a process has at least four threads, and one is left for other pages
OF_NETWORK = 2
UNKNOWN = "names that no account has"  # in place of their networks
NEW_PASSWORDS = "new passwords"
SENTENCE = "Many people are signing in at the moment. Your password was not read. Try again in a few seconds."

_hashing = BoundedSemaphore(AT_ONCE)
_lock = Lock()
_admitted: Counter[str] = Counter()
_thread = local()


class Busy(TooManyAttempts):
    """Too many passwords are being checked. The client can try again in a second."""

    def __init__(self) -> None:
        super().__init__(SENTENCE, timedelta(seconds=1))


@contextmanager
def admitted(network: str, *, is_account: bool) -> Iterator[None]:
    """Check a password within this block. Raises Busy if too many are being checked."""
    most = OF_NETWORK if is_account else 1
    network = network if is_account else UNKNOWN
    with _lock:
        if _admitted.total() >= ADMITTED or _admitted[network] >= most:
            raise Busy
        _admitted[network] += 1
    _thread.is_admitted = True
    try:
        yield
    finally:
        _thread.is_admitted = False
        with _lock:
            _admitted[network] -= 1
            if not _admitted[network]:
                del _admitted[network]


class LimitedHasher(PBKDF2PasswordHasher):
    """Django's hasher, which waits while AT_ONCE hashes are being computed in this process.

    A new password takes a place among the sign-ins, and is refused by Busy if there is none.
    """

    def encode(self, password: str, salt: str, iterations: int | None = None) -> Any:
        if not getattr(_thread, "is_admitted", False):
            with admitted(NEW_PASSWORDS, is_account=True):
                return self.encode(password, salt, iterations)
        with _hashing:
            return super().encode(password, salt, iterations)
