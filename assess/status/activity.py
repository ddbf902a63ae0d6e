"""How much the site is used at the moment."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Q

from assess.models import Collection, Judgement, Session
from assess.people.sessions import REFRESH_AFTER

ACTIVE = timedelta(minutes=5)


@dataclass(frozen=True)
class Activity:
    """`people` have used the site in the last five minutes, or a little before.

    `open_collections` are those where judging is open. `judgements` are those of all collections and kinds.
    """

    people: int
    open_collections: int
    judgements: int


def activity(now: datetime) -> Activity:
    # The database counts the judgements in an index: a million takes less than a tenth of a second.
    return Activity(_active_people(now), _open_collections(now), Judgement.objects.count())


def _active_people(now: datetime) -> int:
    """Count everybody who was active in the last five minutes, and nobody who was not for fifteen.

    A session is written only if the last write is REFRESH_AFTER old. Its end says when that was. The end of a
    student's session says nothing: it is that of the exercise.
    """
    longest = timedelta(seconds=settings.SESSION_COOKIE_AGE)
    written = Q(expire_date__gt=now + longest - REFRESH_AFTER - ACTIVE, expire_date__lte=now + longest)
    sessions = Session.objects.filter(written, user__isnull=False).exclude(user__memberships__seat__isnull=False)
    return sessions.values("user").distinct().count()


def _open_collections(now: datetime) -> int:
    has_not_ended = Q(judging_ends_at=None) | Q(judging_ends_at__gt=now)
    return Collection.objects.filter(has_not_ended, archived_at=None, judging_open=True, judging_closed_at=None).count()
