"""Moves titles, texts and metadata of documents to a table of their own, with the sanitised HTML next to the original.

An import writes the contents in several short transactions, and connects them to their documents in one more.
"""

import hashlib
import json

import django.db.models.deletion
from django.db import migrations, models
from django.utils import timezone

COLUMNS = "title, text, format, metadata"
BATCH = 500  # rows in memory at once


def move_to_contents(apps, schema_editor):
    schema_editor.execute(
        f"INSERT INTO assess_documentcontent (id, {COLUMNS}, sha256, imported_at) "
        f"SELECT id, {COLUMNS}, '', %s FROM assess_document WHERE text IS NOT NULL",
        [timezone.now()],
    )
    fill_hashes(apps.get_model("assess", "DocumentContent"))
    schema_editor.execute("UPDATE assess_document SET content_id = id WHERE text IS NOT NULL")
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(  # the ids did not come from the sequence
            "SELECT setval(pg_get_serial_sequence('assess_documentcontent', 'id'), MAX(id)) FROM assess_documentcontent"
        )
        schema_editor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # a table with deferred checks cannot be altered


def fill_hashes(model):
    """Store the hash of each content, as `assess.documents.contents.content_hash` does."""
    keys = list(model.objects.order_by("pk").values_list("pk", flat=True))
    for start in range(0, len(keys), BATCH):
        rows = list(model.objects.filter(pk__in=keys[start : start + BATCH]).only("title", "text", "format"))
        for row in rows:
            row.sha256 = hashlib.sha256(json.dumps([row.title, row.format, row.text, None]).encode()).hexdigest()
        model.objects.bulk_update(rows, ["sha256"])


def move_back(apps, schema_editor):
    for column in COLUMNS.split(", "):
        schema_editor.execute(
            f"UPDATE assess_document SET {column} = (SELECT {column} FROM assess_documentcontent content "
            "WHERE content.id = assess_document.content_id) WHERE content_id IS NOT NULL"
        )
    schema_editor.execute("UPDATE assess_document SET content_id = NULL")
    schema_editor.execute("DELETE FROM assess_documentcontent")


class Migration(migrations.Migration):
    dependencies = [("assess", "0014_imported_judges")]

    operations = [
        migrations.CreateModel(
            name="DocumentContent",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("title", models.TextField(blank=True)),
                ("text", models.TextField()),
                (
                    "format",
                    models.CharField(
                        choices=[("text", "plain text"), ("html", "HTML")], default="text", max_length=4
                    ),
                ),
                ("metadata", models.JSONField(default=dict)),
                ("sanitised", models.TextField(null=True)),
                ("sanitiser_version", models.PositiveSmallIntegerField(null=True)),
                ("sha256", models.CharField(max_length=64)),
                ("imported_at", models.DateTimeField(auto_now_add=True)),
            ],
        ),
        migrations.AddField(
            model_name="document",
            name="content",
            field=models.OneToOneField(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="document",
                to="assess.documentcontent",
            ),
        ),
        migrations.RunPython(move_to_contents, move_back),
        # The text first: on SQLite each removal rewrites the table.
        migrations.RemoveField(model_name="document", name="text"),
        migrations.RemoveField(model_name="document", name="title"),
        migrations.RemoveField(model_name="document", name="format"),
        migrations.RemoveField(model_name="document", name="metadata"),
    ]
