"""Which exceptions are outages."""

import errno
import sqlite3
from contextlib import closing

import psycopg
import pytest
from django.core.exceptions import ValidationError
from django.db import DataError, IntegrityError, InterfaceError, OperationalError, ProgrammingError
from psycopg import errors

from assess.lib.outages import outage_reason
from tests.outages import CLOSED_PORT

pytestmark = pytest.mark.database


def caused_by(error, cause):
    """Django's exception for the driver's one, as Django raises it."""
    error.__cause__ = cause
    return error


def sqlite_error(path, *statements, **options) -> sqlite3.Error:
    """The exception of the last statement."""
    with closing(sqlite3.connect(path, isolation_level=None, **options)) as database:
        for statement in statements[:-1]:
            database.execute(statement)
        with pytest.raises(sqlite3.Error) as raised:
            database.execute(statements[-1])
        return raised.value


def test_locked_sqlite_database(tmp_path):
    with closing(sqlite3.connect(tmp_path / "db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        cause = sqlite_error(tmp_path / "db", "BEGIN IMMEDIATE", timeout=0)
    assert outage_reason(caused_by(OperationalError(*cause.args), cause)) == "database is locked"


def test_full_sqlite_database(tmp_path):
    cause = sqlite_error(
        tmp_path / "db", "PRAGMA max_page_count = 2", "CREATE TABLE a (b)", "INSERT INTO a VALUES (zeroblob(99999))"
    )
    assert outage_reason(caused_by(OperationalError(*cause.args), cause)) == "database or disk is full"


def test_missing_directory_of_sqlite():
    with pytest.raises(sqlite3.Error) as raised:
        sqlite3.connect("/no/such/directory/db")
    assert outage_reason(caused_by(OperationalError(), raised.value)) == "OperationalError"


def test_read_only_sqlite_database(tmp_path):
    sqlite3.connect(tmp_path / "db").close()
    cause = sqlite_error(f"file:{tmp_path / 'db'}?mode=ro", "CREATE TABLE a (b)", uri=True)
    assert outage_reason(caused_by(OperationalError(*cause.args), cause))


def test_missing_table_of_sqlite_is_no_outage(tmp_path):
    cause = sqlite_error(tmp_path / "db", "SELECT * FROM nothing")
    assert outage_reason(caused_by(OperationalError(*cause.args), cause)) is None


def test_refused_connection_of_postgresql():
    with pytest.raises(psycopg.Error) as raised:
        psycopg.connect(host="127.0.0.1", port=CLOSED_PORT)
    error = caused_by(OperationalError(str(raised.value)), raised.value)
    assert "refused" in outage_reason(error)
    assert "\n" not in outage_reason(error)


@pytest.mark.parametrize(
    "cause",
    [
        *(errors.DiskFull, errors.TooManyConnections, errors.LockNotAvailable, errors.DeadlockDetected),
        *(errors.AdminShutdown, errors.CannotConnectNow, errors.QueryCanceled, errors.SerializationFailure),
        *(errors.ReadOnlySqlTransaction, errors.ConnectionFailure, errors.IoError),
    ],
)
def test_temporary_errors_of_postgresql(cause):
    assert outage_reason(caused_by(OperationalError("no\n  more"), cause())) == "no more"


@pytest.mark.parametrize("cause", [errors.UndefinedTable, errors.StringDataRightTruncation, errors.UniqueViolation])
def test_other_errors_of_postgresql_are_no_outage(cause):
    assert outage_reason(caused_by(OperationalError("no"), cause())) is None


def test_lost_connection_has_no_code():
    assert outage_reason(caused_by(OperationalError("gone"), psycopg.OperationalError("gone"))) == "gone"
    assert outage_reason(InterfaceError("connection already closed")) == "connection already closed"


def test_full_disk_for_files():
    assert outage_reason(OSError(errno.ENOSPC, "No space left on device")) == "[Errno 28] No space left on device"
    assert outage_reason(FileNotFoundError(errno.ENOENT, "No such file")) is None


def test_cause_of_another_exception_counts():
    assert (
        outage_reason(caused_by(ValueError("run file"), OSError(errno.EDQUOT, "quota")))
        == f"[Errno {errno.EDQUOT}] quota"
    )


@pytest.mark.parametrize(
    "error", [None, ValueError("x"), IntegrityError("x"), ProgrammingError("x"), DataError("x"), ValidationError("x")]
)
def test_other_exceptions_are_no_outage(error):
    assert outage_reason(error) is None
