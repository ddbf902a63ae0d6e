"""How many judgements were recorded in each of the last hours or days."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from assess.models import Member
from assess.work import counts
from pooling.words import count

HOURS, DAYS = 48, 30


@dataclass(frozen=True)
class Period:
    """One hour or day, named by its beginning (UTC)."""

    label: str
    judgements: int


@dataclass(frozen=True)
class Activity:
    """The last periods in order, those without a judgement included. `unit` is "hour" or "day"."""

    unit: str
    periods: list[Period]

    @property
    def most(self) -> int:
        return max(period.judgements for period in self.periods)

    @property
    def total(self) -> int:
        return sum(period.judgements for period in self.periods)

    @property
    def sentence(self) -> str:
        """The most important numbers."""
        if not self.total:
            return f"No judgement was recorded in the last {len(self.periods)} {self.unit}s."
        return (
            f"{count(self.total, 'judgement')} in the last {len(self.periods)} {self.unit}s, at most {self.most:,} in "
            f"one {self.unit}."
        )


def activity(judges: list[Member], first: datetime | None, now: datetime) -> Activity:
    """Return the last HOURS if the `first` judgement is among them, and otherwise the last DAYS."""
    if first is None or first > now - timedelta(hours=HOURS):
        return _activity(judges, "hour", _starts(now.replace(minute=0, second=0, microsecond=0), HOURS, hours=1))
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    return _activity(judges, "day", _starts(midnight, DAYS, days=1))


def _starts(last: datetime, number: int, **step: int) -> list[datetime]:
    return [last - back * timedelta(**step) for back in reversed(range(number))]


def _activity(judges: list[Member], unit: str, starts: list[datetime]) -> Activity:
    length, label = (counts.HOUR, "%Y-%m-%d %H") if unit == "hour" else (counts.DAY, "%Y-%m-%d")
    numbers = counts.by_period(judges, starts[0], length)
    return Activity(unit, [Period(key, numbers.get(key, 0)) for start in starts if (key := f"{start:{label}}")])
