"""The database itself refuses a grade off the collection's scale, and a judge from another collection.

SQLite drops a table's triggers when a later migration remakes the table: such a migration makes them again
(`tests/assess/test_constraints.py` fails where one forgot).
"""

from django.db import migrations

FITS = """
    SELECT 1 FROM assess_task
    JOIN assess_topic ON assess_topic.id = assess_task.topic_id
    JOIN assess_member ON assess_member.collection_id = assess_topic.collection_id
    WHERE assess_task.id = NEW.task_id AND assess_member.id = NEW.member_id
      AND (NEW.relevance IS NULL OR EXISTS (
          SELECT 1 FROM assess_grade
          WHERE assess_grade.collection_id = assess_topic.collection_id AND assess_grade.value = NEW.relevance))
"""
REFUSAL = "judgement_on_scale: the grade is not on the scale of the collection, or the judge not of it"

SQLITE = """
CREATE TRIGGER judgement_on_scale_{verb} BEFORE {verb} ON assess_judgement
WHEN NOT EXISTS ({fits})
BEGIN SELECT RAISE(ABORT, '{refusal}'); END
"""
POSTGRESQL = f"""
CREATE FUNCTION judgement_on_scale() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS ({FITS}) THEN
        RAISE EXCEPTION '{REFUSAL}' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER judgement_on_scale BEFORE INSERT OR UPDATE ON assess_judgement
    FOR EACH ROW EXECUTE FUNCTION judgement_on_scale();
"""


def add_triggers(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(POSTGRESQL)
        return
    for verb in ("INSERT", "UPDATE"):
        schema_editor.execute(SQLITE.format(verb=verb, fits=FITS, refusal=REFUSAL))


def drop_triggers(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("DROP FUNCTION judgement_on_scale() CASCADE")
        return
    for verb in ("INSERT", "UPDATE"):
        schema_editor.execute(f"DROP TRIGGER judgement_on_scale_{verb}")


class Migration(migrations.Migration):
    dependencies = [("assess", "0001_tables")]
    operations = [migrations.RunPython(add_triggers, drop_triggers)]
