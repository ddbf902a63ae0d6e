"""Seats: how students come into an exercise, come back to it, and how far each of them is.

A seat is a user without a password and with a random name, who is an assessor of the exercise's collection under the
nickname. Nothing else of a student is known.
"""

import secrets
import unicodedata
from collections import Counter
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.db.models import Count, Max, Q, QuerySet

from assess.errors import Refused
from assess.lib.seeded_draw import draw
from assess.models import Assignment, Exercise, Judgement, Member, Phase, Role, Seat, Task, Tombstone, User
from assess.models.exercise import LETTERS, NICKNAME_LENGTH, REENTRY_LENGTH, still_kept
from assess.people import erasure
from assess.pools.tasks import SETTLED
from assess.teaching.code_throttle import check_throttle, record_wrong_code, reentry_code_key
from pooling.errors import shown

MOST_SEATS = 200  # in one exercise
BLANK = frozenset("\u115f\u1160\u2800")  # letters and symbols to Unicode, nothing to the eye
# The joiner and the selectors of a variant, in printable text but of no width.
INVISIBLE = [0x034F, *range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)]
UNSEEN = dict.fromkeys([*INVISIBLE, *map(ord, BLANK)])


# ---- nicknames


def checked_nickname(text: str) -> str:
    """The nickname as it is kept, or a refusal: one line of 1 to 24 printable characters."""
    if control := next((character for character in text.strip() if unicodedata.category(character) == "Cc"), None):
        raise Refused(f"The nickname holds the control character U+{ord(control):04X}; it is one line of plain text.")
    nickname = " ".join(unicodedata.normalize("NFKC", text).split())
    if len(nickname) > NICKNAME_LENGTH:
        raise Refused(f"This nickname has {len(nickname)} characters; at most {NICKNAME_LENGTH} are possible.")
    if not any(unicodedata.category(character)[0] in "LNPS" and character not in BLANK for character in nickname):
        raise Refused(f"The nickname is empty; it is 1 to {NICKNAME_LENGTH} characters that can be seen.")
    if not nickname.isprintable():
        raise Refused(f"The nickname {shown(nickname)} holds a character that cannot be seen; leave it out.")
    return nickname


def nickname_key(nickname: str) -> str:
    """Two nicknames with the same key are the same to whoever reads them aloud."""
    seen = unicodedata.normalize("NFKC", nickname).translate(UNSEEN)
    return unicodedata.normalize("NFKC", " ".join(seen.split()).casefold())


# ---- in


def join(exercise: Exercise, nickname: str) -> Seat:
    """A new seat with all its tasks; also while the exercise is running or paused."""
    nickname = checked_nickname(nickname)
    with transaction.atomic():
        # One after the other: two at once could take the same nickname, or the last seat both.
        exercise = _locked(exercise)
        _check_open(exercise, nickname)
        user = User.objects.create(username=f"seat-{secrets.token_hex(8)}", password=make_password(None))
        member = Member.objects.create(collection=exercise.collection, user=user, role=Role.ASSESSOR, name=nickname)
        seat = Seat.objects.create(
            exercise=exercise, member=member, nickname=nickname, nickname_key=nickname_key(nickname)
        )
        _give(seat)
    return seat


def _locked(exercise: Exercise) -> Exercise:
    rows = Exercise.objects.select_for_update(of=("self",)).select_related("collection")
    if (row := rows.filter(pk=exercise.pk).first()) is None:
        raise Refused("This exercise is gone: it was erased with all that was in it.")
    return row


def _check_open(exercise: Exercise, nickname: str) -> None:
    from assess.teaching.exercises import clock  # it imports this module

    if clock(exercise).phase == Phase.ENDED:
        raise Refused("This exercise has ended; nobody can join any more. Who has a seat comes back with its code.")
    # Every member's name: the instructor's is taken too.
    taken = [nickname_key(name) for name in exercise.collection.members.values_list("name", flat=True)]
    if nickname_key(nickname) in taken:
        raise Refused(f"Somebody here is called {shown(nickname)} already; choose another nickname.")
    if len(taken) > MOST_SEATS:  # one of them is the instructor
        raise Refused(f"All {MOST_SEATS} seats of this exercise are taken.")


def _give(seat: Seat) -> None:
    """The shared tasks, and of the others those that fewest have; each topic in an order of the seat's own."""
    tasks = list(_tasks(seat.exercise).select_related("topic", "document").only("topic__query_id", "document__doc_id"))
    shared, others = tasks[: seat.exercise.shared], tasks[seat.exercise.shared :]
    drawn = {task.pk: draw(seat.seed, task.topic.query_id, task.document.doc_id) for task in tasks}
    more = _least_given(others, drawn, seat.exercise.more_each)
    places: Counter = Counter()
    given = []
    for task in sorted([*shared, *more], key=lambda task: drawn[task.pk]):
        given.append(Assignment(task=task, topic_id=task.topic_id, member=seat.member, position=places[task.topic_id]))
        places[task.topic_id] += 1
    Assignment.objects.bulk_create(given)


def _least_given(tasks: list[Task], drawn: dict[int, int], k: int) -> list[Task]:
    if not k or not tasks:
        return []
    rows = Assignment.objects.filter(task__in=[task.pk for task in tasks]).order_by().values_list("task")
    load = dict(rows.annotate(n=Count("pk")))
    return sorted(tasks, key=lambda task: (load.get(task.pk, 0), drawn[task.pk]))[:k]


def _tasks(exercise: Exercise) -> QuerySet[Task]:
    return Task.objects.filter(topic__collection=exercise.collection_id).order_by("pk")


def shared_tasks(exercise: Exercise) -> list[int]:
    """The keys of the tasks that everybody judges."""
    return list(_tasks(exercise).values_list("pk", flat=True)[: exercise.shared])


# ---- back


def come_back(exercise: Exercise, reentry_code: str, address: str = "") -> Seat:
    """The seat of a re-entry code. With the client's `address`, wrong codes from there are throttled."""
    door = reentry_code_key(address, exercise.pk) if address else None
    if door:
        check_throttle(door)
    code = plain_code(reentry_code)
    seats = Seat.objects.select_related("exercise", "member__user", "member__collection")
    if seat := seats.filter(exercise=exercise, reentry_code=code).first():
        return seat
    if door:
        record_wrong_code(door)
    raise Refused(
        f"No seat of this exercise has the code {shown(reentry_code.strip())}; a re-entry code has {REENTRY_LENGTH} "
        f"of the characters {LETTERS}."
    )


def plain_code(text: str) -> str:
    """A code as it is stored: capitals, without the spaces and hyphens that people put between."""
    text = unicodedata.normalize("NFKC", text).upper()
    return "".join(each for each in text if not each.isspace() and unicodedata.category(each) != "Pd")[:80]


def seat_for(user) -> Seat | None:
    """The seat that a user is there for, with its exercise and collection."""
    seats = Seat.objects.select_related("exercise__collection", "member__collection")
    return seats.filter(still_kept("exercise__"), member__user=user).first() if user.is_authenticated else None


# ---- how far


@dataclass(frozen=True)
class SeatProgress:
    """How many of a seat's tasks are settled, and when something was last heard of it. Never a grade."""

    seat: Seat
    judged: int
    of: int
    last_seen: datetime


def take_out(seat: Seat) -> Tombstone:
    """Remove a seat with all that was said from it; the others stay as they are."""
    return erasure.erase([seat.member], "a seat, by the instructor")


def progress(exercise: Exercise) -> list[SeatProgress]:
    """Every seat in the order of joining; three queries, however many seats there are."""
    seats = list(exercise.seats.select_related("member__user"))
    members = exercise.seats.order_by().values("member")
    given = Assignment.objects.filter(member__in=members).order_by().values_list("member")
    given = given.annotate(settled=Count("pk", filter=Q(state__in=SETTLED)), all=Count("pk"))
    counts = {member: counted for member, *counted in given}
    said = Judgement.objects.filter(member__in=members).order_by().values_list("member")
    last = dict(said.annotate(at=Max("judged_at")))
    return [
        SeatProgress(seat, *counts.get(seat.member_id, (0, 0)), _latest(seat, last.get(seat.member_id)))
        for seat in seats
    ]


def _latest(seat: Seat, judged_at: datetime | None) -> datetime:
    times = (seat.joined_at, seat.member.user.last_login, judged_at)
    return max(at for at in times if at is not None)


def current_seat(user: User) -> Seat | None:
    """The seat of whoever is signed in, looked up once a request. People with a password have none, and cost no
    query."""
    if not user.is_authenticated or user.has_usable_password():
        return None
    if not hasattr(user, "held_seat"):
        user.held_seat = seat_for(user)
    return user.held_seat
