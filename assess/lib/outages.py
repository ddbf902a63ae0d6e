"""Which exceptions mean that the data cannot be reached or written now, although the request and the program are right.

SQLite       the database is locked longer than the timeout, cannot be opened, read or written, or the disk is full
PostgreSQL   no connection (08), insufficient resources such as a full disk or too many connections (53), the server is
             stopping, starting or cancelled the statement (57), an I/O error (58), a lock timeout (55P03), a deadlock
             (40P01), a serialization failure (40001), or a read-only server (25006)
Files        no space, no quota, a read-only file system, or too many open files

A missing table, a wrong statement or a damaged database is not an outage: waiting does not help.
"""

import errno
import sqlite3

from django.db import Error, InterfaceError, OperationalError

FILE_ERRORS = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EMFILE, errno.ENFILE})
SQLITE_ERRORS = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_INTERRUPT,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_PROTOCOL,
    }
)
SQLITE_PRIMARY_CODE = 0xFF  # the other bits of an extended error code give details
POSTGRESQL_CLASSES = frozenset({"08", "53", "57", "58"})
POSTGRESQL_STATES = frozenset({"55P03", "40P01", "40001", "25006"})


def outage_reason(error: BaseException | None) -> str | None:
    """Return what an outage is about, in one line, or None if the exception and its causes are no outage."""
    while error is not None:
        if _is_outage(error):
            return " ".join(str(error).split()) or type(error).__name__
        error = error.__cause__
    return None


def _is_outage(error: BaseException) -> bool:
    if isinstance(error, OSError):
        return error.errno in FILE_ERRORS
    return isinstance(error, Error) and _is_database_outage(error)


def _is_database_outage(error: Error) -> bool:
    """Django's exception has the driver's exception, with its code, as its cause."""
    cause = error.__cause__
    if isinstance(cause, sqlite3.Error):
        code = getattr(cause, "sqlite_errorcode", None)  # the module's own errors have none
        return code is not None and code & SQLITE_PRIMARY_CODE in SQLITE_ERRORS
    if state := getattr(cause, "sqlstate", None):
        return state in POSTGRESQL_STATES or state[:2] in POSTGRESQL_CLASSES
    # PostgreSQL gives no code if the connection fails, is lost or has been closed.
    return isinstance(error, OperationalError | InterfaceError)
