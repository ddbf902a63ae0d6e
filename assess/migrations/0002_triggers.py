"""Triggers: the ledger and the audit log are append-only, and grades are on the scale, whoever writes to the tables.

A judgement's grade must be on the scale of the collection, and its judge must be of the collection.

Events of the ledger and entries of the audit log are never changed. While a row of assess_erasing names a member (or
nobody, which is everybody), the events and judgements of this member may be deleted, and the comment of an event may be
emptied together with its salt. Entries of the audit log may be deleted while a row of assess_erasing names nobody,
which is how the nightly purge deletes old ones.

SQLite drops a table's triggers when a later migration remakes the table: such a migration must drop all triggers before
and create them after (`tests/assess/models/test_constraints.py` fails otherwise). `assess.judging.ledger.problems`
compares the triggers of a database with those of this file.
"""

from django.db import migrations

LEDGER, JUDGEMENTS, LOG = "assess_judgementevent", "assess_judgement", "assess_auditevent"

FITS = """
    SELECT 1 FROM assess_task
    JOIN assess_topic ON assess_topic.id = assess_task.topic_id
    JOIN assess_member ON assess_member.collection_id = assess_topic.collection_id
    WHERE assess_task.id = NEW.task_id AND assess_member.id = NEW.member_id
      AND (NEW.relevance IS NULL OR EXISTS (
          SELECT 1 FROM assess_grade
          WHERE assess_grade.collection_id = assess_topic.collection_id AND assess_grade.value = NEW.relevance))
"""
OFF_SCALE = "judgement_on_scale: the grade is not on the scale of the collection, or the judge not of it"

PERMIT_FOR_ALL = "SELECT 1 FROM assess_erasing WHERE member_id IS NULL"
PERMIT = f"{PERMIT_FOR_ALL} OR member_id = OLD.member_id"
CHANGED = "append-only ledger: what was recorded is never changed"
DELETED = "append-only ledger: what was recorded is never deleted, but where a person is erased"
REPLACED = (
    "append-only ledger: a line with this id, this client_id of the member or this version of the judgement "
    "(event_version_once) is here already"
)
KEPT = (  # the columns that no erasure changes
    *("id", "judgement_id", "member_id", "actor_id", "source", "client_id", "version", "seen_version", "before_state"),
    *("before_relevance", "at", "recorded_at", "position", "hash", "comment_hash", "document_hash", "topic_hash"),
    *("scale_hash", "guidelines_hash", "state", "relevance", "reason", "guidelines_version", "confidence", "passages"),
    *("active_ms", "away_ms", "highlights", "input", "label_confidence"),
)
SAME = " AND ".join(f"NEW.{column} IS OLD.{column}" for column in KEPT)
ERASED = f"EXISTS ({PERMIT}) AND NEW.comment = '' AND NEW.comment_salt IS NULL"

LOG_CHANGED = "append-only audit log: entries are never changed"
LOG_DELETED = "append-only audit log: entries are deleted only by the purge"


def sqlite_trigger(name, event, refused, sentence):
    """Return the statement that creates a trigger."""
    return f"CREATE TRIGGER {name} BEFORE {event} WHEN {refused} BEGIN SELECT RAISE(ABORT, '{sentence}'); END"


SQLITE = [
    *(
        sqlite_trigger(f"judgement_on_scale_{verb}", f"{verb} ON {JUDGEMENTS}", f"NOT EXISTS ({FITS})", OFF_SCALE)
        for verb in ("INSERT", "UPDATE")
    ),
    sqlite_trigger("ledger_update", f"UPDATE ON {LEDGER}", f"NOT ({ERASED} AND {SAME})", CHANGED),
    # A REPLACE deletes the rows in its way without firing a trigger for DELETE.
    sqlite_trigger(
        "ledger_replace",
        f"INSERT ON {LEDGER}",
        f"EXISTS (SELECT 1 FROM {LEDGER} WHERE id = NEW.id)"
        f" OR EXISTS (SELECT 1 FROM {LEDGER} WHERE judgement_id = NEW.judgement_id AND version = NEW.version)"
        f" OR EXISTS (SELECT 1 FROM {LEDGER} WHERE member_id = NEW.member_id AND client_id = NEW.client_id)",
        REPLACED,
    ),
    sqlite_trigger("ledger_delete", f"DELETE ON {LEDGER}", f"NOT EXISTS ({PERMIT})", DELETED),
    sqlite_trigger("judgement_delete", f"DELETE ON {JUDGEMENTS}", f"NOT EXISTS ({PERMIT})", DELETED),
    sqlite_trigger("audit_update", f"UPDATE ON {LOG}", "TRUE", LOG_CHANGED),
    sqlite_trigger("audit_replace", f"INSERT ON {LOG}", f"EXISTS (SELECT 1 FROM {LOG} WHERE id = NEW.id)", LOG_CHANGED),
    sqlite_trigger("audit_delete", f"DELETE ON {LOG}", f"NOT EXISTS ({PERMIT_FOR_ALL})", LOG_DELETED),
]

POSTGRESQL = f"""
CREATE FUNCTION judgement_on_scale() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS ({FITS}) THEN
        RAISE EXCEPTION '{OFF_SCALE}' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE FUNCTION ledger_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF {ERASED} AND to_jsonb(NEW) - 'comment' - 'comment_salt' = to_jsonb(OLD) - 'comment' - 'comment_salt' THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION '{CHANGED}' USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE FUNCTION ledger_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS ({PERMIT}) THEN
        RAISE EXCEPTION '{DELETED}' USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN OLD;
END $$;
CREATE FUNCTION ledger_emptied() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS ({PERMIT_FOR_ALL}) THEN
        RAISE EXCEPTION '{DELETED}' USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NULL;
END $$;
CREATE FUNCTION audit_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '{LOG_CHANGED}' USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE FUNCTION audit_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS ({PERMIT_FOR_ALL}) THEN
        RAISE EXCEPTION '{LOG_DELETED}' USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN OLD;
END $$;
CREATE TRIGGER judgement_on_scale BEFORE INSERT OR UPDATE ON {JUDGEMENTS}
    FOR EACH ROW EXECUTE FUNCTION judgement_on_scale();
CREATE TRIGGER ledger_update BEFORE UPDATE ON {LEDGER} FOR EACH ROW EXECUTE FUNCTION ledger_changed();
CREATE TRIGGER ledger_delete BEFORE DELETE ON {LEDGER} FOR EACH ROW EXECUTE FUNCTION ledger_deleted();
CREATE TRIGGER ledger_truncate BEFORE TRUNCATE ON {LEDGER} EXECUTE FUNCTION ledger_emptied();
CREATE TRIGGER judgement_delete BEFORE DELETE ON {JUDGEMENTS} FOR EACH ROW EXECUTE FUNCTION ledger_deleted();
CREATE TRIGGER judgement_truncate BEFORE TRUNCATE ON {JUDGEMENTS} EXECUTE FUNCTION ledger_emptied();
CREATE TRIGGER audit_update BEFORE UPDATE ON {LOG} FOR EACH ROW EXECUTE FUNCTION audit_changed();
CREATE TRIGGER audit_delete BEFORE DELETE ON {LOG} FOR EACH ROW EXECUTE FUNCTION audit_deleted();
CREATE TRIGGER audit_truncate BEFORE TRUNCATE ON {LOG} EXECUTE FUNCTION audit_deleted();
"""


def create_triggers(_apps, schema_editor):
    statements = [POSTGRESQL] if schema_editor.connection.vendor == "postgresql" else SQLITE
    for statement in statements:
        schema_editor.execute(statement)


def drop_triggers(_apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        functions = "judgement_on_scale(), ledger_changed(), ledger_deleted(), ledger_emptied(), audit_changed()"
        schema_editor.execute(f"DROP FUNCTION {functions}, audit_deleted() CASCADE")
        return
    for statement in SQLITE:
        schema_editor.execute(f"DROP TRIGGER {statement.split()[2]}")


class Migration(migrations.Migration):
    dependencies = [("assess", "0001_initial")]
    operations = [migrations.RunPython(create_triggers, drop_triggers)]
