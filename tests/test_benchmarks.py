"""Every benchmark runs to its end on tiny data. The figures that it prints mean nothing then."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import tiny
from benchmarks.__main__ import NAMES, programs
from benchmarks.paint import NO_BROWSER
from tests.browser import chromium
from tests.realdata import PROJECT

pytestmark = pytest.mark.examples

LONG = {"change_wait", "class_lesson", "import_wait", "research_pages", "scale", "shelf_life"}  # more than 20 s each
IN_BROWSER = {"class_lesson", "key_to_next", "paint", "paths", "screens"}
LONGEST = 600  # seconds, on a busy machine


def marked(name: str):
    return pytest.param(name, marks=pytest.mark.soak if name in LONG else pytest.mark.slow)


@pytest.fixture(scope="session")
def folder(tmp_path_factory, worker_id) -> Path:
    """A folder that all workers share."""
    temporary = tmp_path_factory.getbasetemp()
    return (temporary if worker_id == "master" else temporary.parent) / "tiny"


@pytest.mark.skipif(sys.platform != "linux", reason="the servers are measured in /proc")
@pytest.mark.parametrize("name", [marked(name) for name in programs()])
def test_benchmark_runs_on_tiny_data(folder, name):
    if name in IN_BROWSER and not chromium.find():
        pytest.skip(NO_BROWSER)
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", f"benchmarks.{name}"],
        cwd=PROJECT,
        env=os.environ | {"BENCHMARKS_TINY": str(folder)},
        capture_output=True,
        text=True,
        timeout=LONGEST,
        check=False,
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"


def test_every_benchmark_is_a_program():
    assert set(NAMES) <= set(programs())
    assert set(programs()) >= LONG


def test_sizes_are_full_and_pages_are_real_without_the_variable():
    assert tiny.size(2_000, 3) == 2_000
    assert tiny.DOCS == PROJECT / "docs"


@pytest.mark.parametrize("name", [*programs(), "coverage_page"])
def test_pages_are_written_where_tiny_data_redirect_them(name):
    text = (PROJECT / "benchmarks" / f"{name}.py").read_text(encoding="utf-8")
    assert '"docs"' not in text
