"""The ledger is append-only, whoever writes to it: the database lets nobody change or delete its lines.

One door: while a row of assess_erasing names the member (or nobody, which is everybody), that member's lines may be
deleted, and never changed. The judgements that the lines belong to go through the same door; they may be changed,
since the ledger tells what they were.

SQLite drops a table's triggers when a later migration remakes the table: such a migration takes them away first and
makes them again (`tests/assess/test_ledger.py` fails where one forgot).
"""

from django.db import migrations

LEDGER, JUDGEMENTS = "assess_judgementevent", "assess_judgement"
DOOR = "SELECT 1 FROM assess_erasing WHERE member_id IS NULL"
CHANGED = "append-only ledger: what was recorded is never changed"
DELETED = "append-only ledger: what was recorded is never deleted, but where a person is erased"

# A REPLACE deletes what is in its way without firing a trigger for DELETE, so that it has to be met before.
REPLACED = (
    "append-only ledger: a line with this id, this client_id of the member or this version of the judgement "
    "(event_version_once) is here already"
)
SQLITE = [
    ("ledger_update", f"UPDATE ON {LEDGER}", "TRUE", CHANGED),
    (
        "ledger_replace",
        f"INSERT ON {LEDGER}",
        f"EXISTS (SELECT 1 FROM {LEDGER} WHERE id = NEW.id)"
        f" OR EXISTS (SELECT 1 FROM {LEDGER} WHERE judgement_id = NEW.judgement_id AND version = NEW.version)"
        f" OR EXISTS (SELECT 1 FROM {LEDGER} WHERE member_id = NEW.member_id AND client_id = NEW.client_id)",
        REPLACED,
    ),
    ("ledger_delete", f"DELETE ON {LEDGER}", f"NOT EXISTS ({DOOR} OR member_id = OLD.member_id)", DELETED),
    ("judgement_delete", f"DELETE ON {JUDGEMENTS}", f"NOT EXISTS ({DOOR} OR member_id = OLD.member_id)", DELETED),
]

POSTGRESQL = f"""
CREATE FUNCTION ledger_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '{CHANGED}' USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE FUNCTION ledger_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS ({DOOR} OR member_id = OLD.member_id) THEN
        RAISE EXCEPTION '{DELETED}' USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN OLD;
END $$;
CREATE FUNCTION ledger_emptied() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS ({DOOR}) THEN
        RAISE EXCEPTION '{DELETED}' USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER ledger_update BEFORE UPDATE ON {LEDGER} FOR EACH ROW EXECUTE FUNCTION ledger_changed();
CREATE TRIGGER ledger_delete BEFORE DELETE ON {LEDGER} FOR EACH ROW EXECUTE FUNCTION ledger_deleted();
CREATE TRIGGER ledger_truncate BEFORE TRUNCATE ON {LEDGER} EXECUTE FUNCTION ledger_emptied();
CREATE TRIGGER judgement_delete BEFORE DELETE ON {JUDGEMENTS} FOR EACH ROW EXECUTE FUNCTION ledger_deleted();
CREATE TRIGGER judgement_truncate BEFORE TRUNCATE ON {JUDGEMENTS} EXECUTE FUNCTION ledger_emptied();
"""


def add_triggers(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(POSTGRESQL)
        return
    for name, deed, refused, sentence in SQLITE:
        schema_editor.execute(
            f"CREATE TRIGGER {name} BEFORE {deed} WHEN {refused} BEGIN SELECT RAISE(ABORT, '{sentence}'); END"
        )


def drop_triggers(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("DROP FUNCTION ledger_changed(), ledger_deleted(), ledger_emptied() CASCADE")
        return
    for name, *_ in SQLITE:
        schema_editor.execute(f"DROP TRIGGER {name}")


class Migration(migrations.Migration):
    dependencies = [("assess", "0005_judging_page_filled")]
    operations = [migrations.RunPython(add_triggers, drop_triggers)]
