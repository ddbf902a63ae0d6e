"""What interval a caller asks for, checked; `agreement.intervals.measurement` says what each is."""

from dataclasses import dataclass

import numpy as np

INTERVALS = ("analytic", "bootstrap", "jackknife", "topics")


@dataclass(frozen=True)
class Request:
    """An interval that was asked for; `requested` makes it."""

    how: str
    level: float
    draws: int
    seed: int | None
    rng: np.random.Generator | None

    @property
    def topics(self) -> bool:
        """Whether topics are resampled."""
        return self.how == "topics"

    def generator(self) -> np.random.Generator:
        """The source of chance."""
        return np.random.default_rng(self.seed) if self.rng is None else self.rng

    def said(self) -> str:
        """The draws and the seed, in words."""
        seed = "a generator of the caller's" if self.seed is None else f"seed {self.seed}"
        return f"{self.draws} draws, {seed}"


def requested(interval=None, *, level: float = 0.95, draws: int = 2000, seed=None, rng=None) -> Request | None:
    """The interval asked for, checked; None where none is.

    Parameters
    ----------
    interval : {None, "analytic", "bootstrap", "jackknife", "topics"}
    level : float
        Between 0 and 1.
    draws : int
        How many samples, 2 or more.
    seed : int, optional
    rng : numpy.random.Generator, optional
        One of them is needed where chance is.

    Raises
    ------
    ValueError
        An unknown interval or a bad option; chance is needed and neither `seed` nor `rng` is given, or both are.
    """
    if interval is not None and interval not in INTERVALS:
        raise ValueError(f"interval is None or one of {', '.join(INTERVALS)}; got {interval!r}")
    if not 0 < level < 1:
        raise ValueError(f"level lies between 0 and 1, such as 0.95; got {level}")
    if draws < 2 or int(draws) != draws:
        raise ValueError(f"draws is a whole number from 2; got {draws}")
    if seed is not None and rng is not None:
        raise ValueError("either seed or rng is given, not both")
    if interval in ("bootstrap", "topics") and seed is None and rng is None:
        raise ValueError(f"interval {interval!r} needs chance: give seed or rng")
    return Request(interval, float(level), int(draws), seed, rng) if interval else None
