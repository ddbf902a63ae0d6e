"""The gold that a collection's golds and judges are compared with by default."""

from django.db import migrations, models

from assess.migrations._kept_triggers import create_triggers, drop_triggers


class Migration(migrations.Migration):
    dependencies = [("assess", "0039_stopping_sample")]

    operations = [
        migrations.RunPython(drop_triggers, create_triggers),
        migrations.AddField("collection", "reference", models.CharField(blank=True, default="", max_length=100)),
        migrations.RunPython(create_triggers, drop_triggers),
    ]
