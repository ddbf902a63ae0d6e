"""PostgreSQL with its own programs: `pg_dump -Fc` copies the database, and `pg_restore` turns the copy into SQL."""

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

from django.db import connection

from assess.backups.archive import Archive, ArchiveWriter, Progress, chunks_of, no_progress
from assess.backups.manifest import DUMP_FILE
from assess.backups.table_copies import copying
from assess.errors import Refused
from assess.search.tables import PATTERN

VERSION = re.compile(r"\(PostgreSQL\) (\d+)")
COPY = re.compile(rb"COPY [^;]+ FROM stdin;\n")
END_OF_ROWS = b"\\.\n"
SET_SEQUENCE = b"SELECT pg_catalog.setval("
FROM_ENVIRONMENT = {"password": "PGPASSWORD", "options": "PGOPTIONS"}  # other users can read a command line


def suitable_program() -> str | None:
    """Return the path of pg_dump, or None if it is not installed or older than the server."""
    program = shutil.which("pg_dump")
    if program is None:
        return None
    words = [program, "--version"]
    version = VERSION.search(subprocess.run(words, capture_output=True, text=True, check=False).stdout)  # noqa: S603
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_version_num")
        (server,) = cursor.fetchone()
    return program if version and int(version[1]) >= int(server) // 10_000 else None


def add_database(writer: ArchiveWriter, program: str, progress: Progress) -> None:
    """Add the dump to the archive. It sees what the caller's transaction sees."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_export_snapshot()")
        (snapshot,) = cursor.fetchone()
    target, environment = _server()
    words = [program, "--format=custom", "--no-password", f"--snapshot={snapshot}", f"--dbname={target}"]
    words.append(f"--exclude-table={PATTERN}")
    writer.add(DUMP_FILE, _output(words, environment, progress))


def _server() -> tuple[str, dict[str, str]]:
    """Return how to connect to the server of the site: a connection string, and the environment."""
    from psycopg import pq
    from psycopg.conninfo import make_conninfo

    known = {option.keyword.decode() for option in pq.Conninfo.get_defaults()}
    given = {name: value for name, value in connection.get_connection_params().items() if name in known}
    environment = {FROM_ENVIRONMENT[name]: str(given.pop(name)) for name in list(given) if name in FROM_ENVIRONMENT}
    return make_conninfo(**given), os.environ | environment


def _output(words: list[str], environment: dict[str, str], progress: Progress = no_progress) -> Iterator[bytes]:
    """Yield what a program prints, and refuse if it fails."""
    with _running(words, environment) as output:
        yield from chunks_of(output, progress)


@contextmanager
def _running(words: list[str], environment: dict[str, str]) -> Iterator[IO[bytes]]:
    """Yield the output of a program. Afterwards the program has ended, and a failure is refused."""
    # A file, because a pipe that nobody reads stops the program when it is full.
    with tempfile.TemporaryFile() as errors:
        with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=errors, env=environment) as program:  # noqa: S603
            try:
                yield cast("IO[bytes]", program.stdout)
            except BaseException:
                program.kill()
                raise
        if program.returncode:
            errors.seek(0)
            reason = errors.read().decode(errors="replace").strip() or "no message"
            raise Refused(f"{Path(words[0]).name} failed: {reason.splitlines()[-1]}")


def load(archive: Archive, folder: Path) -> None:
    """Create the tables and load their rows, in the caller's transaction."""
    dump = folder / DUMP_FILE
    archive.extract(DUMP_FILE, dump)
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_schema()")
        (schema,) = cursor.fetchone()
        cursor.execute(_section("pre-data", schema, dump))
        _load_rows(dump, schema)
        cursor.execute(_section("post-data", schema, dump))
        cursor.execute("RESET ALL")  # the sections set the search path and more
    connection.ensure_timezone()


def _restore_words(section: str, schema: str, dump: Path) -> list[str]:
    program = shutil.which("pg_restore")
    if program is None:
        raise Refused("This archive was made with pg_dump, and pg_restore is not installed. Install it.")
    options = ["--no-owner", "--no-privileges", "--file=-", f"--section={section}", f"--schema={schema}"]
    return [program, *options, str(dump)]


def _section(name: str, schema: str, dump: Path) -> str:
    """Return the SQL before or after the rows, without the lines that only psql understands."""
    text = b"".join(_output(_restore_words(name, schema, dump), dict(os.environ))).decode()
    return "\n".join(line for line in text.splitlines() if not line.startswith("\\"))


def _load_rows(dump: Path, schema: str) -> None:
    """Read the section of the rows: a COPY statement and its lines for each table, and the values of the sequences."""
    with _running(_restore_words("data", schema, dump), dict(os.environ)) as output, connection.cursor() as cursor:
        for line in output:
            if COPY.fullmatch(line):
                with copying(line.decode().rstrip(";\n")) as rows:
                    while (row := output.readline()) != END_OF_ROWS:
                        if not row:
                            raise Refused("The database in the archive is damaged: the rows of a table end too early.")
                        rows.write(row)
            elif line.startswith(SET_SEQUENCE):
                cursor.execute(line.decode())
