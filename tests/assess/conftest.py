"""All tests of the web application have their own run files. The throttle can have a clock of the test."""

import pytest

from assess import throttle
from tests.assess.clock import Clock


@pytest.fixture(autouse=True)
def always_isolate(isolated_storage):
    pass


@pytest.fixture
def throttle_clock(monkeypatch):
    """A clock with which no period ends in the middle of a test."""
    clock = Clock()
    monkeypatch.setattr(throttle, "timezone", clock)
    return clock
