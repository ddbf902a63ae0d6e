"""PostgreSQL: copies one consistent state of the database, and replaces all tables in the caller's transaction.

`pg_dump` copies if it is installed and not older than the server, and otherwise COPY. Restoring uses the connection of
Django, not `pg_restore --dbname`: the tables are replaced, migrated, erased from and verified in one transaction.
"""

from pathlib import Path

from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from assess.backups import pg_dump, table_copies
from assess.backups.archive import Archive, ArchiveWriter, Progress
from assess.backups.manifest import Copied
from assess.judging.ledger import snapshot
from assess.models import Run
from assess.search.tables import is_index

# The tables of Assay. Others in the same database are left alone.
OWN_TABLES = "^(account|assess|auth|django|mfa|socialaccount)_"


def add_database(writer: ArchiveWriter, progress: Progress) -> Copied:
    """Add the database to the archive, as it is at one moment."""
    with snapshot():
        if program := pg_dump.suitable_program():
            pg_dump.add_database(writer, program, progress)
        else:
            table_copies.add_database(writer, [name for name in own_tables() if not is_index(name)], progress)
        runs = Run.objects.order_by("file_checksum").values_list("file_checksum", flat=True).distinct()
        migrations = frozenset(MigrationRecorder(connection).applied_migrations())
        return Copied("pg_dump" if program else "copy", migrations, list(runs))


def own_tables() -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT tablename FROM pg_tables WHERE schemaname = current_schema() AND tablename ~ %s ORDER BY 1",
            [OWN_TABLES],
        )
        return [name for (name,) in cursor.fetchall()]


def replace_tables(archive: Archive, folder: Path) -> None:
    """Drop all tables of Assay, and create those of the archive with their rows, in the caller's transaction."""
    with connection.cursor() as cursor:
        # Otherwise checks that are pending would keep the migrations from changing tables.
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    _drop_tables()
    if archive.manifest.method == "pg_dump":
        pg_dump.load(archive, folder)
    else:
        table_copies.load(archive)


def _drop_tables() -> None:
    functions = _trigger_functions()
    with connection.cursor() as cursor:
        if names := own_tables():
            cursor.execute(f"DROP TABLE {', '.join(map(connection.ops.quote_name, names))} CASCADE")
        for function in functions:
            cursor.execute(f"DROP FUNCTION {function}")


def _trigger_functions() -> list[str]:
    """Return the functions of triggers in this schema, except those that other tables or an extension need."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT procedure.oid::regprocedure::text FROM pg_proc procedure
            WHERE procedure.pronamespace = current_schema()::regnamespace
            AND procedure.prorettype = 'trigger'::regtype
            AND NOT EXISTS (
                SELECT FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
                WHERE tgfoid = procedure.oid AND relname !~ %s
            )
            AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = procedure.oid AND deptype = 'e')
            """,
            [OWN_TABLES],
        )
        return [name for (name,) in cursor.fetchall()]
