"""Partners in a class exercise: who is compared with whom, and the table of the two.

A seat's partner is who joined next, and the first for the last. Who judged nothing is passed over, as long as somebody
else judged something.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Exists, OuterRef

from assess.collections.scale import lowest_relevant_grade
from assess.models import Exercise, Judgement, Seat, State

Table = tuple[tuple[int, int], tuple[int, int]]


@dataclass(frozen=True)
class Pair:
    """A seat and its partner. The table counts nonrelevant and relevant; rows are the seat's, columns the partner's."""

    seat: Seat
    partner: Seat
    table: Table
    relevant: int  # the lowest grade that counts as relevant


def class_pairs(exercise: Exercise, only: Seat | None = None) -> dict[int, Pair]:
    """By seat its pair, of all seats or of one: three queries. Who is alone has none."""
    seats = seats_of(exercise)
    if len(seats) < 2:
        return {}
    couples = [(seat, partner_of(seat, seats)) for seat in seats if only is None or seat == only]
    relevant = lowest_relevant_grade(exercise.collection)
    said = _said({each.member_id for couple in couples for each in couple})
    return {seat.pk: Pair(seat, partner, _table(said, seat, partner, relevant), relevant) for seat, partner in couples}


def seats_of(exercise: Exercise) -> list[Seat]:
    """All seats in the order of joining; `has_judged` says of each whether there is a grade of it."""
    said = Judgement.objects.filter(member=OuterRef("member"), repeat=0, state=State.JUDGED)
    return list(exercise.seats.annotate(has_judged=Exists(said)))


def partner_of(seat: Seat, seats: Sequence[Seat]) -> Seat | None:
    """Among `seats_of` an exercise the partner of one of them."""
    at = seats.index(seat)
    others = [*seats[at + 1 :], *seats[:at]]
    return next((other for other in others if other.has_judged), next(iter(others), None))


def _said(members: Iterable[int]) -> dict[int, dict[int, int]]:
    """By member and task the grade."""
    said = defaultdict(dict)
    rows = Judgement.objects.filter(member__in=members, repeat=0, state=State.JUDGED)
    for member, task, relevance in rows.values_list("member", "task", "relevance"):
        said[member][task] = relevance
    return said


def _table(said: dict[int, dict[int, int]], seat: Seat, partner: Seat, relevant: int) -> Table:
    own, others = said[seat.member_id], said[partner.member_id]
    cells = Counter((own[task] >= relevant, others[task] >= relevant) for task in own.keys() & others.keys())
    return tuple(tuple(cells[first, second] for second in (False, True)) for first in (False, True))
