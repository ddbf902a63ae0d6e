"""The cache of results: what it finds, what it forgets, and that other processes read it."""

from pathlib import Path

import pytest

from assess.jobs import results
from tests.processes import run_in_processes

pytestmark = pytest.mark.database

FILES = "django.core.cache.backends.filebased.FileBasedCache"


@pytest.fixture
def in_files(settings, tmp_path):
    """The cache as it is outside of tests, in a folder of the test."""
    settings.CACHES = settings.CACHES | {"results": {"BACKEND": FILES, "LOCATION": tmp_path / "results"}}
    return tmp_path / "results"


def test_result_is_found_by_its_inputs():
    key = results.key_of("shift", (1, "a"), None)
    results.keep(key, {"tau": 0.5})
    assert results.get(results.key_of("shift", (1, "a"), None)) == {"tau": 0.5}
    assert results.get(results.key_of("shift", (1, "b"), None)) is None
    assert results.get(results.key_of("agreement", (1, "a"), None)) is None


def test_all_results_are_forgotten(in_files):
    key = results.key_of("shift", 1)
    results.keep(key, "names")
    results.forget_all()
    assert results.get(key) is None
    assert list(in_files.glob("*")) == []


@pytest.mark.slow
def test_result_of_another_process_is_found(in_files):
    key = results.key_of("shift", 1)
    (ended,) = run_in_processes(lambda: results.keep(key, "of a worker"))
    assert ended.error == ""
    assert results.get(key) == "of a worker"


def test_file_that_cannot_be_read_is_no_result(in_files, caplog):
    key = results.key_of("shift", 1)
    results.keep(key, "figures")
    (file,) = Path(in_files).glob("*")
    file.write_bytes(b"damaged")
    assert results.get(key) is None
    assert "could not be read" in caplog.text
