"""All tests of the web application have their own run files. The throttle of codes can have a clock of the test."""

from datetime import UTC, datetime, timedelta

import pytest

from assess.teaching import code_throttle


@pytest.fixture(autouse=True)
def always_isolate(isolated_storage):
    pass


class ThrottleClock:
    """The time that the throttle sees, five minutes into an hour."""

    def __init__(self) -> None:
        self.at = datetime(2026, 5, 4, 9, 5, tzinfo=UTC)

    def now(self) -> datetime:
        return self.at

    def advance(self, **time: float) -> None:
        self.at += timedelta(**time)


@pytest.fixture
def throttle_clock(monkeypatch):
    """A clock with which no period ends in the middle of a test."""
    clock = ThrottleClock()
    monkeypatch.setattr(code_throttle, "timezone", clock)
    return clock
