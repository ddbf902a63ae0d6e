"""Seats: how students join an exercise, return to it, and how far each of them is.

A seat has a user without a password and with a random username. This user is an assessor of the exercise's collection
under the nickname. Nothing else about a student is stored.
"""

import secrets
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256

from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db import transaction
from django.db.models import Count, Max, Q, QuerySet
from django.utils import timezone

from assess import throttle
from assess.collections.sight import check_may_judge
from assess.errors import Refused
from assess.lib.seeded_draw import draw
from assess.models import Assignment, Exercise, Judgement, Member, Phase, Role, Seat, SeatToken, Task, Tombstone, User
from assess.models.exercise import LETTERS, MAX_SEATS, NICKNAME_LENGTH, REENTRY_LENGTH, not_expired
from assess.people import erasure
from assess.pools.tasks import SETTLED
from assess.teaching.clock import read_clock
from assess.teaching.code_throttle import Visitor, WrongCode, reentry_code_limits
from assess.teaching.codes import MAX_TYPED_LENGTH, is_code, plain_code
from pooling.errors import shown

OTHER_PERSON = "Let somebody join who has not seen them."
TOKEN_BYTES = 24  # a random token of 32 characters
TOKEN_LIFE = timedelta(hours=12)
BLANK = frozenset("\u115f\u1160\u2800")  # letters and symbols in Unicode, but without a visible glyph
# The grapheme joiner and the variation selectors: printable according to Unicode, but without width.
INVISIBLE = [0x034F, *range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)]
WITHOUT_INVISIBLE = dict.fromkeys([*INVISIBLE, *map(ord, BLANK)])


# ---- nicknames


def checked_nickname(text: str) -> str:
    """Return the nickname in the form that is stored, or raise Refused."""
    if control := next((character for character in text.strip() if unicodedata.category(character) == "Cc"), None):
        raise Refused(
            f"The nickname must be one line of plain text, without the control character U+{ord(control):04X}."
        )
    if len(text) > MAX_TYPED_LENGTH:  # before the normalisation, which takes quadratic time
        raise Refused(f"The nickname must have at most {NICKNAME_LENGTH} characters, not {len(text)}.")
    nickname = " ".join(unicodedata.normalize("NFKC", text).split())
    if len(nickname) > NICKNAME_LENGTH:
        raise Refused(f"The nickname must have at most {NICKNAME_LENGTH} characters, not {len(nickname)}.")
    if not any(unicodedata.category(character)[0] in "LNPS" and character not in BLANK for character in nickname):
        raise Refused(f"The nickname is empty. Enter 1 to {NICKNAME_LENGTH} visible characters.")
    if not nickname.isprintable():
        raise Refused(f"The nickname {shown(nickname)} contains an invisible character. Leave it out.")
    return nickname


def nickname_key(nickname: str) -> str:
    """Return a key that is equal for nicknames that look or sound alike."""
    visible = unicodedata.normalize("NFKC", nickname).translate(WITHOUT_INVISIBLE)
    return unicodedata.normalize("NFKC", " ".join(visible.split()).casefold())


# ---- join


def join(exercise: Exercise, nickname: str, account: User | None = None) -> Seat:
    """Create a seat with all its assignments. Students can join until the exercise has ended.

    `account` is that of a visitor who is signed in, and who may have seen the runs.
    """
    nickname = checked_nickname(nickname)
    with transaction.atomic():
        # The lock lets students join one after the other. Otherwise two could get the same nickname or the last seat.
        exercise = _locked_exercise(exercise)
        _check_can_join(exercise, nickname)
        if account is not None:
            check_may_judge(exercise.collection, account, OTHER_PERSON)
        user = User.objects.create(username=f"seat-{secrets.token_hex(8)}", password=make_password(None))
        member = Member.objects.create(collection=exercise.collection, user=user, role=Role.ASSESSOR, name=nickname)
        seat = Seat.objects.create(
            exercise=exercise, member=member, nickname=nickname, nickname_key=nickname_key(nickname)
        )
        _assign_tasks(seat)
    return seat


def _locked_exercise(exercise: Exercise) -> Exercise:
    # Without `of`, the joined row of the collection would be locked too.
    rows = Exercise.objects.select_for_update(of=("self",)).select_related("collection")
    if (row := rows.filter(pk=exercise.pk).first()) is None:
        raise Refused("This exercise no longer exists: it was erased with all its data.")
    return row


def _check_can_join(exercise: Exercise, nickname: str) -> None:
    if read_clock(exercise).phase == Phase.ENDED:
        raise Refused(
            "This exercise has ended, so nobody can join. If you have a seat, return to it with your re-entry code."
        )
    # The names of all members count, because the instructor's name is taken too.
    taken = [nickname_key(name) for name in exercise.collection.members.values_list("name", flat=True)]
    if nickname_key(nickname) in taken:
        raise Refused(f"The nickname {shown(nickname)} is already taken. Choose another nickname.")
    if len(taken) > MAX_SEATS:  # one of the names is the instructor's
        raise Refused(f"All {MAX_SEATS} seats of this exercise are taken.")


def _assign_tasks(seat: Seat) -> None:
    """Assign the shared tasks, and those of the others that fewest seats have, in a random order within each topic."""
    tasks = list(_tasks(seat.exercise).select_related("topic", "document").only("topic__query_id", "document__doc_id"))
    shared, others = tasks[: seat.exercise.shared], tasks[seat.exercise.shared :]
    draws = {task.pk: draw(seat.seed, task.topic.query_id, task.document.doc_id) for task in tasks}
    more = _least_assigned(others, draws, seat.exercise.more_each)
    positions: Counter[int] = Counter()
    assignments = []
    for task in sorted([*shared, *more], key=lambda task: draws[task.pk]):
        position = positions[task.topic_id]
        assignments.append(Assignment(task=task, topic_id=task.topic_id, member=seat.member, position=position))
        positions[task.topic_id] += 1
    Assignment.objects.bulk_create(assignments)


def _least_assigned(tasks: Sequence[Task], draws: Mapping[int, int], k: int) -> list[Task]:
    if not k or not tasks:
        return []
    rows = Assignment.objects.filter(task__in=[task.pk for task in tasks]).order_by().values_list("task")
    load = dict(rows.annotate(n=Count("pk")))
    return sorted(tasks, key=lambda task: (load.get(task.pk, 0), draws[task.pk]))[:k]


def _tasks(exercise: Exercise) -> QuerySet[Task]:
    return Task.objects.filter(topic__collection=exercise.collection_id).order_by("pk")


# ---- return


def rejoin(exercise: Exercise, typed: str, visitor: Visitor | None = None) -> Seat:
    """Return the seat with this re-entry code. The wrong codes of a visitor are limited."""
    code = plain_code(typed)
    if is_code(code, REENTRY_LENGTH):
        limits = reentry_code_limits(visitor, exercise.pk) if visitor else []
        throttle.check(limits)
        seats = Seat.objects.select_related("exercise", "member__user", "member__collection")
        if seat := seats.filter(exercise=exercise, reentry_code=code).first():
            return seat
        throttle.count(limits)
    raise WrongCode(
        f"No seat of this exercise has the code {shown(typed.strip())}. A re-entry code has {REENTRY_LENGTH} "
        f"of the characters {LETTERS}."
    )


def seat_for(user: AbstractBaseUser | AnonymousUser) -> Seat | None:
    """Return the seat of a user, with its exercise and collection, or None."""
    if not user.is_authenticated:
        return None
    seats = Seat.objects.select_related("exercise__collection", "member__collection")
    return seats.filter(not_expired("exercise__"), member__user=user.pk).first()


def current_seat(user: AbstractBaseUser | AnonymousUser) -> Seat | None:
    """Return the seat of the signed-in user, or None. The seat is looked up once a request.

    Users with a password have no seat and cost no query.
    """
    if not user.is_authenticated or user.has_usable_password():
        return None
    if not hasattr(user, CACHED_SEAT):
        setattr(user, CACHED_SEAT, seat_for(user))
    seat: Seat | None = getattr(user, CACHED_SEAT)
    return seat


CACHED_SEAT = "_current_seat"  # the attribute of a request's user


# ---- tokens of browsers


def new_token(seat: Seat) -> str:
    """Return a random token with which a browser holds the seat for twelve hours. Only its hash is stored."""
    token = secrets.token_urlsafe(TOKEN_BYTES)
    SeatToken.objects.create(seat=seat, token_hash=_token_hash(token), expires_at=timezone.now() + TOKEN_LIFE)
    return token


def valid_tokens(tokens: Sequence[str]) -> dict[str, SeatToken]:
    """Return the valid ones of a browser's tokens, in the same order, with their seats."""
    rows = SeatToken.objects.select_related("seat__exercise__collection", "seat__member__user")
    rows = rows.filter(not_expired("seat__exercise__"), expires_at__gt=timezone.now())
    by_hash = {row.token_hash: row for row in rows.filter(token_hash__in=[_token_hash(token) for token in tokens])}
    return {token: row for token in tokens if (row := by_hash.get(_token_hash(token)))}


def end_tokens(tokens: Sequence[SeatToken]) -> None:
    """End the hold of a browser on seats."""
    SeatToken.objects.filter(pk__in=[token.pk for token in tokens]).delete()


def delete_expired_tokens() -> None:
    """Delete the tokens that are no longer valid."""
    SeatToken.objects.filter(expires_at__lte=timezone.now()).delete()


def _token_hash(token: str) -> str:
    # A token has 192 random bits, so its hash needs neither a salt nor a slow function.
    return sha256(token.encode(errors="replace")).hexdigest()


# ---- progress


@dataclass(frozen=True)
class SeatProgress:
    """How many of its `of` tasks a seat has settled, and when it was last active. It contains no grades."""

    seat: Seat
    judged: int
    of: int
    last_seen: datetime
    steps_done: int = 0  # of the worksheets


def seat_progress(exercise: Exercise) -> list[SeatProgress]:
    """Return the progress of every seat, in the order of joining, with three queries for any number of seats."""
    seats = list(exercise.seats.select_related("member__user"))
    members = exercise.seats.order_by().values("member")
    rows = Assignment.objects.filter(member__in=members).order_by().values_list("member")
    counts = {
        member: (settled, total)
        for member, settled, total in rows.annotate(settled=Count("pk", filter=Q(state__in=SETTLED)), total=Count("pk"))
    }
    judgements = Judgement.objects.filter(member__in=members).order_by().values_list("member")
    last_judged = dict(judgements.annotate(at=Max("judged_at")))
    return [
        SeatProgress(seat, *counts.get(seat.member_id, (0, 0)), _last_seen(seat, last_judged.get(seat.member_id)))
        for seat in seats
    ]


def _last_seen(seat: Seat, judged_at: datetime | None) -> datetime:
    user = seat.member.user
    times = (seat.joined_at, user.last_login if user else None, judged_at)
    return max(time for time in times if time is not None)


def remove_seat(seat: Seat, actor: User | None = None) -> Tombstone:
    """Erase one seat and its judgements. The other seats do not change."""
    return erasure.erase([seat.member], "a seat, by the instructor", actor=actor)
