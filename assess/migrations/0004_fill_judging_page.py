"""What was here before gets the new columns' values: addresses, topics, states, versions and draws."""

import uuid
from hashlib import blake2b

from django.db import migrations
from django.db.models import F, OuterRef, Subquery, Value
from django.db.models.functions import Coalesce

BATCH = 500


def draw(seed: int, *names: str) -> int:
    """The draw as it was when this migration was written: a later change must not change old databases."""
    content = "\0".join([str(seed), *names]).encode()
    return int.from_bytes(blake2b(content, digest_size=8).digest()) % (1 << 31)


def in_batches(rows):
    """All rows by their ids, a few at a time: a large collection has millions."""
    last = 0
    while batch := list(rows.filter(pk__gt=last).order_by("pk")[:BATCH]):
        yield batch
        last = batch[-1].pk


def fill_assignments(apps, schema_editor):
    Assignment, Task, Judgement = (apps.get_model("assess", name) for name in ("Assignment", "Task", "Judgement"))
    own = Judgement.objects.filter(task=OuterRef("task"), member=OuterRef("member"), repeat=0).values("state")
    Assignment.objects.update(
        topic=Subquery(Task.objects.filter(pk=OuterRef("task")).values("topic")[:1]),
        state=Coalesce(Subquery(own[:1]), Value("")),
    )
    for rows in in_batches(Assignment.objects.only("pk")):
        for row in rows:
            row.public_id = uuid.uuid4()
        Assignment.objects.bulk_update(rows, ["public_id"])


def fill_tasks(apps, schema_editor):
    tasks = apps.get_model("assess", "Task").objects
    seed, query_id, doc_id = F("topic__collection__seed"), F("topic__query_id"), F("document__doc_id")
    drawn_from = tasks.only("pk").annotate(seed=seed, query_id=query_id, doc_id=doc_id)  # the texts stay where they are
    for rows in in_batches(drawn_from):
        for row in rows:
            row.draw = draw(row.seed, row.query_id, row.doc_id)
        tasks.bulk_update(rows, ["draw"])


def fill_versions(apps, schema_editor):
    schema_editor.execute(
        "UPDATE assess_judgementevent SET version = (SELECT COUNT(*) FROM assess_judgementevent AS earlier "
        "WHERE earlier.judgement_id = assess_judgementevent.judgement_id AND earlier.id <= assess_judgementevent.id)"
    )
    schema_editor.execute(
        "UPDATE assess_judgement SET version = (SELECT COUNT(*) FROM assess_judgementevent AS event "
        "WHERE event.judgement_id = assess_judgement.id)"
    )


class Migration(migrations.Migration):
    dependencies = [("assess", "0003_judging_page")]
    operations = [
        migrations.RunPython(fill_assignments, migrations.RunPython.noop),
        migrations.RunPython(fill_tasks, migrations.RunPython.noop),
        migrations.RunPython(fill_versions, migrations.RunPython.noop),
    ]
