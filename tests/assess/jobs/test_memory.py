"""Memory that a job no longer uses is given back to the system."""

import sys
from pathlib import Path

import pytest

from assess.jobs.run import release_memory
from tests.processes import run_in_processes

pytestmark = pytest.mark.database

MEGABYTES = 100
BLOCK = 1_000  # bytes: too large for Python's own allocator


def resident_mb() -> float:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1_000 for line in lines if line.startswith("VmRSS"))


def use_memory_and_release_it() -> None:
    blocks = [bytearray(BLOCK) for _ in range(MEGABYTES * 1_000_000 // BLOCK)]
    last = blocks.pop()  # the blocks before it cannot be given back without `release_memory`
    blocks.clear()
    kept = resident_mb()
    release_memory()
    assert kept - resident_mb() > MEGABYTES / 2
    assert len(last) == BLOCK


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="other systems give memory back by themselves")
def test_memory_is_given_back():
    (ended,) = run_in_processes(use_memory_and_release_it)
    assert ended.error == ""
