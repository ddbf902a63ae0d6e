"""Keeps people signed in after an upgrade from 0.1. Remove after 0.2."""

from assess.people import backend


class AccountBackend(backend.AccountBackend):
    """The backend that sessions of 0.1 name. It does not sign anybody in."""

    def authenticate(self, *_arguments: object, **_credentials: object) -> None:
        return None
