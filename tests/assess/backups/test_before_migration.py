"""Copies of the database before a migration."""

import sqlite3
import stat
from contextlib import closing
from datetime import UTC, datetime, timedelta

import pytest

from assess.backups.before_migration import KEPT, back_up

pytestmark = pytest.mark.site

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)


@pytest.fixture
def database(tmp_path):
    """A database in use: its last commit is still in the write-ahead log."""
    path = tmp_path / "assay.sqlite3"
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("CREATE TABLE judgement (grade)")
        db.execute("INSERT INTO judgement VALUES (2)")
        db.commit()
        yield path


def test_copy_holds_what_was_committed_and_is_private(database):
    copy = back_up(database, NOON)
    assert copy == database.parent / "backups" / "assay-20260504T120000.sqlite3"
    with closing(sqlite3.connect(copy)) as db:
        assert db.execute("SELECT grade FROM judgement").fetchall() == [(2,)]
    assert [stat.S_IMODE(path.stat().st_mode) for path in (copy.parent, copy)] == [0o700, 0o600]
    assert list(copy.parent.iterdir()) == [copy]


def test_only_the_newest_copies_are_kept(database):
    copies = [back_up(database, NOON + timedelta(seconds=n)) for n in range(KEPT + 2)]
    assert sorted((database.parent / "backups").iterdir()) == copies[2:]


def test_failed_copy_leaves_nothing(tmp_path):
    path = tmp_path / "assay.sqlite3"
    path.write_bytes(b"this is not a database" * 100)
    with pytest.raises(sqlite3.DatabaseError):
        back_up(path, NOON)
    assert list((tmp_path / "backups").iterdir()) == []
