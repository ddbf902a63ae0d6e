"""A clock that tests set."""

from datetime import UTC, datetime, timedelta


class Clock:
    """Replaces `timezone` of a module. It starts five minutes into an hour."""

    def __init__(self) -> None:
        self.at = datetime(2026, 5, 4, 9, 5, tzinfo=UTC)

    def now(self) -> datetime:
        return self.at

    def advance(self, **time: float) -> None:
        self.at += timedelta(**time)
