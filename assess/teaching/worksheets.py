"""The worksheets of a class exercise, and the numbers that each seat gets.

There are four kinds: worksheets from the textbook, which are the same for everybody; "generated", with numbers from
the seat's seed; paradoxes, with a surprising kappa, also from this seed; and "pair", the table of a student and their
partner, after judging has ended. `agreement.exercises` makes them. They contain their answers;
`assess.teaching.worksheet_answers` decides what a student sees of them.

`settled_steps` says how far the students are, for the class screen. It contains no marks.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from django.db.models import Count, Q

from assess.errors import Refused
from assess.models import Exercise, Phase, Seat, WorksheetAnswer
from assess.teaching.clock import PAIR, read_clock
from assess.teaching.pairing import Pair, Table, class_pairs

if TYPE_CHECKING:
    from agreement.exercises.worksheets.worksheet import Worksheet


GENERATED = "generated"
# The worksheets on a table that `agreement.exercises.paradox` finds, by key.
PARADOXES = {"paradox-low": "high agreement, low kappa", "paradox-apart": "pooled and unpooled far apart"}
PARADOX_DOCUMENTS = 40
PER_SEAT_TITLES = {
    PAIR: "Kappa by hand: you and your partner",
    GENERATED: "Kappa by hand: your own numbers",
    **{key: f"A paradox: {name}" for key, name in PARADOXES.items()},
}
LABELS = ("nonrelevant", "relevant")
RELEVANT = 1  # the index in LABELS
CACHED_WORKSHEETS = 1_000  # so that checking an answer does not generate the worksheet again


class NoSuchWorksheet(LookupError):  # noqa: N818 - like Django's DoesNotExist
    """The exercise has no worksheet with this key, or the worksheet has no such field."""


class Closed(Refused):
    """The worksheet exists, but nobody can work on it now."""


@cache
def all_worksheet_titles() -> dict[str, str]:
    """Return the titles of all worksheets that an exercise can have, by key."""
    from agreement.exercises.textbook import EXERCISES, exercise  # loads numpy

    return PER_SEAT_TITLES | {key: exercise(key).title for key in EXERCISES}


def worksheet_titles(exercise: Exercise) -> dict[str, str]:
    """Return the titles of the exercise's worksheets, by key. Worksheets that no longer exist are left out."""
    titles = all_worksheet_titles()
    return {key: titles[key] for key in exercise.worksheets if key in titles}


def check_key(exercise: Exercise, key: str) -> None:
    """Raise NoSuchWorksheet unless the exercise has a worksheet with this key."""
    if key not in worksheet_titles(exercise):
        raise NoSuchWorksheet(key)


def available_worksheet(seat: Seat, key: str) -> "Worksheet":
    """Return the worksheet that a student can work on now, or raise Closed."""
    check_key(seat.exercise, key)
    if not seat.exercise.worksheets_open:
        raise Closed("The worksheets are closed. Your instructor opens them.")
    return worksheet_for(seat, key)


def worksheet_for(seat: Seat, key: str) -> "Worksheet":
    """Return the worksheet of a seat, whether the worksheets are open or not."""
    if key == PAIR:
        _check_ended(seat.exercise)
        return _pair_worksheet(seat, class_pairs(seat.exercise, only=seat))
    if key in PARADOXES:
        return _paradox(key, seat.seed)
    return _generated(seat.seed) if key == GENERATED else textbook_worksheet(key)


def worksheets_by_seat(exercise: Exercise, key: str) -> Iterator[tuple[Seat, "Worksheet | None", str]]:
    """Yield every seat with its worksheet, or with None and the reason why it has none.

    The number of queries does not depend on the number of seats.
    """
    seats = list(exercise.seats.all())
    try:
        if key == PAIR:
            _check_ended(exercise)
        pairs = class_pairs(exercise) if key == PAIR else {}
    except Closed as refusal:
        yield from ((seat, None, str(refusal)) for seat in seats)
        return
    for seat in seats:
        try:
            yield seat, _pair_worksheet(seat, pairs) if key == PAIR else worksheet_for(seat, key), ""
        except Closed as refusal:
            yield seat, None, str(refusal)


@cache
def outline(key: str) -> "Worksheet":
    """Return a worksheet with the field names and marks that it has for every seat, whatever the numbers are."""
    if key in PER_SEAT_TITLES:
        return _kappa_worksheet(((1, 1), (1, 1)), key=key, title=PER_SEAT_TITLES[key])
    return textbook_worksheet(key)


def textbook_worksheet(key: str) -> "Worksheet":
    """Return a worksheet that is the same for every seat."""
    from agreement.exercises.textbook import exercise  # loads numpy

    return exercise(key)


@lru_cache(CACHED_WORKSHEETS)
def _generated(seed: int) -> "Worksheet":
    from agreement.exercises import own_numbers  # loads numpy

    return _kappa_worksheet(own_numbers(seed).table, key=GENERATED, title=PER_SEAT_TITLES[GENERATED])


@lru_cache(CACHED_WORKSHEETS)
def _paradox(key: str, seed: int) -> "Worksheet":
    from agreement.exercises import paradox  # loads numpy

    table = paradox(PARADOXES[key], PARADOX_DOCUMENTS, seed).tables[0]
    return _kappa_worksheet(table, key=key, title=PER_SEAT_TITLES[key])


def _check_ended(exercise: Exercise) -> None:
    if read_clock(exercise).phase != Phase.ENDED:
        raise Closed("The table of two partners is available after judging has ended.")


def _pair_worksheet(seat: Seat, pairs: Mapping[int, Pair]) -> "Worksheet":
    if seat.pk not in pairs:
        raise Closed(f"{seat.nickname} is the only student in this exercise, so there is no partner to compare with.")
    pair = pairs[seat.pk]
    if not any(map(sum, pair.table)):
        raise Closed(
            f"{seat.nickname} and {pair.partner.nickname} have graded no document in common, so there is no table."
        )
    return _worksheet_of_two(pair.table, seat.nickname, pair.partner.nickname, pair.relevant)


# Not cached: a nickname must disappear when its seat is erased.
def _worksheet_of_two(table: Table, nickname: str, partner: str, relevant: int) -> "Worksheet":
    story = (
        f"{nickname} and {partner} judged the same documents independently. A grade of {relevant} or higher counts as "
        "relevant. How often do they agree, and how much agreement would there be by chance alone?"
    )
    return _kappa_worksheet(table, judges=(nickname, partner), key=PAIR, title=PER_SEAT_TITLES[PAIR], story=story)


def _kappa_worksheet(table: Sequence[Sequence[int]], **options: Any) -> "Worksheet":
    from agreement.exercises.worksheets.kappa import kappa_worksheet  # loads numpy

    return kappa_worksheet(table, labels=LABELS, relevant=RELEVANT, **options)


def number_of_steps(exercise: Exercise) -> int:
    """Return the number of steps of all worksheets of an exercise."""
    return sum(len(outline(key).fields) for key in worksheet_titles(exercise))


def settled_steps(exercise: Exercise) -> dict[int, int]:
    """Return how many steps are right or were shown, by the primary key of the seat. Seats without any are left out."""
    keys = worksheet_titles(exercise)
    settled = WorksheetAnswer.objects.filter(Q(right=True) | Q(shown=True), worksheet__in=keys)
    rows = settled.filter(seat__exercise=exercise).order_by().values_list("seat")
    return dict(rows.annotate(n=Count("pk")))
