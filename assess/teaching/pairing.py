"""Pairs of students in a class exercise: each student's partner, and the table of both.

The partner of a seat is the seat that joined next; the partner of the last seat is the first. Seats without judgements
are skipped as long as another seat has judged something.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from assess.collections.scale import lowest_relevant_grade
from assess.models import Assignment, Exercise, Judgement, Seat, State

Table = tuple[tuple[int, int], tuple[int, int]]


@dataclass(frozen=True)
class Participant:
    """A seat, and how many of its assigned documents it has graded."""

    seat: Seat
    n_judged: int
    n_assigned: int

    @property
    def has_judged(self) -> bool:
        """Whether the seat has graded any document."""
        return self.n_judged > 0


@dataclass(frozen=True)
class Pair:
    """A seat and its partner.

    The table counts documents that are not relevant and relevant; rows are the seat's grades, columns the partner's.
    """

    seat: Seat
    partner: Seat
    table: Table
    relevant: int  # the lowest grade that counts as relevant


def participants(exercise: Exercise) -> list[Participant]:
    """Return all seats in the order of joining."""
    judged = Judgement.objects.filter(member=OuterRef("member"), repeat=0, state=State.JUDGED)
    assigned = Assignment.objects.filter(member=OuterRef("member"))
    seats = exercise.seats.annotate(n_judged=_number_of(judged), n_assigned=_number_of(assigned))
    return [Participant(seat, seat.n_judged, seat.n_assigned) for seat in seats]


def _number_of(rows: QuerySet[Any]) -> Coalesce:
    """Return the number of a member's rows as an expression."""
    return Coalesce(Subquery(rows.order_by().values("member").annotate(n=Count("pk")).values("n")), 0)


def partner_of(seat: Seat, among: Sequence[Participant]) -> Seat | None:
    """Return the partner of a seat among participants that include it, or None if it is the only one."""
    at = next(place for place, participant in enumerate(among) if participant.seat == seat)
    others = [*among[at + 1 :], *among[:at]]
    partner = next((other for other in others if other.has_judged), next(iter(others), None))
    return partner.seat if partner else None


def class_pairs(exercise: Exercise, only: Seat | None = None) -> dict[int, Pair]:
    """Return the pair of every seat, or of one seat, by the seat's primary key. A single seat has no pair."""
    everybody = participants(exercise)
    seats = [participant.seat for participant in everybody if only is None or participant.seat == only]
    partners = [(seat, partner) for seat in seats if (partner := partner_of(seat, everybody))]
    if not partners:
        return {}
    relevant = lowest_relevant_grade(exercise.collection)
    grades = _grades({seat.member_id for pair in partners for seat in pair})
    return {
        seat.pk: Pair(seat, partner, _table(grades[seat.member_id], grades[partner.member_id], relevant), relevant)
        for seat, partner in partners
    }


def _grades(members: Iterable[int]) -> defaultdict[int, dict[int, int]]:
    """Return the grade of each task, by member and task."""
    grades: defaultdict[int, dict[int, int]] = defaultdict(dict)
    rows = Judgement.objects.filter(member__in=members, repeat=0, state=State.JUDGED)
    for member, task, relevance in rows.values_list("member", "task", "relevance"):
        if relevance is not None:  # the database ensures this for judged documents
            grades[member][task] = relevance
    return grades


def _table(grades: Mapping[int, int], partner_grades: Mapping[int, int], relevant: int) -> Table:
    common = grades.keys() & partner_grades.keys()
    cells = Counter((grades[task] >= relevant, partner_grades[task] >= relevant) for task in common)
    return (cells[False, False], cells[False, True]), (cells[True, False], cells[True, True])
