"""A poll: the mean kappa that the students of a class expect, before they see the real one."""

from dataclasses import dataclass
from statistics import fmean

from assess.errors import Refused
from assess.models import Exercise, Phase, Seat
from assess.teaching.clock import read_clock
from assess.teaching.reveal.words import number
from pooling.errors import shown

BELOW_ZERO = "below 0"
BINS = 5  # from 0 to 1; one more for negative kappas
MAX_TYPED_LENGTH = 20


@dataclass(frozen=True)
class Bin:
    """How many students expect a kappa in a range. `height` is in percent of the highest bin."""

    label: str
    n: int
    height: int
    has_mean: bool


@dataclass(frozen=True)
class Predictions:
    """What the class expects, and the real mean over all pairs if it is known."""

    values: tuple[float, ...]
    real: float | None = None

    @property
    def mean(self) -> float:
        return fmean(self.values)

    @property
    def mean_text(self) -> str:
        return number(self.mean)

    @property
    def real_text(self) -> str:
        return number(self.real)

    @property
    def bins(self) -> list[Bin]:
        counts = [0] * (BINS + 1)
        for value in self.values:
            counts[_bin(value)] += 1
        labels = [BELOW_ZERO, *(f"{place / BINS:.1f} to {(place + 1) / BINS:.1f}" for place in range(BINS))]
        real = None if self.real is None else _bin(round(self.real, 2))  # as the screen shows it
        return [
            Bin(label, n, round(100 * n / max(counts)), place == real)
            for place, (label, n) in enumerate(zip(labels, counts, strict=True))
        ]


def _bin(value: float) -> int:
    """Return the place of a kappa: 0 below zero, then fifths; 1 belongs to the last fifth."""
    # 0.6 * 5 is 3.0000000000000004 or 2.9999999999999996 in other factors, so edges are compared, not multiplied.
    return 0 if value < 0 else max(place for place in range(1, BINS + 1) if place == 1 or value >= (place - 1) / BINS)


def is_poll_open(exercise: Exercise) -> bool:
    """Whether students can predict: from the start of judging until the reveal first shows figures."""
    return read_clock(exercise).phase != Phase.WAITING and exercise.revealed_at is None


def predict(seat: Seat, text: str) -> None:
    """Save the kappa that a student expects. It can be changed until the reveal."""
    if not is_poll_open(seat.exercise):
        raise Refused("The poll is open from the start of judging until the reveal.")
    Seat.objects.filter(pk=seat.pk).update(predicted_kappa=_kappa(text))


def _kappa(text: str) -> float:
    """Return the number, which may have a decimal comma."""
    typed = text.strip()[:MAX_TYPED_LENGTH].replace(",", ".").replace("−", "-")
    try:
        value = float(typed)
    except ValueError:
        value = float("nan")
    if not -1 <= value <= 1:
        raise Refused(f"Kappa is a number between -1 and 1, such as 0.5, not {shown(text.strip()[:MAX_TYPED_LENGTH])}.")
    return value


def class_predictions(exercise: Exercise, real: float | None = None) -> Predictions | None:
    """Return the predictions of the class in ascending order, or None if there are none."""
    values = exercise.seats.exclude(predicted_kappa=None).values_list("predicted_kappa", flat=True)
    known = tuple(sorted(value for value in values if value is not None))
    return Predictions(known, real) if known else None
