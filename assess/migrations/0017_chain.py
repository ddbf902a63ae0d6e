"""Chains the events of each member with hashes, and lets an erasure delete comments from events that stay.

Existing events are chained with unknown display hashes, because nobody knows whether today's texts are those that were
displayed. A checkpoint with the reason "migration" records the chains of each collection.

`assess.judging.verify_triggers` compares the triggers of a database with `SQLITE` and `POSTGRESQL`.
"""

import hashlib
import json
import secrets
from datetime import UTC, datetime
from importlib import import_module
from itertools import groupby

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

earlier = import_module("assess.migrations.0006_append_only_ledger")

LEDGER, JUDGEMENTS = earlier.LEDGER, earlier.JUDGEMENTS
PERMIT = earlier.DOOR
CHANGED, DELETED = earlier.CHANGED, earlier.DELETED
KEPT = (  # the columns that no erasure changes
    *("id", "judgement_id", "member_id", "actor_id", "source", "client_id", "version", "seen_version", "before_state"),
    *("before_relevance", "at", "recorded_at", "position", "hash", "comment_hash", "document_hash", "topic_hash"),
    *("scale_hash", "guidelines_hash", "state", "relevance", "reason", "guidelines_version", "confidence", "passages"),
    *("active_ms", "away_ms", "highlights", "input", "label_confidence"),
)
SAME = " AND ".join(f"NEW.{column} IS OLD.{column}" for column in KEPT)
ERASED = f"EXISTS ({PERMIT} OR member_id = OLD.member_id) AND NEW.comment = '' AND NEW.comment_salt IS NULL"

SQLITE = [("ledger_update", f"UPDATE ON {LEDGER}", f"NOT ({ERASED} AND {SAME})", CHANGED), *earlier.SQLITE[1:]]
CHANGED_FUNCTION = f"""
CREATE OR REPLACE FUNCTION ledger_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF {ERASED} AND to_jsonb(NEW) - 'comment' - 'comment_salt' = to_jsonb(OLD) - 'comment' - 'comment_salt' THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION '{CHANGED}' USING ERRCODE = 'integrity_constraint_violation';
END $$;
"""
EARLIER_FUNCTION = f"""
CREATE OR REPLACE FUNCTION ledger_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '{CHANGED}' USING ERRCODE = 'integrity_constraint_violation';
END $$;
"""
BATCH = 1_000

# The format of assess.judging.chain, version 1.
FIELDS = (
    *("version", "seen_version", "before_state", "before_relevance", "state", "relevance", "reason", "comment_hash"),
    *("confidence", "passages", "active_ms", "away_ms", "highlights", "input", "guidelines_version"),
    *("label_confidence", "source", "client_id", "actor_id", "at", "recorded_at"),
    *("document_hash", "topic_hash", "scale_hash", "guidelines_hash"),
)


def sqlite_trigger(name, event, refused, sentence):
    """Return the statement that creates a trigger."""
    return f"CREATE TRIGGER {name} BEFORE {event} WHEN {refused} BEGIN SELECT RAISE(ABORT, '{sentence}'); END"


def drop_update_trigger(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(f"ALTER TABLE {LEDGER} DISABLE TRIGGER ledger_update")
    else:
        schema_editor.execute("DROP TRIGGER ledger_update")


def add_update_trigger(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(CHANGED_FUNCTION)
        schema_editor.execute(f"ALTER TABLE {LEDGER} ENABLE TRIGGER ledger_update")
    else:
        schema_editor.execute(sqlite_trigger(*SQLITE[0]))


def restore_earlier_trigger(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(EARLIER_FUNCTION)
        schema_editor.execute(f"ALTER TABLE {LEDGER} ENABLE TRIGGER ledger_update")
    else:
        schema_editor.execute(sqlite_trigger(*earlier.SQLITE[0]))


def chain_events(apps, schema_editor):
    model = apps.get_model("assess", "JudgementEvent")
    collections = apps.get_model("assess", "Collection").objects
    chains = {}
    for member, collection, keys in _keys_by_member(model):
        head = _chain(model, member, keys)
        chains.setdefault(collection, []).append([member, len(keys), head.hex()])
    checkpoints = apps.get_model("assess", "Checkpoint").objects
    for collection in collections.filter(pk__in=chains).order_by("pk"):
        rows = sorted(chains[collection.pk])
        checkpoints.create(
            collection=collection,
            chains=rows,
            events=sum(count for _, count, _ in rows),
            hash=_hash([collection.slug, rows]).hex(),
            reason="migration",
        )
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # a table with deferred checks cannot be altered


def _keys_by_member(model):
    """Yield each member with its collection and the keys of its events, in the order of recording."""
    rows = model.objects.order_by("member", "pk").values_list("member", "member__collection", "pk")
    for (member, collection), group in groupby(rows.iterator(), key=lambda row: row[:2]):
        yield member, collection, [pk for _, _, pk in group]


def _chain(model, member, keys):
    previous = b""
    for start in range(0, len(keys), BATCH):
        events = model.objects.filter(pk__in=keys[start : start + BATCH]).order_by("pk")
        rows = list(events.select_related("judgement__task__topic", "judgement__task__document"))
        for position, event in enumerate(rows, start=start + 1):
            if event.comment:
                event.comment_salt = secrets.token_bytes(16)
                event.comment_hash = hashlib.sha256(event.comment_salt + event.comment.encode()).digest()
            task = event.judgement.task
            key = [member, task.topic.query_id, task.document.doc_id, event.judgement.repeat]
            values = [_plain(getattr(event, name)) for name in FIELDS]
            event.position, event.hash = position, _hash([1, previous.hex(), position, *key, *values])
            previous = event.hash
        model.objects.bulk_update(rows, ["position", "hash", "comment_salt", "comment_hash"], batch_size=200)
    return previous


def _hash(value):
    return hashlib.sha256(json.dumps(value, separators=(",", ":")).encode()).digest()


def _plain(value):
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="microseconds")
    if isinstance(value, bytes):
        return value.hex()
    return value if value is None or isinstance(value, bool | int | float | list) else str(value)


def hash_guidelines(apps, schema_editor):
    model = apps.get_model("assess", "Guidelines")
    for row in model.objects.iterator():
        row.sha256 = hashlib.sha256(row.text.encode()).hexdigest()
        row.save(update_fields=["sha256"])


def hash_column():
    return models.BinaryField(max_length=32, null=True)


class Migration(migrations.Migration):
    dependencies = [("assess", "0016_code_limits_and_seat_tokens")]

    operations = [
        migrations.CreateModel(
            name="Checkpoint",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("chains", models.JSONField()),
                ("events", models.PositiveIntegerField()),
                ("hash", models.CharField(max_length=64)),
                ("reason", models.CharField(max_length=20)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "collection",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="checkpoints", to="assess.collection"
                    ),
                ),
            ],
            options={"ordering": ["pk"], "indexes": [models.Index(fields=["hash"], name="checkpoint_by_hash")]},
        ),
        migrations.AddField("tombstone", "chains", models.JSONField(default=list)),
        migrations.AddField("tombstone", "comments", models.PositiveIntegerField(default=0)),
        migrations.AddField("guidelines", "sha256", models.CharField(max_length=64, default=""), preserve_default=False),
        migrations.RunPython(hash_guidelines, migrations.RunPython.noop),
        # In the reverse direction the trigger comes back last.
        migrations.RunPython(migrations.RunPython.noop, restore_earlier_trigger),
        migrations.AddField("judgementevent", "position", models.PositiveIntegerField(null=True)),
        migrations.AddField("judgementevent", "hash", hash_column()),
        migrations.AddField("judgementevent", "comment_salt", models.BinaryField(max_length=16, null=True)),
        migrations.AddField("judgementevent", "comment_hash", hash_column()),
        migrations.AddField("judgementevent", "document_hash", hash_column()),
        migrations.AddField("judgementevent", "topic_hash", hash_column()),
        migrations.AddField("judgementevent", "scale_hash", hash_column()),
        migrations.AddField("judgementevent", "guidelines_hash", hash_column()),
        # Without a change of the database, because SQLite would remake the table without its triggers.
        migrations.SeparateDatabaseAndState(
            state_operations=[migrations.AlterField(
                    "judgementevent", "recorded_at", models.DateTimeField(default=django.utils.timezone.now)
                )]
        ),
        migrations.RunPython(drop_update_trigger, migrations.RunPython.noop),
        migrations.RunPython(chain_events, migrations.RunPython.noop),
        migrations.AddConstraint(
            "judgementevent",
            models.UniqueConstraint(
                fields=["member", "position"],
                condition=models.Q(("position__isnull", False)),
                name="chain_position_once",
            ),
        ),
        migrations.RunPython(add_update_trigger, drop_update_trigger),
    ]
