"""The databases that a benchmark of the web application runs on: SQLite, and PostgreSQL where a server answers."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.load.server import Server, prepared

LOCAL = "postgres://postgres@127.0.0.1:5432/postgres"  # where DATABASE_URL says nothing


def urls() -> Iterator[tuple[str, str | None]]:
    """Names and addresses; a missing PostgreSQL is told, and skipped."""
    import psycopg

    yield "SQLite", None
    url = os.environ.get("DATABASE_URL", LOCAL)
    try:
        psycopg.connect(url, connect_timeout=3).close()
    except psycopg.OperationalError as problem:
        print(f"PostgreSQL is skipped, no server answers: {str(problem).splitlines()[0]}\n")
        return
    yield "PostgreSQL", url


@contextmanager
def beside(url: str | None) -> Iterator[tuple[Server, Path]]:
    """A server on a database of its own, not started, and a folder for it."""
    with TemporaryDirectory() as name, prepared(Path(name), url) as server:
        yield server, Path(name)
