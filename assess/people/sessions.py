"""Reads the session with a prepared statement, since every request needs it."""

from typing import Any

from django.contrib.sessions.backends import db
from django.utils import timezone

from assess import prepared


class SessionStore(db.SessionStore):
    def load(self) -> dict[str, Any]:
        session = prepared.session(self.session_key) if self.session_key else None
        if session is None or session.expire_date <= timezone.now():
            self._session_key = None  # as in Django: do not reuse an unknown session key
            return {}
        return self.decode(session.session_data)
