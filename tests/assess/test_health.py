"""Each check of /health, and each failure that it must notice."""

import shutil
from collections import namedtuple

import pytest
from django.db import OperationalError, connection
from django.db.migrations.recorder import MigrationRecorder

from assess.health import check_health, has_free_space
from assess.lib import tables
from assess.models import Worker

Usage = namedtuple("Usage", "total used free")
WELL = {"database": True, "migrations": True, "disk": True, "worker": True}


@pytest.fixture
def worker(db):
    """A worker that is running."""
    return Worker.objects.create(name="worker")


@pytest.fixture
def free_space(monkeypatch):
    """A function that sets the free space of every disk, in bytes."""

    def free_space(free: int) -> None:
        monkeypatch.setattr(shutil, "disk_usage", lambda _path: Usage(10**12, 10**12 - free, free))

    free_space(10**12)
    return free_space


def test_all_is_well_with_three_queries(worker, free_space, django_assert_max_num_queries):
    with django_assert_max_num_queries(3):
        assert check_health() == WELL


def test_database_that_does_not_answer(monkeypatch, free_space):
    def refuse():
        raise OperationalError("could not connect to server")

    monkeypatch.setattr(tables, "state", refuse)
    assert check_health() == {"database": False, "migrations": False, "disk": True, "worker": False}


def test_missing_migration(worker, free_space):
    MigrationRecorder(connection).migration_qs.filter(app="assess", name__startswith="0002").delete()
    assert check_health() == WELL | {"migrations": False, "worker": False}


def test_database_of_a_newer_version(worker, free_space):
    MigrationRecorder(connection).record_applied("assess", "9999_later")
    assert check_health() == WELL | {"migrations": False, "worker": False}


@pytest.mark.parametrize(("free", "enough"), [(0, False), (499_999_999, False), (500_000_000, True)])
def test_full_disk(worker, free_space, free, enough):
    free_space(free)
    assert check_health() == WELL | {"disk": enough}


def test_no_worker(db, free_space):
    assert check_health() == WELL | {"worker": False}


def test_threshold_is_a_setting(free_space, settings):
    settings.MIN_FREE_MB = 2
    free_space(1_999_999)
    assert not has_free_space()


def test_missing_data_directory_has_no_free_space(settings, tmp_path):
    settings.DATA_DIR = tmp_path / "gone"
    assert not has_free_space()
