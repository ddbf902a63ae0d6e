"""Data directories for tests that run the command in a process of its own."""

import shutil

import pytest

from tests.assay.process import assay
from tests.migrated_once import kept_database


@pytest.fixture
def home(tmp_path):
    """Environment variables of somebody who has just installed Assay."""
    return {"HOME": tmp_path, "XDG_DATA_HOME": tmp_path / "share", "USERPROFILE": tmp_path, "LOCALAPPDATA": tmp_path}


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory, django_db_setup):
    """An SQLite database with all tables and no content. Copy it."""
    folder = tmp_path_factory.mktemp("empty")
    if kept_database().exists():
        shutil.copy(kept_database(), folder / "assay.sqlite3")
    assay("migrate", "--verbosity", "0", "--data", folder, HOME=folder)
    return folder / "assay.sqlite3"


@pytest.fixture
def migrated(empty_database, tmp_path):
    """A data directory with an up-to-date database."""
    shutil.copy(empty_database, tmp_path)
    return tmp_path
