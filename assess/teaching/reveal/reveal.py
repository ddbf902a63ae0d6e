"""The reveal: what a class sees of its own judgements, one step after the other, once judging has ended.

The instructor's screen shows one step at a time. A student's device shows the student's own column of the steps that
were shown, and nothing before. Every figure comes from `agreement`; `assess.teaching.reveal` asks for them, loads pandas, and
is imported only where a figure is needed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from assess.collections.scale import lowest_relevant_grade
from assess.errors import Refused
from assess.models import Exercise, Phase, Seat
from assess.teaching import exercises, pairing
from assess.teaching.exercises import NotYet, clock
from assess.teaching.pairing import partner_of

CHANCES = ("pooled", "unpooled")


class Step(NamedTuple):
    """A step of the reveal; steps are counted from 1."""

    slug: str
    title: str


STEPS = (
    Step("pair", "My partner and I"),
    Step("class", "Every pair of the class"),
    Step("all", "All of you at once"),
    Step("contested", "Where you part"),
    Step("prevalence", "What prevalence does to kappa"),
    Step("ranking", "Which system is best?"),
)
OWN_TABLES = ("pair", "class", "contested")  # the others' sentence says it all


@dataclass(frozen=True)
class RevealQuery:
    """What a screen shows: which two of the `seats` that judged something, chance by which model, and from which grade
    on a document is relevant (None: every grade by itself)."""

    a: Seat | None = None
    b: Seat | None = None
    chance: str = CHANCES[0]
    rel: int | None = None
    seats: Sequence[Seat] = ()


@dataclass(frozen=True)
class StepResult:
    """One step with its figures, or the sentence that says why there are none."""

    number: int
    step: Step
    figures: object | None
    refusal: str = ""

    @property
    def template(self) -> str:
        return f"teach/reveal_{self.step.slug}.html"

    @property
    def own_template(self) -> str:
        """What a student sees beside the sentence, for some steps."""
        return f"join/_own_{self.step.slug}.html" if self.step.slug in OWN_TABLES else ""


# ---- asked


def parse_query(exercise: Exercise, query: Mapping[str, str], rel: int | None) -> RevealQuery:
    """What the address asks for. Who is not named is one of the first two students who judged."""
    chance = query.get("chance") or CHANCES[0]
    if chance not in CHANCES:
        raise Refused(f"chance={chance[:20]} is no model of chance; it is one of {', '.join(CHANCES)}.")
    seats = judged_seats(exercise)
    a = _seat(seats, query.get("a")) or next(iter(seats), None)
    b = _seat(seats, query.get("b")) or (partner_of(a, seats) if a else None)
    if a and a == b:
        raise Refused(f"{a} alone is no pair; choose two different students.")
    return RevealQuery(a, b, chance, rel, seats)


def judged_seats(exercise: Exercise) -> list[Seat]:
    """The seats that judged something, in the order of joining."""
    return [seat for seat in pairing.seats_of(exercise) if seat.has_judged]


def _seat(seats: Sequence[Seat], pk: str | None) -> Seat | None:
    if not pk:
        return None
    found = next((seat for seat in seats if str(seat.pk) == pk), None)
    if found is None:
        raise Refused("That seat has judged nothing here; choose two of the students listed.")
    return found


# ---- the instructor's screen


def check_ended(exercise: Exercise) -> None:
    """Refuse to show anything while somebody may still judge."""
    exercises.check_ended(exercise, "the reveal begins")


def step_result(exercise: Exercise, number: int, asked: RevealQuery) -> StepResult:
    """One step for the screen."""
    check_ended(exercise)
    return _shown(number, _class(exercise, asked.rel), lambda module, material: module.figures(material, asked))


def all_step_results(exercise: Exercise, asked: RevealQuery) -> list[StepResult]:
    """Every step, for paper."""
    check_ended(exercise)
    material = _class(exercise, asked.rel)
    return [
        _shown(number, material, lambda module, material: module.figures(material, asked))
        for number in range(1, len(STEPS) + 1)
    ]


# ---- a student's own device


def own_column(seat: Seat, number: int) -> StepResult:
    """A student's own figures of one step; NotYet before its time, and where students see nothing of their own."""
    if number not in _open_to(seat):
        raise NotYet("This step is not shown yet.")
    return _own(seat, number, _class(seat.exercise, lowest_relevant_grade(seat.exercise.collection)))


def own_columns(seat: Seat) -> list[StepResult]:
    """The own figures of every step that was shown, the newest first; nothing before."""
    steps = _open_to(seat)
    if not steps:
        return []
    material = _class(seat.exercise, lowest_relevant_grade(seat.exercise.collection))
    return [_own(seat, number, material) for number in reversed(steps)]


def _open_to(seat: Seat) -> range:
    exercise = seat.exercise
    if not exercise.show_own or not exercise.reveal_step or clock(exercise).phase != Phase.ENDED:
        return range(0)
    return range(1, min(exercise.reveal_step, len(STEPS)) + 1)


def _own(seat: Seat, number: int, material) -> StepResult:
    return _shown(number, material, lambda module, material: module.own(material, seat))


def _class(exercise: Exercise, rel: int | None):
    from assess.teaching.reveal.material import Material

    return Material(exercise, rel)


def _shown(number: int, material, figures) -> StepResult:
    from assess.teaching.reveal import BY_SLUG

    step = STEPS[number - 1]
    try:
        return StepResult(number, step, figures(BY_SLUG[step.slug], material))
    except Refused as refusal:
        return StepResult(number, step, None, str(refusal))
