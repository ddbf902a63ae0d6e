"""What a screen of the reveal shows: which students, which model of chance, and from which grade on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from assess.errors import Refused
from assess.models import Exercise, Seat
from assess.teaching.pairing import Participant, participants, partner_of

CHANCES = ("pooled", "unpooled")


@dataclass(frozen=True)
class RevealQuery:
    """The options of a screen.

    `a` and `b` are the two students of the first step, chosen from `seats`, the seats that have judged something.
    `chance` is the model of chance. A document is relevant from grade `rel` on; None keeps all grades apart.
    """

    a: Seat | None = None
    b: Seat | None = None
    chance: str = CHANCES[0]
    rel: int | None = None
    seats: Sequence[Seat] = ()

    @property
    def seat_choices(self) -> list[tuple[int, str]]:
        """The seats that can be chosen, with their nicknames."""
        return [(seat.pk, seat.nickname) for seat in self.seats]


def parse_query(exercise: Exercise, query: Mapping[str, str], rel: int | None) -> RevealQuery:
    """Read the query string of a screen. If no students are named, the first two who judged are compared."""
    chance = query.get("chance") or CHANCES[0]
    if chance not in CHANCES:
        raise Refused(f"chance must be one of {', '.join(CHANCES)}, not {chance[:20]!r}.")
    judged = _judged(exercise)
    seats = [participant.seat for participant in judged]
    a = _seat(seats, query.get("a")) or next(iter(seats), None)
    b = _seat(seats, query.get("b")) or (partner_of(a, judged) if a else None)
    if a and a == b:
        raise Refused(f"Choose two different students, not {a} twice.")
    return RevealQuery(a, b, chance, rel, seats)


def _judged(exercise: Exercise) -> list[Participant]:
    return [participant for participant in participants(exercise) if participant.has_judged]


def _seat(seats: Sequence[Seat], pk: str | None) -> Seat | None:
    if not pk:
        return None
    seat = next((seat for seat in seats if str(seat.pk) == pk), None)
    if seat is None:
        raise Refused("That seat has no judgements in this exercise. Choose two of the students listed.")
    return seat
