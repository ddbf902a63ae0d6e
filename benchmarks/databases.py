"""The databases for benchmarks of the web application: SQLite, and PostgreSQL if a server answers."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.tiny import size
from tests.load.server import Server, prepared

LOCAL = "postgres://postgres@127.0.0.1:5432/postgres"  # unless DATABASE_URL is set


def urls() -> Iterator[tuple[str, str | None]]:
    """Yield names and addresses of databases. If PostgreSQL does not answer, print this and skip it.

    With tiny data there is SQLite only.
    """
    import psycopg

    yield "SQLite", None
    if size(False, True):
        return
    url = os.environ.get("DATABASE_URL", LOCAL)
    try:
        psycopg.connect(url, connect_timeout=3).close()
    except psycopg.OperationalError as error:
        print(f"PostgreSQL is skipped, because no server answers: {str(error).splitlines()[0]}\n")
        return
    yield "PostgreSQL", url


@contextmanager
def server_with_database(url: str | None) -> Iterator[tuple[Server, Path]]:
    """Return a server with a new database, not started, and a temporary folder."""
    with TemporaryDirectory() as name, prepared(Path(name), url) as server:
        yield server, Path(name)
