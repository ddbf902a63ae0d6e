"""Shows the steps of the reveal, on the instructor's screen and on the students' devices.

The screen shows one step at a time. A student's device shows the student's own figures of the steps that the
instructor has shown. Nothing is shown until judging has ended.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from assess.collections.scale import lowest_relevant_grade
from assess.errors import Refused
from assess.models import Exercise, Phase, Seat
from assess.teaching.clock import check_ended, read_clock
from assess.teaching.reveal.query import RevealQuery
from assess.teaching.reveal.steps import STEPS, Step

if TYPE_CHECKING:
    from assess.teaching.reveal.class_judgements import ClassJudgements
    from assess.teaching.reveal.step_modules import StepModule

OWN_TABLES = ("pair", "class", "contested")  # for the other steps, a student sees the sentence only


@dataclass(frozen=True)
class StepResult:
    """One step with its figures, or the sentence that says why there are none."""

    number: int
    step: Step
    figures: Any | None
    refusal: str = ""

    @property
    def template(self) -> str:
        return f"teach/reveal_{self.step.slug}.html"

    @property
    def own_template(self) -> str:
        """The template of the student's own table, or "" if the step has none."""
        return f"join/_own_{self.step.slug}.html" if self.step.slug in OWN_TABLES else ""


# ---- the instructor's screen


def check_can_reveal(exercise: Exercise) -> None:
    """Refuse the reveal while somebody may still judge."""
    check_ended(exercise, "The reveal opens")


def step_result(exercise: Exercise, number: int, query: RevealQuery) -> StepResult:
    """Return one step for the screen."""
    check_can_reveal(exercise)
    return _screen_result(number, _class_judgements(exercise, query.rel), query)


def all_step_results(exercise: Exercise, query: RevealQuery) -> list[StepResult]:
    """Return every step, for the printable page."""
    check_can_reveal(exercise)
    data = _class_judgements(exercise, query.rel)
    return [_screen_result(number, data, query) for number in range(1, len(STEPS) + 1)]


def _screen_result(number: int, data: "ClassJudgements", query: RevealQuery) -> StepResult:
    return _result(number, lambda module: module.figures(data, query))


# ---- a student's own device


def own_results(seat: Seat) -> list[StepResult]:
    """Return a student's own figures of every step that the student may see, the last step first."""
    steps = _visible_steps(seat)
    if not steps:
        return []
    data = _class_judgements(seat.exercise, lowest_relevant_grade(seat.exercise.collection))
    return [_result(number, lambda module: module.own_figures(data, seat)) for number in reversed(steps)]


def _visible_steps(seat: Seat) -> range:
    exercise = seat.exercise
    if not exercise.show_own or not exercise.reveal_step or read_clock(exercise).phase != Phase.ENDED:
        return range(0)
    return range(1, min(exercise.reveal_step, len(STEPS)) + 1)


# ---- both


def _class_judgements(exercise: Exercise, rel: int | None) -> "ClassJudgements":
    from assess.teaching.reveal.class_judgements import ClassJudgements  # loads pandas

    return ClassJudgements(exercise, rel)


def _result(number: int, compute: "Callable[[StepModule], Any]") -> StepResult:
    from assess.teaching.reveal.step_modules import STEP_MODULES  # loads pandas

    step = STEPS[number - 1]
    try:
        return StepResult(number, step, compute(STEP_MODULES[step.slug]))
    except Refused as refusal:
        return StepResult(number, step, None, str(refusal))
