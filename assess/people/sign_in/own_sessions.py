"""The list of one's sessions, and ending them.

The last use follows from the end of a session, so that no request writes more than before. It is known to ten minutes.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac

from assess import audit
from assess.errors import Refused
from assess.models import Action, Session, User

MOST = 100
# The first word that a User-Agent header contains decides; most headers contain those of others too.
BROWSERS = (("Firefox/", "Firefox"), ("Edg", "Edge"), ("OPR/", "Opera"), ("Chrome/", "Chrome"), ("Safari/", "Safari"))
SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)


@dataclass(frozen=True)
class OwnSession:
    """A session as its user sees it. `name` stands for it in forms, because its key would give access to it."""

    name: str
    browser: str
    signed_in_at: datetime | None
    last_used_at: datetime
    is_present: bool


def sessions_of(user: User, present_key: str | None) -> list[OwnSession]:
    """Return the sessions of a user, the last used one first."""
    age = timedelta(seconds=settings.SESSION_COOKIE_AGE)
    rows = Session.objects.filter(user=user, expire_date__gt=timezone.now()).order_by("-expire_date")
    return [
        OwnSession(
            name=_name(row.session_key),
            browser=browser_name(row.browser),
            signed_in_at=row.signed_in_at,
            last_used_at=row.expire_date - age,
            is_present=row.session_key == present_key,
        )
        for row in rows[:MOST]
    ]


def browser_name(header: str) -> str:
    """Return what a User-Agent header says in a few words, such as "Firefox on Linux"."""
    browser = next((name for word, name in BROWSERS if word in header), "Unknown browser")
    system = next((name for word, name in SYSTEMS if word in header), "")
    return f"{browser} on {system}" if system else browser


@transaction.atomic
def end_session(user: User, name: str) -> None:
    """End one session of a user."""
    keys = Session.objects.filter(user=user).values_list("session_key", flat=True)
    key = next((key for key in keys if constant_time_compare(_name(key), name)), None)
    if key is None:
        raise Refused("This session has ended already.")
    Session.objects.filter(session_key=key).delete()
    audit.record(Action.SESSIONS_ENDED, actor=user, person=user, details={"sessions": 1})


@transaction.atomic
def end_other_sessions(user: User, present_key: str | None) -> int:
    """End all sessions of a user but one. Returns how many."""
    ended, _ = Session.objects.filter(user=user).exclude(session_key=present_key or "").delete()
    if ended:
        audit.record(Action.SESSIONS_ENDED, actor=user, person=user, details={"sessions": ended})
    return ended


def _name(key: str) -> str:
    return salted_hmac("assess.people.sign_in.own_sessions", key, algorithm="sha256").hexdigest()[:32]
