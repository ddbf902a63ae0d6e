"""The audit log, sessions with a user column, and the dates of removals and erasures.

The audit log is append-only, whoever writes to it: triggers refuse every change. Entries can be deleted only while a
row of assess_erasing names nobody, which is how the nightly purge deletes old ones.

SQLite drops a table's triggers when a later migration remakes the table: such a migration must create them again.

Django's table of sessions goes, since one session belongs to one table. Everybody signs in once after the upgrade.
"""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

LOG = "assess_auditevent"
PERMIT = "EXISTS (SELECT 1 FROM assess_erasing WHERE member_id IS NULL)"
CHANGED = "append-only audit log: entries are never changed"
DELETED = "append-only audit log: entries are deleted only by the purge"

SQLITE = [
    ("audit_update", "UPDATE", "TRUE", CHANGED),
    # A REPLACE deletes the row with this id without firing a trigger for DELETE.
    ("audit_replace", "INSERT", f"EXISTS (SELECT 1 FROM {LOG} WHERE id = NEW.id)", CHANGED),
    ("audit_delete", "DELETE", f"NOT {PERMIT}", DELETED),
]

POSTGRESQL = f"""
CREATE FUNCTION audit_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '{CHANGED}' USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE FUNCTION audit_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT {PERMIT} THEN
        RAISE EXCEPTION '{DELETED}' USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN OLD;
END $$;
CREATE TRIGGER audit_update BEFORE UPDATE ON {LOG} FOR EACH ROW EXECUTE FUNCTION audit_changed();
CREATE TRIGGER audit_delete BEFORE DELETE ON {LOG} FOR EACH ROW EXECUTE FUNCTION audit_deleted();
CREATE TRIGGER audit_truncate BEFORE TRUNCATE ON {LOG} EXECUTE FUNCTION audit_deleted();
"""


def sqlite_trigger(name, statement, condition, sentence):
    """Return the statement that creates a trigger."""
    return (
        f"CREATE TRIGGER {name} BEFORE {statement} ON {LOG} WHEN {condition} "
        f"BEGIN SELECT RAISE(ABORT, '{sentence}'); END"
    )


def add_triggers(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(POSTGRESQL)
        return
    for name, statement, condition, sentence in SQLITE:
        schema_editor.execute(sqlite_trigger(name, statement, condition, sentence))


def drop_triggers(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("DROP FUNCTION audit_changed(), audit_deleted() CASCADE")
        return
    for name, *_ in SQLITE:
        schema_editor.execute(f"DROP TRIGGER {name}")


def key_without_constraint(to: str, on_delete=django.db.models.deletion.DO_NOTHING, **options):
    return models.ForeignKey(db_constraint=False, null=True, on_delete=on_delete, related_name="+", to=to, **options)


class Migration(migrations.Migration):
    dependencies = [("assess", "0017_chain")]

    operations = [
        migrations.AddField("member", "removed_at", models.DateTimeField(null=True)),
        migrations.AddField("user", "erased_at", models.DateTimeField(null=True)),
        migrations.CreateModel(
            name="Session",
            fields=[
                (
                    "session_key",
                    models.CharField(max_length=40, primary_key=True, serialize=False, verbose_name="session key"),
                ),
                ("session_data", models.TextField(verbose_name="session data")),
                ("expire_date", models.DateTimeField(db_index=True, verbose_name="expire date")),
                ("user", key_without_constraint(settings.AUTH_USER_MODEL, django.db.models.deletion.CASCADE)),
            ],
            options={"verbose_name": "session", "verbose_name_plural": "sessions", "abstract": False},
        ),
        migrations.RunSQL("DROP TABLE IF EXISTS django_session", migrations.RunSQL.noop),
        migrations.CreateModel(
            name="AuditEvent",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                ("action", models.CharField(max_length=24)),
                ("collection_slug", models.CharField(blank=True, max_length=80)),
                ("subject", models.CharField(blank=True, max_length=200)),
                ("details", models.JSONField(default=dict)),
                ("address_hash", models.CharField(blank=True, max_length=32)),
                ("actor", key_without_constraint(settings.AUTH_USER_MODEL, db_index=False)),
                ("person", key_without_constraint(settings.AUTH_USER_MODEL, db_index=False)),
                ("collection", key_without_constraint("assess.collection", db_index=False)),
            ],
            options={
                "indexes": [
                    models.Index(fields=["collection", "id"], name="audit_of_collection"),
                    models.Index(
                        condition=~models.Q(address_hash=""),
                        fields=["address_hash", "at"],
                        name="audit_from_address",
                    ),
                ],
            },
        ),
        migrations.RunPython(add_triggers, drop_triggers),
    ]
