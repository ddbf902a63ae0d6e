"""Sessions end after some hours without a request (settings.SESSION_COOKIE_AGE).

Every request reads its session, with a prepared statement. A request writes to it only if the last write is at least
REFRESH_AFTER old, so a session ends up to that much earlier than the setting says.
"""

import logging
from datetime import datetime, timedelta
from typing import Any, cast

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions import middleware
from django.contrib.sessions.backends import db
from django.db import DatabaseError
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from assess import prepared
from assess.models import Session

REFRESH_AFTER = timedelta(minutes=10)
BROWSER = "browser"  # where a sign-in stores the User-Agent header, which becomes a column of the session
SIGNED_IN_AT = "signed_in_at"  # when somebody signed in, in ISO 8601
MAX_BROWSER = Session._meta.get_field("browser").max_length or 0
OWN_END = "_session_expiry"  # where set_expiry() stores a date
logger = logging.getLogger(__name__)


class SessionStore(db.SessionStore):
    """A session in the database. `needs_refresh` says whether this request has to postpone its end."""

    needs_refresh = False

    @classmethod
    def get_model_class(cls) -> type[Session]:
        return Session

    def load(self) -> dict[str, Any]:
        session = prepared.session(self.session_key) if self.session_key else None
        if session is None or session.expire_date <= timezone.now():
            self._session_key = None  # as in Django: do not reuse an unknown session key
            return {}
        content: dict[str, Any] = self.decode(session.session_data)
        has_own_end = OWN_END in content  # that of a student ends with the token of the seat
        self.needs_refresh = not has_own_end and session.expire_date <= self._new_end() - REFRESH_AFTER
        return content

    def refresh(self) -> bool:
        """Postpone the end of the session. Returns False if the session has been deleted in the meantime.

        Only the date is written: saving the whole session could undo what another request has changed.
        """
        self.needs_refresh = False
        own = Session.objects.filter(session_key=self.session_key)
        return bool(own.update(expire_date=self._new_end()))

    def _new_end(self) -> datetime:
        return timezone.now() + timedelta(seconds=self.get_session_cookie_age())

    def create_model_instance(self, data: dict[str, Any]) -> Session:
        session = cast("Session", super().create_model_instance(data))
        session.user_id = int(data[SESSION_KEY]) if SESSION_KEY in data else None
        session.browser = data.get(BROWSER, "")
        session.signed_in_at = datetime.fromisoformat(data[SIGNED_IN_AT]) if SIGNED_IN_AT in data else None
        return session


def expired_sessions() -> QuerySet[Session]:
    """Return the sessions that nobody can use any more."""
    return Session.objects.filter(expire_date__lte=timezone.now())


class SessionMiddleware(middleware.SessionMiddleware):
    """Django's middleware, which also postpones the end of a session that is used, in the database and the cookie."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        response = super().process_response(request, response)
        session = request.session
        # A session that was changed has just been saved, with a new end.
        if isinstance(session, SessionStore) and session.needs_refresh and not session.modified:
            self._refresh(session, response)
        return response

    def _refresh(self, session: SessionStore, response: HttpResponse) -> None:
        try:
            if session.refresh():
                _set_cookie(response, session)
        except DatabaseError:  # the database is busy; the next request tries again, and this one was answered
            logger.warning("The session was not refreshed", exc_info=True)


def _set_cookie(response: HttpResponse, session: SessionStore) -> None:
    response.set_cookie(
        settings.SESSION_COOKIE_NAME,
        session.session_key or "",
        max_age=settings.SESSION_COOKIE_AGE,
        domain=settings.SESSION_COOKIE_DOMAIN,
        path=settings.SESSION_COOKIE_PATH,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=settings.SESSION_COOKIE_HTTPONLY,
        samesite=settings.SESSION_COOKIE_SAMESITE,
    )
