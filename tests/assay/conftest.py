"""Data directories for tests that run the command in a process of its own."""

import shutil

import pytest

from tests.assay.process import assay


@pytest.fixture
def home(tmp_path):
    """Environment variables of somebody who has just installed Assay."""
    return {"HOME": tmp_path, "XDG_DATA_HOME": tmp_path / "share", "USERPROFILE": tmp_path, "LOCALAPPDATA": tmp_path}


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory):
    """An SQLite database with all tables and no content. Copy it."""
    folder = tmp_path_factory.mktemp("empty")
    assay("migrate", "--verbosity", "0", "--data", folder, HOME=folder)
    return folder / "assay.sqlite3"


@pytest.fixture
def migrated(empty_database, tmp_path):
    """A data directory with an up-to-date database."""
    shutil.copy(empty_database, tmp_path)
    return tmp_path
