"""deploy/postgresql-roles.sql: the application's role judges, but cannot change tables or triggers; the owner migrates.

Needs PostgreSQL with a superuser in DATABASE_URL, and psql.
"""

import os
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import pytest

PROJECT = Path(__file__).resolve().parents[2]
ROLES = PROJECT / "deploy" / "postgresql-roles.sql"
NAME = f"assay_roles_{os.getpid()}"
OWNER, APPLICATION = f"{NAME}_owner", f"{NAME}_application"
LEDGER = "assess_judgementevent"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not os.environ.get("DATABASE_URL", "").startswith("postgres"), reason="needs PostgreSQL"),
    pytest.mark.database(slow=True),
    pytest.mark.deploy,
]


def url_of(role: str | None = None, database: str = NAME) -> str:
    """DATABASE_URL for another role and database. The password stays: both roles get it."""
    parts = urlsplit(os.environ["DATABASE_URL"])
    place = parts.netloc.rpartition("@")[2]
    password = f":{parts.password}" if parts.password else ""
    netloc = f"{role}{password}@{place}" if role else parts.netloc
    return urlunsplit(parts._replace(netloc=netloc, path=f"/{database}"))


def run(*words: str, **environment: str) -> subprocess.CompletedProcess:
    return subprocess.run(words, cwd=PROJECT, env=os.environ | environment, capture_output=True, text=True)


def create_roles() -> None:
    password = urlsplit(os.environ["DATABASE_URL"]).password or "any"
    names = ("-v", f"owner={OWNER}", "-v", f"application={APPLICATION}")
    done = run("psql", url_of(), *names, "-f", str(ROLES), ASSAY_OWNER_PASSWORD=password, ASSAY_PASSWORD=password)
    assert done.returncode == 0, done.stderr


def assay(data: Path, *words: str, **urls: str) -> subprocess.CompletedProcess:
    return run(
        sys.executable,
        *words,
        ASSAY_DATA=str(data),
        DJANGO_SETTINGS_MODULE="tests.settings",
        DATABASE_URL=url_of(APPLICATION),
        **urls,
    )


@pytest.fixture(scope="module")
def admin():
    """A superuser's connection to the maintenance database."""
    import psycopg

    with psycopg.connect(url_of(database="postgres"), autocommit=True) as admin:
        yield admin


@pytest.fixture(scope="module")
def site(admin, tmp_path_factory):
    """The data directory of a site with both roles, migrated by `assay migrate`."""
    admin.execute(f"CREATE DATABASE {NAME}")
    try:
        create_roles()
        data = tmp_path_factory.mktemp("site")
        done = assay(data, "manage.py", "migrate", "-v0", ASSAY_MIGRATION_DATABASE_URL=url_of(OWNER))
        assert done.returncode == 0, done.stderr
        yield data
    finally:
        admin.execute(f"DROP DATABASE {NAME} WITH (FORCE)")
        for role in (OWNER, APPLICATION):
            admin.execute(f"DROP ROLE IF EXISTS {role}")


@pytest.fixture
def as_role(site):
    """A function that executes one statement as a role."""
    import psycopg

    def as_role(role: str | None, statement: str) -> list:
        with psycopg.connect(url_of(role), autocommit=True) as database:
            cursor = database.execute(statement)
            return cursor.fetchall() if cursor.description else []

    return as_role


@pytest.fixture(scope="module")
def judged(site):
    """What the application prints after two judgements through the pages and an erasure, as the application's role."""
    done = assay(site, "-m", "tests.deploy.judge_once")
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_application_judges_and_erases(judged):
    assert judged == "1 event, 0 problems\n"


def test_owner_owns_every_table_sequence_and_function(as_role):
    owners = as_role(
        None,
        "SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname = 'public' "
        "UNION SELECT sequenceowner FROM pg_sequences WHERE schemaname = 'public' "
        "UNION SELECT rolname FROM pg_proc JOIN pg_roles ON pg_roles.oid = proowner "
        "WHERE pronamespace = 'public'::regnamespace",
    )
    assert owners == [(OWNER,)]


@pytest.mark.parametrize(
    "statement",
    [
        f"ALTER TABLE {LEDGER} DISABLE TRIGGER ALL",
        f"ALTER TABLE {LEDGER} DISABLE TRIGGER ledger_update",
        f"DROP TRIGGER ledger_update ON {LEDGER}",
        "DROP FUNCTION ledger_changed() CASCADE",
        "CREATE OR REPLACE FUNCTION ledger_changed() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'",
        f"CREATE TRIGGER own BEFORE INSERT ON {LEDGER} FOR EACH ROW EXECUTE FUNCTION ledger_changed()",
        f"CREATE RULE own AS ON INSERT TO {LEDGER} DO INSTEAD NOTHING",
        "SET session_replication_role = replica",
        f"TRUNCATE {LEDGER} CASCADE",
        f"ALTER TABLE {LEDGER} DROP COLUMN relevance",
        f"ALTER TABLE {LEDGER} OWNER TO CURRENT_USER",
        f"DROP TABLE {LEDGER} CASCADE",
        "CREATE TABLE own (id int)",
        "ALTER ROLE CURRENT_USER SUPERUSER",
    ],
)
def test_application_cannot_change_tables_or_triggers(as_role, judged, statement):
    import psycopg

    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        as_role(APPLICATION, statement)


def test_application_cannot_become_the_owner(as_role):
    import psycopg

    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        as_role(APPLICATION, f"SET ROLE {OWNER}")


@pytest.mark.parametrize("statement", [f"UPDATE {LEDGER} SET relevance = 0", f"DELETE FROM {LEDGER}"])
def test_triggers_stop_the_application(as_role, judged, statement):
    import psycopg

    with pytest.raises(psycopg.errors.IntegrityConstraintViolation, match="append-only ledger"):
        as_role(APPLICATION, statement)


def test_new_table_of_the_owner_is_usable_by_the_application(as_role):
    import psycopg

    as_role(OWNER, "CREATE TABLE later (id bigserial PRIMARY KEY, name text)")
    try:
        assert as_role(APPLICATION, "INSERT INTO later (name) VALUES ('a') RETURNING id") == [(1,)]
        as_role(APPLICATION, "UPDATE later SET name = 'b'")
        assert as_role(APPLICATION, "DELETE FROM later RETURNING name") == [("b",)]
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            as_role(APPLICATION, "TRUNCATE later")
    finally:
        as_role(OWNER, "DROP TABLE later")


def test_application_cannot_migrate(site):
    done = assay(site, "manage.py", "migrate", "assess", "0001", "-v0")
    assert done.returncode == 1
    assert "must be owner of" in done.stderr or "permission denied" in done.stderr


@pytest.mark.parametrize("path", [os.environ["PATH"], ""], ids=["with pg_dump", "without pg_dump"])
def test_application_backs_up_and_the_owner_restores(site, judged, as_role, tmp_path, path):
    """Afterwards the owner owns everything, and the application can use it, and cannot disable the triggers."""
    count = f"SELECT count(*) FROM {LEDGER}"
    before, archive = as_role(APPLICATION, count), str(tmp_path / "backup.zip")
    assert assay(site, "manage.py", "backup", archive, PATH=path).returncode == 0
    words = ("manage.py", "restore", archive, "--yes")
    done = assay(site, *words)
    assert done.returncode == 1
    assert "must be owner of" in done.stderr
    done = assay(site, *words, ASSAY_MIGRATION_DATABASE_URL=url_of(OWNER))
    assert done.returncode == 0, done.stderr
    assert as_role(APPLICATION, count) == before
    test_owner_owns_every_table_sequence_and_function(as_role)
    test_application_cannot_change_tables_or_triggers(as_role, judged, f"ALTER TABLE {LEDGER} DISABLE TRIGGER ALL")
    test_triggers_stop_the_application(as_role, judged, f"DELETE FROM {LEDGER}")
    assert assay(site, "manage.py", "backup", str(tmp_path / "again.zip"), PATH=path).returncode == 0


def test_first_command_creates_the_tables_as_the_owner(admin, site, as_role):
    """`assay create_collection` on an empty database, as `assay serve` does after an upgrade."""
    as_role(OWNER, "DROP OWNED BY CURRENT_USER CASCADE")
    create_roles()
    words = ("manage.py", "create_collection", "robust", "--owner", "rita")
    done = assay(site, *words, ASSAY_MIGRATION_DATABASE_URL=url_of(OWNER))
    assert done.returncode == 0, done.stderr
    assert as_role(None, "SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname = 'public'") == [(OWNER,)]


def test_tables_of_an_earlier_installation_get_their_new_owner(site, as_role):
    for table in ("own", "own_too"):
        as_role(None, f"CREATE TABLE {table} (id bigserial)")
        as_role(None, f"ALTER TABLE {table} OWNER TO {APPLICATION}")
    as_role(None, f"GRANT {OWNER} TO {APPLICATION}")
    create_roles()
    owner = "SELECT tableowner FROM pg_tables WHERE tablename LIKE 'own%'"
    assert as_role(None, owner) == [(OWNER,), (OWNER,)]
    assert as_role(APPLICATION, "INSERT INTO own DEFAULT VALUES RETURNING id") == [(1,)]
    assert as_role(None, f"SELECT pg_has_role('{APPLICATION}', '{OWNER}', 'MEMBER')") == [(False,)]
