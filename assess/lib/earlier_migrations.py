"""Databases of the versions before the migrations became two: takes over the last of them, and recognises older ones.

The last of them has the tables, constraints and triggers that the two create. Taking it over replaces the names of the
earlier migrations in Django's record of migrations with those of the two. Later migrations are then applied to it.
"""

from collections.abc import Iterable

from django.core.management.base import CommandError
from django.db import transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.recorder import MigrationRecorder

LAST_COMMIT = "ccb6c85c88631bf038ec98a0000984c6cc4fa025"
TOO_OLD = (
    "The database was created by an old version of Assay, which this version cannot update. Check out the commit "
    f"{LAST_COMMIT}, run `python manage.py migrate` there, and then update the database with this version."
)
NOT_SANITISED = (
    "The database has HTML documents that an old version of Assay imported and did not sanitise. Check out the commit "
    f"{LAST_COMMIT}, run `python manage.py sanitise_documents` there, and then update the database with this version."
)
THE_TWO = frozenset({("assess", "0001_initial"), ("assess", "0002_triggers")})
EARLIER = frozenset(
    ("assess", name)
    for name in (
        "0001_tables",
        "0002_judgement_on_scale",
        "0003_judging_page",
        "0004_fill_judging_page",
        "0005_judging_page_filled",
        "0006_append_only_ledger",
        "0007_adaptive_caught_up",
        "0008_exercises",
        "0009_shared_slice_and_guesses",
        "0010_revealed_at",
        "0011_rename_models",
        "0012_owner_link",
        "0013_run_score_precision",
        "0014_imported_judges",
        "0015_document_content",
        "0016_code_limits_and_seat_tokens",
        "0017_chain",
        "0018_people",
        "0019_jobs",
        "0020_invitations",
        "0021_collections",
        "0022_imports",
        "0023_pool_changes",
        "0024_work",
        "0025_sign_in_counts",
        "0026_accounts",
        "0027_adjudication",
        "0028_release",
        "0029_continuous_queue",
        "0030_calibration",
        "0031_class_exercise",
        "0033_learning",
        "0034_near_duplicates",
        "0035_topic_sets",
        "0036_search",
        "0037_marginal_relevance",
        "0038_duplicates_rule",
        "0039_stopping_sample",
        "0040_reference",
    )
)
# Where PostgreSQL's name of a constraint differs from the name that the two migrations give it.
RENAMED_CONSTRAINTS = {
    "assess_assignment": {"assess_assignment_public_id_03b6336e_uniq": "assess_assignment_public_id_key"}
}

Migrations = Iterable[tuple[str, str]]


def is_last(applied: Migrations) -> bool:
    """Whether these are the migrations of a database that can be taken over."""
    return frozenset(applied) >= EARLIER


def is_too_old(applied: Migrations) -> bool:
    """Whether these are the migrations of a database that must be updated by an earlier version first."""
    return bool(EARLIER & frozenset(applied)) and not is_last(applied)


def names_since(applied: Migrations) -> frozenset[tuple[str, str]]:
    """Return the migrations with the names of the two instead of all the earlier ones."""
    return (frozenset(applied) - EARLIER) | THE_TWO if is_last(applied) else frozenset(applied)


def is_to_take_over(connection: BaseDatabaseWrapper) -> bool:
    """Whether the database is one of the last commit. Refuse an older one."""
    applied = MigrationRecorder(connection).applied_migrations()
    if is_too_old(applied):
        raise CommandError(TOO_OLD)
    return is_last(applied)


def take_over(connection: BaseDatabaseWrapper) -> None:
    """Record the two migrations instead of the earlier ones. Refuse HTML that could not be displayed."""
    recorder = MigrationRecorder(connection)
    with transaction.atomic(using=connection.alias):
        _refuse_html_without_sanitised_text(connection)
        if connection.vendor == "postgresql":
            _rename_constraints(connection)
        recorder.migration_qs.filter(app="assess", name__in=[name for _, name in EARLIER]).delete()
        for app, name in sorted(THE_TWO):
            recorder.record_applied(app, name)


def _refuse_html_without_sanitised_text(connection: BaseDatabaseWrapper) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT 1 FROM assess_documentcontent JOIN assess_document ON content_id = assess_documentcontent.id"
            " WHERE format = 'html' AND sanitiser_version IS NULL LIMIT 1"
        )
        if cursor.fetchone():
            raise CommandError(NOT_SANITISED)


def _rename_constraints(connection: BaseDatabaseWrapper) -> None:
    with connection.cursor() as cursor:
        for table, names in RENAMED_CONSTRAINTS.items():
            existing = connection.introspection.get_constraints(cursor, table)
            for old, new in names.items():
                if old in existing:
                    cursor.execute(f"ALTER TABLE {table} RENAME CONSTRAINT {old} TO {new}")
