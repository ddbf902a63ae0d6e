"""PostgreSQL without pg_dump: the rows of each table in COPY's text format, and the values of the sequences.

`tables.json` has the columns of each table and the last value of each sequence, null if it was never used. The tables
themselves are not copied: the migrations that the manifest lists create them.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader

from assess.backups.archive import Archive, ArchiveWriter, Progress, chunks_of
from assess.backups.manifest import TABLES_FILE
from assess.lib import earlier_migrations


def add_database(writer: ArchiveWriter, tables: list[str], progress: Progress) -> None:
    """Add the tables to the archive. The caller has begun a transaction that sees one state of the database."""
    columns = {table: _columns(table) for table in tables}
    # The sequences first would be wrong: they are not part of the transaction, and a key must not be used again.
    for table, names in columns.items():
        writer.add(f"tables/{table}.copy", _rows(table, names, progress))
    content = {"columns": columns, "sequences": _sequences()}
    writer.add(TABLES_FILE, [json.dumps(content, indent=1).encode()])


def _columns(table: str) -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT column_name FROM information_schema.columns WHERE table_schema = current_schema()"
            " AND table_name = %s AND is_generated = 'NEVER' ORDER BY ordinal_position",
            [table],
        )
        return [name for (name,) in cursor.fetchall()]


def _rows(table: str, columns: list[str], progress: Progress) -> Iterator[memoryview]:
    with copying(f"COPY {_target(table, columns)} TO STDOUT") as rows:
        for chunk in rows:
            yield memoryview(chunk)
            progress(len(chunk))


@contextmanager
def copying(statement: str) -> Iterator[Any]:
    """Yield psycopg's object for reading or writing the rows of a COPY statement, with the errors of Django."""
    with connection.cursor() as cursor, connection.wrap_database_errors, cursor.copy(statement) as rows:
        yield rows


def _target(table: str, columns: list[str]) -> str:
    quote = connection.ops.quote_name
    return f"{quote(table)} ({', '.join(map(quote, columns))})"


def _sequences() -> dict[str, int | None]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT sequencename, last_value FROM pg_sequences WHERE schemaname = current_schema()")
        return dict(cursor.fetchall())


def load(archive: Archive) -> None:
    """Create the tables and load their rows, in the caller's transaction."""
    content = json.loads(archive.read(TABLES_FILE))
    _create_tables(earlier_migrations.names_since(archive.manifest.migrations))
    quote = connection.ops.quote_name
    with connection.cursor() as cursor:
        for table in content["columns"]:
            cursor.execute(f"DELETE FROM {quote(table)}")  # noqa: S608 - the migrations have recorded themselves
            # Triggers look at rows of other tables, which may follow. The archive's rows met them once.
            cursor.execute(f"ALTER TABLE {quote(table)} DISABLE TRIGGER USER")
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")  # rows refer to rows of tables that follow
        for table, columns in content["columns"].items():
            _load_rows(archive, table, columns)
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # a table cannot be altered while checks are pending
        for table in content["columns"]:
            cursor.execute(f"ALTER TABLE {quote(table)} ENABLE TRIGGER USER")
        for sequence, value in content["sequences"].items():
            if value is not None:
                cursor.execute("SELECT setval(%s, %s)", [quote(sequence), value])


def _load_rows(archive: Archive, table: str, columns: list[str]) -> None:
    statement = f"COPY {_target(table, columns)} FROM STDIN"
    with archive.open(f"tables/{table}.copy") as file, copying(statement) as rows:
        for chunk in chunks_of(file):
            rows.write(chunk)


def _create_tables(migrations: frozenset[tuple[str, str]]) -> None:
    """Run the migrations that the archive's database had, and no later ones."""
    graph = MigrationLoader(None, ignore_no_migrations=True).graph
    last = [
        key
        for key in sorted(migrations)
        if not any(child.key in migrations and child.key[0] == key[0] for child in graph.node_map[key].children)
    ]
    MigrationExecutor(connection).migrate(last)
