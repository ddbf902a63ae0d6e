"""Rows that the tests of a module share: built once, and each test is rolled back to them."""

import copy
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import transaction


@dataclass(frozen=True)
class Shared:
    built: Any
    runs: Path

    def copy(self, settings) -> Any:
        """Return a copy of the objects for one test, which reads the shared run files."""
        settings.RUNS_DIR = self.runs
        return copy.deepcopy(self.built)


@contextmanager
def shared_rows(build: Callable[[], Any], blocker, runs: Path) -> Iterator[Shared]:
    """Call `build` in a transaction that is rolled back at the end, with the run files in a folder of their own."""
    with blocker.unblock(), transaction.atomic():
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(settings, "RUNS_DIR", runs)
            built = build()
        yield Shared(built, runs)
        transaction.set_rollback(True)
