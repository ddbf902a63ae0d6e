"""Keeps the sessions of people alive who are using the site."""

import logging

from django.conf import settings
from django.contrib.sessions import middleware
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse

from assess.people.sessions import SessionStore

logger = logging.getLogger(__name__)


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
