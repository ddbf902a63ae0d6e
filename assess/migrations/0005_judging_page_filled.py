"""Now that every row has them: addresses are unique, topics are there, versions are counted once."""

import uuid
from importlib import import_module

import django.db.models.deletion
from django.db import migrations, models

triggers = import_module("assess.migrations.0002_judgement_on_scale")


class Migration(migrations.Migration):
    dependencies = [("assess", "0004_fill_judging_page")]
    operations = [
        migrations.AlterField(
            "assignment", "public_id", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)
        ),
        migrations.AlterField(
            "assignment",
            "topic",
            models.ForeignKey(
                db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="assess.topic"
            ),
        ),
        migrations.AddConstraint(
            "judgementevent",
            models.UniqueConstraint(fields=("judgement", "version"), name="event_version_once"),
        ),
        migrations.RunPython(triggers.add_triggers, triggers.drop_triggers),
    ]
