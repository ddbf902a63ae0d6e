"""Worksheets of a class exercise: which there are, and which numbers a seat finds on them.

Three kinds: the textbook's, the same for everybody; "generated", numbers of one's own from the seat's seed; and
"pair", the table of a student and their partner, once judging has ended. They are made by `agreement.exercises` and
hold their answers: what a student may see of one is told by `assess.teaching.worksheet_answers`.
"""

from collections.abc import Iterator, Mapping
from functools import cache, lru_cache

from assess.errors import Refused
from assess.models import Exercise, Phase, Seat
from assess.teaching import exercises
from assess.teaching.pairing import Pair, Table, class_pairs

PAIR, GENERATED = exercises.PAIR, "generated"
OWN = {PAIR: "Kappa by hand: my partner and I", GENERATED: "Kappa by hand: my own numbers"}
LABELS = ("nonrelevant", "relevant")
RELEVANT = 1  # of the labels
KEPT = 1_000  # worksheets of own numbers, so that checking an answer does not make them anew


class NoSuchWorksheet(LookupError):  # noqa: N818 - as DoesNotExist
    """The exercise has no worksheet of that key, or the worksheet no such field."""


class Closed(Refused):
    """There is such a worksheet, and it cannot be worked on now."""


@cache
def offered() -> dict[str, str]:
    """All worksheets that an exercise may have: key and title."""
    from agreement.exercises.textbook import EXERCISES, exercise

    return OWN | {key: exercise(key).title for key in EXERCISES}


def titles(exercise: Exercise) -> dict[str, str]:
    """Key and title of the exercise's worksheets; one that is no longer offered is left out."""
    every = offered()
    return {key: every[key] for key in exercise.worksheets if key in every}


def for_seat(seat: Seat, key: str):
    """The worksheet that a student works on now."""
    check_among(seat.exercise, key)
    if not seat.exercise.worksheets_open:
        raise Closed("The worksheets are closed now; your instructor opens them.")
    return of_seat(seat, key)


def check_among(exercise: Exercise, key: str) -> None:
    if key not in titles(exercise):
        raise NoSuchWorksheet(key)


def of_seat(seat: Seat, key: str):
    """The worksheet that a seat has, whether it is open or not."""
    if key == PAIR:
        return _pair(seat, class_pairs(_ended(seat.exercise), only=seat))
    return _generated(seat.seed) if key == GENERATED else textbook(key)


def of_seats(exercise: Exercise, key: str) -> Iterator[tuple[Seat, object, str]]:
    """Every seat with its worksheet, or None and why it has none; as many queries as for one seat."""
    seats = list(exercise.seats.all())
    try:
        found = class_pairs(_ended(exercise)) if key == PAIR else {}
    except Closed as refusal:
        yield from ((seat, None, str(refusal)) for seat in seats)
        return
    for seat in seats:
        try:
            yield seat, _pair(seat, found) if key == PAIR else of_seat(seat, key), ""
        except Closed as refusal:
            yield seat, None, str(refusal)


@cache
def outline(key: str):
    """A worksheet whose fields have the names and marks that everybody's have, whatever their numbers."""
    return _kappa(((1, 1), (1, 1)), key=key, title=OWN[key]) if key in OWN else textbook(key)


def textbook(key: str):
    """The same for everybody."""
    from agreement.exercises.textbook import exercise

    return exercise(key)


@lru_cache(KEPT)
def _generated(seed: int):
    from agreement.exercises import own_numbers

    return _kappa(own_numbers(seed).table, key=GENERATED, title=OWN[GENERATED])


def _ended(exercise: Exercise) -> Exercise:
    if exercises.clock(exercise).phase != Phase.ENDED:
        raise Closed("The table of two partners is there once judging has ended.")
    return exercise


def _pair(seat: Seat, found: Mapping[int, Pair]):
    if seat.pk not in found:
        raise Closed(f"{seat.nickname} is alone in this exercise: there is no partner to compare with.")
    pair = found[seat.pk]
    if not any(map(sum, pair.table)):
        raise Closed(f"No document was graded by both {seat.nickname} and {pair.partner.nickname}: there is no table.")
    return _of_two(pair.table, seat.nickname, pair.partner.nickname, pair.relevant)


# Not kept: a nickname must be gone when its seat is erased.
def _of_two(table: Table, nickname: str, partner: str, relevant: int):
    story = (
        f"{nickname} and {partner} have judged the same documents, each alone; a grade of {relevant} or more counts as "
        "relevant. How often do the two agree, and how much of that would chance alone have made?"
    )
    return _kappa(table, judges=(nickname, partner), key=PAIR, title=OWN[PAIR], story=story)


def _kappa(table: Table, **said):
    from agreement.exercises.worksheets.kappa import kappa_worksheet

    return kappa_worksheet(table, labels=LABELS, relevant=RELEVANT, **said)
