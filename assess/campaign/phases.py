"""The five phases of a campaign, each of which has some of its steps."""

from collections.abc import Sequence
from dataclasses import dataclass

from assess.campaign.steps import Step, StepState

PHASES = {
    "Set up": ("Topics", "Runs", "Pool", "Documents"),
    "Prepare": ("People", "Guidelines", "Pilot", "Work"),
    "Judge": ("Judgements", "Adjudication"),
    "Analyse": ("Agreement", "Shift"),
    "Publish": ("Release",),
}


@dataclass(frozen=True)
class Phase:
    """A phase is done if no step of it is open. `sentence` says what its next step waits for, or what was done."""

    name: str
    steps: tuple[Step, ...]

    @property
    def is_done(self) -> bool:
        required = [step for step in self.steps if step.state != StepState.OPTIONAL]
        return bool(required) and all(step.state == StepState.DONE for step in required)

    @property
    def is_present(self) -> bool:
        return any(step.is_next for step in self.steps)

    @property
    def sentence(self) -> str:
        waiting = [step for step in self.steps if step.state in (StepState.NEXT, StepState.OPEN)]
        return (waiting or self.steps)[0].sentence


def phases(steps: Sequence[Step]) -> list[Phase]:
    """Return the phases in order."""
    named = {step.name: step for step in steps}
    return [Phase(name, tuple(named[each] for each in names)) for name, names in PHASES.items()]
